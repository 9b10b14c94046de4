package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Key is an API key: its id and the SHA-256 of the secret. The server does not store the secret itself.
type Key struct {
	ID          string
	SHA256      [32]byte
	Publishable *Publishable // nil for a secret key
}

// Publishable is what makes a key publishable: it is valid in browsers that show a page of its origins, for some operations.
type Publishable struct {
	Origins           []string `yaml:"origins"`
	Operations        []string `yaml:"operations"`          // ids of operations of the contract; empty for those that use no searcher
	RequestsPerMinute int      `yaml:"requests_per_minute"` // of all clients together; 0 for no limit
	Searches          int      `yaml:"searches"`            // at a time, of all clients together
}

// The limits of a publishable key that does not say others.
const (
	defaultRequests = 600
	defaultSearches = 4
)

// keyFields are the fields of a key. The fields of a publishable key are given only together with origins.
type keyFields struct {
	ID          string `yaml:"id"`
	SHA256      string `yaml:"sha256"`
	Publishable `yaml:",inline"`
}

// key returns the key of the fields, of which some were given.
func (f keyFields) key(given []string) (Key, error) {
	key, err := newKey(f.ID, f.SHA256)
	if err != nil || !slices.ContainsFunc(given, func(name string) bool { return name != "id" && name != "sha256" }) {
		return key, err
	}
	wrong := func(what string) (Key, error) { return Key{}, fmt.Errorf("the key %s %s", f.ID, what) }
	switch {
	case len(f.Origins) == 0:
		return wrong("has no origins, without which a key is secret: expected an origin such as https://cards.example, or id and sha256 alone")
	case slices.Contains(given, "operations") && len(f.Operations) == 0:
		return wrong("has an empty list of operations: without the list the key is for all operations that use no searcher")
	case f.RequestsPerMinute < 0 || f.RequestsPerMinute > 1_000_000:
		return wrong(fmt.Sprintf("has %d requests_per_minute: expected 0, for no limit, to 1000000", f.RequestsPerMinute))
	case f.Searches < 0 || f.Searches > 100_000:
		return wrong(fmt.Sprintf("has %d searches: expected 0, for no limit, to 100000", f.Searches))
	}
	for _, origin := range f.Origins {
		if origin == "*" || !isOrigin(origin) {
			return wrong(fmt.Sprintf("has the origin %.60q: expected an origin such as https://cards.example", origin))
		}
	}
	key.Publishable = &f.Publishable
	return key, nil
}

// Keys are the valid API keys. In the environment they are written as id:sha256, separated by commas.
type Keys []Key

// keyID is the syntax of the id of a key. The id appears in logs and identifies the owner of jobs.
var keyID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// newKey parses a key. No error contains the text of the key: a secret that was written by mistake must not get into a log.
func newKey(id, sum string) (Key, error) {
	key := Key{ID: id}
	if !keyID.MatchString(id) {
		return Key{}, errors.New("the id of a key is not 1 to 64 letters, digits and ._-")
	}
	raw, err := hex.DecodeString(sum)
	if err != nil || len(raw) != len(key.SHA256) {
		return Key{}, fmt.Errorf(
			"the sha256 of the key %s is not 64 hexadecimal digits: give the hash that server -new-key prints, not the secret", id)
	}
	copy(key.SHA256[:], raw)
	return key, nil
}

// UnmarshalText reads keys in the format of the environment.
func (k *Keys) UnmarshalText(text []byte) error {
	*k = nil
	for one := range strings.SplitSeq(string(text), ",") {
		one = strings.TrimSpace(one)
		if one == "" {
			continue
		}
		id, sum, ok := strings.Cut(one, ":")
		if !ok {
			return errors.New("expected keys as id:sha256, separated by commas")
		}
		key, err := newKey(strings.TrimSpace(id), strings.TrimSpace(sum))
		if err != nil {
			return err
		}
		*k = append(*k, key)
	}
	if len(*k) == 0 {
		return errors.New("it has no key: remove the variable to use the keys of the file, or set auth.mode to open for a server without keys")
	}
	return nil
}

