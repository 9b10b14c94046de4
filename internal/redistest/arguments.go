package redistest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"roem/internal/testkit"
)

// Options are settings of the server. With the zero value it keeps its data in memory, and Stop and Kill lose them.
type Options struct {
	// Durable lets the server write every change to disk before it answers (an append-only file, appendfsync always), so
	// that confirmed changes survive Kill.
	Durable bool
	// LoadDelay is the additional time for each command that a Durable server loads at its start. While it loads, it accepts
	// requests after every 1024 commands only, and answers them with LOADING errors. Restart waits for the end of loading.
	LoadDelay time.Duration
	// Settings are further arguments of redis-server, such as "--appendonly", "yes".
	Settings []string
	// ACLFile makes deploy/redis/users.acl and the users in deploy/redis/replicated the aclfile of the server: nobody has all rights, and
	// AdminURL is of no use.
	ACLFile bool
	// MaxMemory bounds the memory, such as "8mb"; empty for no bound.
	MaxMemory string
	// MaxMemoryPolicy is what the server does at the bound, such as "noeviction" or "allkeys-lru"; empty for its default.
	MaxMemoryPolicy string
}

// Addr returns the host and port of the server.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// User is the user of Roem. It may do what deploy/redis/users.acl says, and nothing else.
const User = "roem"

// password is the password of User. It is in no file.
const password = "not-a-secret"

// URL returns the address of the server as a URL, with User. All that is tested is thus tested with what the documented rules allow.
func (s *Server) URL() string { return urlOf(s.Addr()) }

func urlOf(addr string) string { return "redis://" + User + ":" + password + "@" + addr + "/0" }

// AdminURL returns the address of the server as a URL without a user: everything is allowed.
func (s *Server) AdminURL() string { return "redis://" + s.Addr() + "/0" }

// shipped returns files in deploy/redis, one after the other, with the password of the tests.
func shipped(names ...string) (all string, err error) {
	root, err := testkit.Root()
	if err != nil {
		return "", err
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, "deploy", "redis", name)) //nolint:gosec // of this repository
		if err != nil {
			return "", err
		}
		all += strings.ReplaceAll(string(text), "CHANGE-ME", password)
	}
	return all, nil
}

// Rules returns what User may do, as ACL SETUSER takes it: deploy/redis/users.acl, with the password of the tests.
func Rules() ([]string, error) {
	text, err := shipped("users.acl")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		if rules, ok := strings.CutPrefix(line, "user "+User+" "); ok {
			return strings.Fields(rules), nil
		}
	}
	return nil, fmt.Errorf("the file has no user %s", User)
}

// arguments returns the arguments of redis-server.
func (s *Server) arguments() ([]string, error) {
	args := []string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir, "--save", "", "--daemonize", "no",
		"--appendonly", "no",
	}
	if s.options.ACLFile {
		text, err := shipped("users.acl", "replicated/users.acl")
		if err != nil {
			return nil, err
		}
		path := filepath.Join(s.dir, "users.acl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "--aclfile", path)
	} else {
		rules, err := Rules()
		if err != nil {
			return nil, fmt.Errorf("the rules of the user: %w", err)
		}
		args = append(append(args, "--user", User), rules...)
	}
	if s.options.Durable {
		args = append(args, "--appendonly", "yes", "--appendfsync", "always")
	}
	if s.options.LoadDelay > 0 {
		args = append(args, "--key-load-delay", strconv.FormatInt(s.options.LoadDelay.Microseconds(), 10))
	}
	if s.options.MaxMemory != "" {
		args = append(args, "--maxmemory", s.options.MaxMemory)
	}
	if s.options.MaxMemoryPolicy != "" {
		args = append(args, "--maxmemory-policy", s.options.MaxMemoryPolicy)
	}
	return append(args, s.options.Settings...), nil
}
