package klaverjas

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/redistest"
	"roem/internal/service"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

// Different keys have different names, and keys that are no positions keep theirs.
func TestKeyNames(t *testing.T) {
	rng := index.NewRand(5)
	names := map[string]solvecache.Key{}
	for i := range 400 {
		p := randomPosition(t, rng, i%33)
		twin, err := newCanonical(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, question := range []byte{byte(search.Win), byte(search.Value), byte(search.Moves), analysisQuestion} {
			key := twin.keyFor(question, len(p.played))
			name := KeyName(key)
			if other, in := names[name]; in && other != key {
				t.Fatalf("%s is the name of two keys", name)
			}
			names[name] = key
			deal := outIdentity(p.start.Deal())
			if !strings.HasPrefix(name, "klaverjas:"+deal.CanonicalIndex+":") {
				t.Errorf("%s has not the canonical index %s", name, deal.CanonicalIndex)
			}
		}
	}
	for _, key := range []solvecache.Key{
		"", "a", "\x09klaverjas", solvecache.Key(newKey(KindTable).Byte(1)), solvecache.Key(newKey(positionKey)),
		solvecache.Key(appendRules(newKey(positionKey), klaverjas.DefaultRules(klaverjas.Rotterdam)).Byte(0).Uint(7).Byte(0).Byte(9)),
	} {
		if name := KeyName(key); name != string(key) {
			t.Errorf("%q is named %q", key, name)
		}
	}
}

// The names by hand: of the default rules, and of others.
func TestKeyNameOfRules(t *testing.T) {
	rules := klaverjas.DefaultRules(klaverjas.Amsterdam)
	name := func() string {
		return KeyName(solvecache.Key(service.AppendList(appendRules(newKey(positionKey), rules).Byte(1).Uint(123).Byte(1), []byte{0, 9})))
	}
	solver := fmt.Sprintf("%s.%d", search.Version, schemaVersion)
	if got, want := name(), "klaverjas:123:others:amsterdam:value:"+solver+":7C,8D"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	rules.UnderRuff, rules.Melds, rules.NatMelds = klaverjas.Free, false, klaverjas.NatAll
	rules.FourOfAKind[0], rules.Pit.Defenders = 200, 50
	want := "klaverjas:123:others:amsterdam+under_ruff=free+melds=false+nat_melds=all+" +
		"four_of_a_kind=200,100,100,100,100,100,100,100+pit=100,50:value:" + solver + ":7C,8D"
	if got := name(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// In a real Redis, the pattern of the documentation finds all results of a deal, however its suits and seats are named, and no others.
func TestResultsOfADealInRedis(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	layer, err := solvecache.NewRedis(solvecache.RedisOptions{URL: server.URL(), Name: KeyName, Timeout: testkit.Patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = layer.Close() })
	g := newGame(t, service.Options{Cache: solvecache.New(layer)}, Options{})
	const deal = `"trump": "H", "leader": "E", "deal": "71234567890123456"`
	identity := solve(t, g, deal+`, "goal": "win"`).Deal
	solve(t, g, deal+`, "goal": "moves"`)
	solve(t, g, deal+`, "goal": "value", "declarer": "NS", "rules": {"system": "amsterdam", "melds": false}`)
	solve(t, g, `"trump": "H", "leader": "E", "deal": "71234567890123457", "goal": "win"`)
	testkit.Until(t, "everything put is written", func() bool { return layer.Stats().Pending == 0 })

	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer func() { _ = client.Close() }()
	pattern := "roem:result:1:klaverjas:" + identity.CanonicalIndex + ":*"
	found, _, err := client.Scan(context.Background(), 0, pattern, 1000).Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	var want []string
	for _, rest := range []string{"leaders:rotterdam:moves", "leaders:rotterdam:win", "others:amsterdam+melds=false:value"} {
		want = append(want, fmt.Sprintf("roem:result:1:klaverjas:%s:%s:%s.%d", identity.CanonicalIndex, rest, search.Version, schemaVersion))
	}
	if !slices.Equal(found, want) {
		t.Errorf("%s finds\n%s\nwant\n%s", pattern, strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	for _, key := range found {
		if value, err := client.Get(context.Background(), key).Result(); err != nil || value == "" {
			t.Errorf("%s: %q, %v", key, value, err)
		}
	}

	// Another process finds them, for the same deal under other names.
	second, err := solvecache.NewRedis(solvecache.RedisOptions{URL: server.URL(), Name: KeyName, Timeout: testkit.Patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Close() })
	other := newGame(t, service.Options{Cache: solvecache.New(second)}, Options{})
	again := solve(t, other, fmt.Sprintf(`"trump": "C", "leader": "N", "deal": %q, "goal": "win"`, identity.CanonicalIndex))
	if again.Source != api.SourceCache {
		t.Errorf("the twin was answered by %s", again.Source)
	}
}

// solve solves a position of the fields.
func solve(t *testing.T, g *Game, fields string) api.KlaverjasSolution {
	t.Helper()
	q, err := ParseSolve(t.Context(), g, []byte("{"+fields+"}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := service.Ask(t.Context(), g.service, q)
	if err != nil {
		t.Fatal(err)
	}
	return g.outSolved(q, answer)
}
