// Package redisconn connects the stores to Redis. It reads redis.url, makes clients, asks a server what it is, and says what an error of
// Redis means for an operator.
package redisconn

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Forms lists the forms of an address, for errors.
const Forms = "redis://user:password@host:port/number, rediss:// for TLS, unix:// for a socket, or " +
	"redis+sentinel://user:password@host:port,host:port/name/number for Sentinels (rediss+sentinel:// with TLS)"

// Address is where Redis is: one server, or the Sentinels that know which server it is.
type Address struct {
	server    *redis.Options
	primary   string   // the name that the Sentinels have for the primary; empty for one server
	sentinels []string // their hosts and ports
	user      string   // of the Sentinels
	password  string   // of the Sentinels
}

// errForm is the error of an address in no known form. It contains nothing of the address, which may have a password.
var errForm = errors.New("expected " + Forms)

// errPassword is the error of an address in which the password is the probable cause.
var errPassword = errors.New("the user or the password seems to have special characters: write each of them as % and two hexadecimal " +
	"digits (/ is %2F, # is %23, ? is %3F, % is %25, @ is %40, : is %3A)")

// sentinelPort is the port of a Sentinel without one in the address.
const sentinelPort = "26379"

// Parse reads the address of Redis. The error contains no part of the address.
func Parse(text string) (Address, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || !slices.Contains([]string{"redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel"}, scheme) {
		return Address{}, errForm
	}
	a, err := parse(scheme, rest)
	if err == nil {
		return a, nil
	}
	if strings.Contains(rest, "@") && !readable(scheme, rest) {
		return Address{}, errPassword
	}
	return Address{}, err
}

// readable reports whether the user and the password are as a URL has them: the last @ ends them, and no character in them ends the host.
func readable(scheme, rest string) bool {
	at := strings.LastIndexByte(rest, '@')
	_, err := url.Parse(scheme + "://" + rest[:at] + "@host")
	return err == nil && !strings.ContainsAny(rest[:at], "/?#")
}

func parse(scheme, rest string) (Address, error) {
	plain, sentinels := strings.CutSuffix(scheme, "+sentinel")
	if !sentinels {
		if scheme != "unix" && (strings.ContainsAny(rest, "#") || afterHost(rest, "@")) {
			return Address{}, errForm
		}
		u, parsed := url.Parse(scheme + "://" + rest)
		server, err := redis.ParseURL(scheme + "://" + rest)
		if err != nil || parsed != nil || scheme != "unix" && u.Hostname() == "" || scheme == "unix" && u.Path == "" {
			return Address{}, errForm // err may contain the password
		}
		return Address{server: server}, nil
	}
	return parseSentinels(plain, rest)
}

// afterHost reports whether the text after the hosts has one of the characters.
func afterHost(rest, chars string) bool {
	i := strings.IndexAny(rest, "/?")
	return i >= 0 && strings.ContainsAny(rest[i:], chars)
}

// parseSentinels reads the rest of an address of Sentinels: [user:password@]host:port,.../name[/number][?options].
func parseSentinels(scheme, rest string) (a Address, err error) {
	rest, query, _ := strings.Cut(rest, "?")
	hosts, path, _ := strings.Cut(rest, "/")
	user := ""
	if at := strings.LastIndexByte(hosts, '@'); at >= 0 {
		user, hosts = hosts[:at+1], hosts[at+1:]
	}
	name, number, _ := strings.Cut(path, "/")
	options, err := url.ParseQuery(query)
	if err != nil || strings.ContainsAny(rest, "#") || strings.Contains(path, "@") {
		return a, errForm
	}
	if a.primary, err = url.PathUnescape(name); err != nil || a.primary == "" {
		return a, errors.New("the name that the Sentinels have for the primary is missing: expected " + Forms)
	}
	a.user, a.password = options.Get("sentinel_username"), options.Get("sentinel_password")
	options.Del("sentinel_username")
	options.Del("sentinel_password")
	for host := range strings.SplitSeq(hosts, ",") {
		addr := host
		if _, _, err := net.SplitHostPort(host); err != nil {
			addr = net.JoinHostPort(strings.Trim(host, "[]"), sentinelPort)
		}
		if h, _, err := net.SplitHostPort(addr); err != nil || h == "" {
			return a, fmt.Errorf("the Sentinels are hosts and ports with commas between them: %w", errForm)
		}
		a.sentinels = append(a.sentinels, addr)
	}
	if a.server, err = redis.ParseURL(scheme + "://" + user + "primary/" + number + "?" + options.Encode()); err != nil {
		return a, errForm
	}
	if a.server.TLSConfig != nil {
		a.server.TLSConfig.ServerName = "" // each connection sets its own
	}
	return a, nil
}

// String returns the hosts of the address, without the user and the password.
func (a Address) String() string {
	if a.primary != "" {
		return a.primary + " of the Sentinels " + strings.Join(a.sentinels, ",")
	}
	return a.server.Addr
}