// UnmarshalYAML reads a list of objects with the fields id and sha256, and the fields of Publishable.
func (k *Keys) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d: expected a list of keys, each with id and sha256", node.Line)
	}
	*k = nil
	for _, item := range node.Content {
		var given map[string]any
		fields := keyFields{Publishable: Publishable{RequestsPerMinute: defaultRequests, Searches: defaultSearches}}
		names := []string{"id", "sha256", "origins", "operations", "requests_per_minute", "searches"}
		known := func(name string) bool { return slices.Contains(names, name) }
		if item.Decode(&given) != nil || item.Decode(&fields) != nil || !all(maps.Keys(given), known) || len(given) < 2 {
			return fmt.Errorf("line %d: expected a key with id and sha256, and for a publishable key origins, operations, "+
				"requests_per_minute, searches", item.Line)
		}
		key, err := fields.key(slices.Collect(maps.Keys(given)))
		if err != nil {
			return fmt.Errorf("line %d: %w", item.Line, err)
		}
		*k = append(*k, key)
	}
	return nil
}

func all[T any](values iter.Seq[T], is func(T) bool) bool {
	for value := range values {
		if !is(value) {
			return false
		}
	}
	return true
}

// validate rejects an unknown mode, a mode that the keys contradict, and a key that is there twice.
func (a Auth) validate() error {
	var mode error
	switch {
	case a.Mode != AuthOpen && a.Mode != AuthKeys:
		mode = fmt.Errorf("auth.mode is %.40q: expected open or keys", a.Mode)
	case a.Mode == AuthOpen && len(a.Keys) > 0:
		mode = fmt.Errorf("auth.mode is open, but auth.keys has %d: set auth.mode to keys, or remove the keys", len(a.Keys))
	case a.Mode == AuthKeys && len(a.Keys) == 0:
		mode = errors.New("auth.mode is keys, but auth.keys has none: server -new-key NAME makes one")
	}
	return errors.Join(mode, a.Keys.validate(), a.TokenSecrets.validate())
}

// validate rejects two keys with the same id or the same secret, because requests could not be assigned to one of them.
func (k Keys) validate() error {
	ids, sums := map[string]bool{}, map[[32]byte]bool{}
	for _, key := range k {
		if ids[key.ID] || sums[key.SHA256] {
			return fmt.Errorf("auth.keys has the key %s, or its sha256, twice", key.ID)
		}
		ids[key.ID], sums[key.SHA256] = true, true
	}
	return nil
}

// Prefixes are CIDR blocks of addresses, such as 10.0.0.0/8 or 2001:db8::1/128.
type Prefixes []netip.Prefix

// UnmarshalText reads prefixes in the format of the environment, separated by commas.
func (p *Prefixes) UnmarshalText(text []byte) error {
	*p = nil
	for one := range strings.SplitSeq(string(text), ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(one)
		if err != nil {
			return fmt.Errorf("%.60q is not a block of addresses such as 10.0.0.0/8 or 192.0.2.7/32", one)
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// UnmarshalYAML reads a list of prefixes.
func (p *Prefixes) UnmarshalYAML(node *yaml.Node) error {
	var list []string
	if err := node.Decode(&list); err != nil {
		return fmt.Errorf("line %d: expected a list of blocks of addresses", node.Line)
	}
	if err := p.UnmarshalText([]byte(strings.Join(list, ","))); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	return nil
}

// Secrets are texts that nobody can guess. No error contains one.
type Secrets []string

// leastSecret is how long a secret must be.
const leastSecret = 32

func (s Secrets) validate() error {
	for i, secret := range s {
		switch {
		case len(secret) < leastSecret:
			return fmt.Errorf("auth.token_secrets: the secret at place %d has %d characters: expected at least %d random ones",
				i+1, len(secret), leastSecret)
		case slices.Contains(s[:i], secret):
			return fmt.Errorf("auth.token_secrets: the secret at place %d occurs twice", i+1)
		}
	}
	return nil
}
