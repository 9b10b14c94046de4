package redisconn_test

import (
	"strings"
	"testing"

	"roem/internal/redisconn"
)

func TestParse(t *testing.T) {
	const (
		form     = "expected redis://"
		password = "special characters"
		primary  = "the name that the Sentinels have"
	)
	for address, want := range map[string]string{
		"redis://host":                        "host:6379",
		"redis://user:hunter2@host:1/3":       "host:1",
		"rediss://:hunter2@[::1]:1":           "[::1]:1",
		"redis://u:hunter2%2F%23%3F%25@h:1/0": "h:1",
		"redis://u:hunter2@@h:1":              "h:1",
		"redis://h?pool_size=3":               "h:6379",
		"unix:///run/redis.sock":              "/run/redis.sock",
		"unix://u:hunter2@/run/redis.sock":    "/run/redis.sock",

		"redis+sentinel://a/main":                                                   "main of the Sentinels a:26379",
		"redis+sentinel://u:hunter2@a:1,b,[::1]:3/m%2F/4":                           "m/ of the Sentinels a:1,b:26379,[::1]:3",
		"rediss+sentinel://a:1,b:2/m?sentinel_username=u&sentinel_password=hunter2": "m of the Sentinels a:1,b:2",

		"":                          form,
		"host:6379":                 form,
		"http://host":               form,
		"redis://":                  form,
		"redis://:6379":             form,
		"unix://":                   form,
		"redis://h/x":               form,
		"redis://:hunter2@h:port":   form,
		"redis://:hunter2@h?no=1":   form,
		"redis://h/0#hunter2":       form,
		"redis://u:hunter2/@h:1":    password,
		"redis://u:12/hunter2@h:1":  password,
		"redis://u:hunter2#@h:1":    password,
		"redis://u:12#hunter2@h:1":  password,
		"redis://u:hunter2?@h:1":    password,
		"redis://u:hunter2%@h:1":    password,
		"redis://u:hunter2 @h:1":    password,
		"redis://u:hunter2^[]@h:1":  password,
		"rediss://u:hunter2%zz@h:1": password,

		"redis+sentinel://a:1,b:2":              primary,
		"redis+sentinel://a:1,b:2/":             primary,
		"redis+sentinel://a,,b/m":               "hosts and ports",
		"redis+sentinel:///m":                   "hosts and ports",
		"redis+sentinel://a/m/x":                form,
		"redis+sentinel://u:hunter2#@a/m":       password,
		"redis+sentinel://u:hunter2/x@a,b/m":    password,
		"redis+sentinel://u:hunter2%@a,b:1/m/0": password,
	} {
		parsed, err := redisconn.Parse(address)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = parsed.String()
		}
		fails := strings.Contains(want, " ") && !strings.Contains(want, " of the ")
		if !strings.Contains(got, want) || fails != (err != nil) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s; want %s", address, got, want)
		}
	}
}
