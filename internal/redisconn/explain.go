package redisconn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// meaning is what an error of Redis means.
type meaning struct {
	marks  []string // texts of which the error has one
	reason string   // in a few words, for everyone: nothing of the error is in it
	advice string   // for the operator
}

const (
	full     = "its memory is full"
	refuses  = "it refuses the user or the password"
	rights   = "its user may not run all necessary commands"
	noWrites = "it accepts no writes"
	away     = "it cannot be reached or changed"
)

var (
	cluster = meaning{
		marks:  []string{"moved ", "crossslot", "clusterdown", "not allowed in cluster mode"},
		reason: "it is a node of a Redis Cluster",
		advice: "this Redis is a node of a Redis Cluster, which Roem does not support: name a Redis without cluster mode, or its Sentinels",
	}
	sentinel = meaning{
		reason: "it is a Sentinel",
		advice: "this is a Sentinel and not a Redis: write redis+sentinel:// and after its host the name of the primary",
	}
	replica = meaning{
		marks:  []string{"readonly", "masterdown"},
		reason: noWrites,
		advice: "this Redis is a replica, which takes no changes: name the primary, or the Sentinels (redis+sentinel://)",
	}
	plain = meaning{
		marks:  []string{"first record does not look like a tls handshake"},
		reason: away,
		advice: "the port of Redis has no TLS: write redis:// instead of rediss://",
	}
	silent = meaning{
		reason: away,
		advice: "Redis does not answer in time to TLS. If the port of Redis has no TLS, write redis:// instead of rediss://",
	}
	errCluster, errSentinel, errReplica error = &known{cluster, nil}, &known{sentinel, nil}, &known{replica, nil}
)

// meanings are looked through in this order. Marks are in lower case.
var meanings = []meaning{
	cluster,
	replica,
	plain,
	{
		[]string{"all sentinels specified in configuration are unreachable"},
		away,
		"no Sentinel of redis.url answers with a primary of the name in redis.url",
	},
	{[]string{"oom "}, full, "the memory of Redis is full (maxmemory)"},
	{
		[]string{"run the 'info' command", "unknown command 'info'", "unknown command `info`"},
		rights,
		"Redis refuses INFO, as some managed services do: Roem needs it to see the version, the memory and since when Redis runs",
	},
	{
		[]string{"noperm", "the user executing the script can't"},
		rights,
		"the user of redis.url lacks rights that deploy/redis/users.acl lists",
	},
	{[]string{"unknown command"}, rights, "this Redis lacks a command that Roem needs, as some managed services do"},
	{
		[]string{"wrongpass", "noauth", "invalid password", "without any password configured"},
		refuses,
		"Redis refuses the user or the password of redis.url, in which special characters are written as % and two hexadecimal digits",
	},
	{
		[]string{"db index is out of range", "invalid db index"},
		away,
		"Redis has no database with the number of redis.url (its setting databases)",
	},
	{[]string{"misconf"}, noWrites, "Redis cannot write to its disk, and takes no changes until it can"},
	{
		[]string{"noreplicas"},
		noWrites,
		"Redis has fewer replicas than its setting min-replicas-to-write, and takes no changes until it has them",
	},
	{[]string{"loading "}, "it still reads its data", "Redis still reads its data"},
	{[]string{"x509:", "tls: "}, away, "the certificate of Redis is not accepted"},
	{[]string{"no such host", "server misbehaving"}, away, "the host of redis.url is unknown"},
}

// known is an error of Redis with what it means.
type known struct {
	meaning
	cause error // nil if what Redis tells about itself is the cause
}

func (k *known) Error() string {
	if k.cause == nil {
		return k.advice
	}
	return fmt.Sprintf("%s: %v", k.advice, k.cause)
}

func (k *known) Unwrap() error { return k.cause }

// Explain adds to an error what it means for an operator, if that is known. It returns any other error as it is.
func Explain(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*known](err); done {
		return err
	}
	text := strings.ToLower(err.Error())
	for _, m := range meanings {
		for _, mark := range m.marks {
			if strings.Contains(text, mark) {
				return &known{m, err}
			}
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &known{meaning{nil, away, "Redis closed the connection: if its port is for TLS, write rediss://"}, err}
	}
	return err
}

// Reason says in a few words why Redis fails. It is for everyone, so it contains nothing of the error.
func Reason(err error) string {
	if errors.Is(err, ErrFull) {
		return full
	}
	if errors.Is(err, errBehind) {
		return "it has too few replicas"
	}
	if k, ok := errors.AsType[*known](Explain(err)); ok {
		return k.reason
	}
	return away
}
