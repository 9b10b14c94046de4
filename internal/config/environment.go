package config

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/caarlos0/env/v11"
)

const envPrefix = "ROEM_"

// override overrides c with the variables that begin with ROEM_. It parses one variable at a time, because the parser's errors name
// the field and not the variable.
func (c *Config) override(environ []string) error {
	known, err := Variables()
	if err != nil {
		return err
	}
	values := env.ToMap(environ)
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !strings.HasPrefix(name, envPrefix) || serviceLink.MatchString(name+"="+values[name]) {
			continue
		}
		if !slices.Contains(known, name) {
			errs = append(errs, unknown(name, known))
			continue
		}
		if err := c.set(name, values[name]); err != nil {
			errs = append(errs, fmt.Errorf("the environment: %w", err))
		}
	}
	return errors.Join(errs...)
}

// set sets the key of a variable.
func (c *Config) set(name, value string) error {
	if value == "" {
		return c.setEmpty(name)
	}
	one := env.Options{Prefix: envPrefix, Environment: map[string]string{name: value}}
	if err := env.ParseWithOptions(c, one); err != nil {
		shown := fmt.Sprintf("%s=%.40q", name, value)
		if name == envPrefix+"AUTH_KEYS" || name == envPrefix+"AUTH_TOKEN_SECRETS" {
			shown = name // the value may be a secret
		}
		return fmt.Errorf("%s cannot be read: %w", shown, err)
	}
	return nil
}

// setEmpty sets the key of a variable that exists and is empty. The parser would ignore the variable. For some keys an empty value
// switches something off. For any other key it is an error: the value that somebody wanted to give is missing.
func (c *Config) setEmpty(name string) error {
	switch strings.TrimPrefix(name, envPrefix) {
	case "DATA":
		c.Data = ""
	case "REDIS_URL":
		c.Redis.URL = ""
	case "MODELS_FOREST":
		c.Models.Forest = ""
	case "MODELS_TREE":
		c.Models.Tree = ""
	case "MODELS_GIN_RUMMY_FOREST":
		c.Models.GinRummyForest = ""
	case "METRICS_ADDR":
		c.Metrics.Addr = ""
	case "TRACES_ENDPOINT":
		c.Traces.Endpoint = ""
	case "HTTP_TRUSTED_PROXIES":
		c.HTTP.TrustedProxies = nil
	case "HTTP_BASE_PATH":
		c.HTTP.BasePath = ""
	case "HTTP_HOSTS":
		c.HTTP.Hosts = nil
	case "CORS_HEADERS":
		c.CORS.Headers = nil
	case "CORS_ORIGINS":
		c.CORS.Origins = nil
	case "EMBED_ORIGINS":
		c.Embed.Origins = nil
	case "AUTH_TOKEN_SECRETS":
		c.Auth.TokenSecrets = nil
	default:
		return fmt.Errorf("%s is empty: give it a value, or remove it", name)
	}
	return nil
}

// Variables returns the names of all environment variables that set a key.
func Variables() ([]string, error) {
	params, err := env.GetFieldParamsWithOptions(&Config{}, env.Options{Prefix: envPrefix})
	if err != nil {
		return nil, fmt.Errorf("listing the environment variables: %w", err)
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Key
	}
	return names, nil
}

// serviceLink matches the variables that Kubernetes gives to every container of a namespace with a service whose name begins with
// roem, such as ROEM_SERVICE_HOST=10.0.0.7 and ROEM_PORT=tcp://10.0.0.7:80.
var serviceLink = regexp.MustCompile(`^ROEM_(\w+_)?(SERVICE_HOST=|SERVICE_PORT(_\w+)?=\d+$|PORT=(tcp|udp|sctp)://|` +
	`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=)`)

// unknown returns the error for a variable that belongs to no key. It names the most similar variable if a mistake in typing explains
// the name.
func unknown(name string, known []string) error {
	nearest, least := "", max(2, len(name)/4)
	for _, other := range known {
		if d := levenshtein.ComputeDistance(strings.ToUpper(name), other); d <= least {
			nearest, least = other, d-1
		}
	}
	if nearest == "" {
		return fmt.Errorf("the environment: %s is not a variable of the server (docs/reference/configuration.md lists them)", name)
	}
	return fmt.Errorf("the environment: %s is not a variable of the server: did you mean %s?", name, nearest)
}
