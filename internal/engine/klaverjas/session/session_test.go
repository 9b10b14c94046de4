package session_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/engine/violation"
	"roem/internal/random"
	service "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/bidadvice"
)

var tools = service.NewTools()

// others lets all players use the same tools, one after the other.
func others() session.Others {
	return session.Others{
		Call: new(bidadvice.Policy).Call,
		Do: func(ctx context.Context, _ int, work func(context.Context, *players.Tools) error) error {
			return work(ctx, tools)
		},
	}
}

// turnOf returns whose turn it is.
func turnOf(s session.Session) piquet.Seat {
	seat, _ := s.Hand().Turn()
	return seat
}

// card plays a card, call makes a call, and claim claims the rest of the hand.
func card(c piquet.Card) session.Act { return session.Act{Action: players.Action{Card: c}} }

func call(c bidding.Call) session.Act {
	return session.Act{Action: players.Action{Kind: players.MakeCall, Call: c}}
}

var claim = session.Act{Action: players.Action{Kind: players.Claim}}

func kind(t *testing.T, name string) players.Kind {
	t.Helper()
	k, err := players.ParseKind(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func rules(s klaverjas.System) klaverjas.RulesJSON {
	return klaverjas.RulesJSON(klaverjas.DefaultRules(s))
}

// setups returns setups of every form, with numbers drawn from the seed.
func setups(t *testing.T, n int, seed uint64) []session.Setup {
	t.Helper()
	rng := random.New(seed)
	kinds := []string{"random", "simple", "logical", "logical:compat", "logical:rules", "policy"}
	out := make([]session.Setup, n)
	for i := range out {
		u := session.Setup{
			Rules: rules(klaverjas.System(i % 2)), Seat: piquet.Seat(random.Below(rng, 4)),
			Terms:   session.Terms{Hands: 1, Secret: [2]uint64{rng.Uint64(), rng.Uint64()}},
			Players: [2]players.Kind{kind(t, kinds[i%len(kinds)]), kind(t, kinds[(i/2)%len(kinds)])},
		}
		if i%8 == 0 {
			u.Hands = 16
		}
		if flow := i % 5; flow > 0 {
			u.Flow = new(bidding.Flow(flow - 1))
			u.Again = *u.Flow == bidding.Turned && i%2 == 0
		} else if i%2 == 0 {
			trump, team := piquet.Suit(random.Below(rng, 4)), piquet.Team(random.Below(rng, 2))
			u.Trump, u.Declarer = &trump, &team
		}
		if i%3 == 0 {
			leader := piquet.Seat(random.Below(rng, 4))
			u.Leader = &leader
		}
		if i%3 == 1 {
			compare := kind(t, kinds[(i/3)%len(kinds)])
			u.Compare = &compare
		}
		if u.Flow == nil && u.Hands == 1 && i%2 == 1 {
			u.Begun = begun(t, rng, klaverjas.Rules(u.Rules))
		}
		out[i] = u
	}
	return out
}

// begun draws a position with 0 to 31 cards played.
func begun(t *testing.T, rng *rand.Rand, rules klaverjas.Rules) *session.Begun {
	t.Helper()
	b := &session.Begun{Deal: klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4))}}
	b.Deal.Hands = index.Random(rng, b.Deal.Trump, b.Deal.Leader)
	p, err := klaverjas.NewPosition(rules, b.Deal)
	for range random.Below(rng, 32) {
		if err != nil {
			t.Fatal(err)
		}
		legal := p.Legal().Slice()
		c := legal[random.Below(rng, uint64(len(legal)))]
		b.Played = append(b.Played, c)
		p, err = p.Play(c)
	}
	return b
}

// act draws a legal act.
func act(rng *rand.Rand, s session.Session) session.Act {
	sight := session.See(s)
	switch sight.State {
	case session.Bidding:
		return call(sight.LegalCalls[random.Below(rng, uint64(len(sight.LegalCalls)))])
	case session.Playing:
		if sight.Settled && random.Below(rng, 2) == 0 {
			return claim
		}
		legal := sight.Legal.Slice()
		return card(legal[random.Below(rng, uint64(len(legal)))])
	case session.HandOver, session.Over:
	}
	return session.Act{Next: true}
}

func begin(t *testing.T, u session.Setup) session.Session {
	t.Helper()
	s, err := session.New(u)
	if err == nil {
		s, err = s.Advance(t.Context(), others().Choose)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t *testing.T, s session.Session, a session.Act) session.Session {
	t.Helper()
	next, err := s.Do(a)
	if err == nil {
		next, err = next.Advance(t.Context(), others().Choose)
	}
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// diff returns how sights, or lists of acts or sights, differ. Most are equal, and cmp takes long to see that.
func diff(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.EquateEmpty())
}

// Over hundreds of sessions of all forms, played by a random legal client: every hand ends, its result agrees with the engine, the totals
// are the sums, and what is stored at any time is the whole session.
func TestSessionsEnd(t *testing.T) {
	hands := 0
	for i, u := range setups(t, 300, 1) {
		rng := random.New(uint64(i))
		s := begin(t, u)
		acts := 0
		for s.State() != session.Over {
			if got := len(s.Acts()); got != acts {
				t.Fatalf("session %d: %d acts, want %d", i, got, acts)
			}
			if !s.Waits() {
				t.Fatalf("session %d does not wait for its seat", i)
			}
			if state := s.State(); state != session.HandOver && turnOf(s) != u.Seat {
				t.Fatalf("session %d: it is the turn of %s, want %s", i, turnOf(s), u.Seat)
			}
			checkStored(t, s)
			s = do(t, s, act(rng, s))
			acts++
		}
		checkResults(t, s)
		hands += len(s.Hands())
	}
	t.Logf("%d hands", hands)
}

// checkStored checks that the bytes of a session are the whole session.
func checkStored(t *testing.T, s session.Session) {
	t.Helper()
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 6<<10 {
		t.Errorf("a session takes %d bytes", len(text))
	}
	again, err := session.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff(session.See(s), session.See(again)); diff != "" {
		t.Fatalf("another session after Decode (-want +got)\n%s", diff)
	}
	if diff := diff(s.Acts(), again.Acts()); diff != "" {
		t.Fatalf("other acts after Decode (-want +got)\n%s", diff)
	}
}

// checkResults compares the results of a session that is over with the engine: the hands are played again from what was revealed and said.
func checkResults(t *testing.T, s session.Session) {
	t.Helper()
	u, sight := s.Match(), session.See(s)
	if len(sight.Results) != u.Hands || s.Number() != u.Hands {
		t.Fatalf("%d results of %d hands", len(sight.Results), u.Hands)
	}
	var totals [2]int
	for n, r := range sight.Results {
		d, played := r.Deal(), r.Played()
		if len(played) != piquet.Deck.Len() {
			t.Fatalf("hand %d has %d cards", n, len(played))
		}
		var hands [4]piquet.Set // as the cards played tell
		leader := d.Leader
		trick := klaverjas.Trick{Leader: leader, Winner: leader}
		for _, c := range played {
			hands[trick.Turn()] = hands[trick.Turn()].With(c)
			if trick = trick.With(c, d.Trump); trick.Len == 4 {
				trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
			}
		}
		p, err := klaverjas.NewPosition(klaverjas.Rules(u.Rules), klaverjas.Deal{
			Trump: d.Trump, Leader: leader, Declarer: d.Declarer, Hands: hands,
		})
		if err == nil {
			p, err = p.Replay(played)
		}
		if err != nil {
			t.Fatalf("hand %d: %v", n, err)
		}
		if (r.Again != nil) != (u.Compare != nil) {
			t.Errorf("hand %d was compared: %v", n, r.Again)
		}
		if p != r.Position() {
			t.Fatalf("hand %d: another end: %+v, want %+v", n, r.Position(), p)
		}
		if by := r.By(); (by != nil) != (u.Flow != nil) || by != nil && by.Team() != d.Declarer {
			t.Errorf("hand %d is declared by %v of %s", n, by, d.Declarer)
		}
		for team, points := range players.Sheet(p) {
			totals[team] += points
		}
	}
	if totals != sight.Totals {
		t.Errorf("the totals are %v, want %v", sight.Totals, totals)
	}
}

// What the seat may see does not depend on the hidden cards: with the same calls and cards played, any other hands of the others that fit
// give the same sight. Revealed, which has the hands, is there only when the hand is over.
func TestSightHidesTheHands(t *testing.T) {
	views := 0
	for i, u := range setups(t, 100, 2) {
		rng := random.New(uint64(i), 1)
		for s := begin(t, u); s.State() != session.Over; s = do(t, s, act(rng, s)) {
			sight := session.See(s)
			if state := s.State(); (sight.Revealed != nil) != (state == session.HandOver) {
				t.Fatalf("revealed %v in the state %s", sight.Revealed, state)
			}
			if sight.Revealed != nil {
				continue
			}
			for range 3 {
				other, err := session.WithHands(s, redealt(t, rng, s))
				if err != nil {
					t.Fatal(err)
				}
				if diff := diff(sight, session.See(other)); diff != "" {
					t.Fatalf("session %d: the sight depends on hidden cards (-one +other)\n%s", i, diff)
				}
				views++
			}
		}
	}
	t.Logf("%d views", views)
}

// redealt draws other hands for the other seats, from which the cards played were legal.
func redealt(t *testing.T, rng *rand.Rand, s session.Session) [4]piquet.Set {
	t.Helper()
	seat, sight := s.Seat(), session.See(s)
	hands := s.Hand().Deal().Hands
	if !sight.View.Decided {
		hidden := (piquet.Deck &^ hands[seat]).Slice()
		random.Shuffle(rng, hidden)
		for n, other := range []piquet.Seat{seat.Plus(1), seat.Plus(2), seat.Plus(3)} {
			hands[other] = piquet.SetOf(hidden[8*n : 8*n+8]...)
		}
		return hands
	}
	k, err := worlds.New(sight.View.View)
	if err != nil {
		t.Fatal(err)
	}
	world := k.Sample(rng)
	dealt := [4]piquet.Set(world)
	trick := klaverjas.Trick{Leader: sight.View.Leader, Winner: sight.View.Leader}
	for _, c := range sight.View.Played {
		dealt[trick.Turn()] = dealt[trick.Turn()].With(c)
		if trick = trick.With(c, sight.View.Trump); trick.Len == 4 {
			trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
		}
	}
	if dealt[seat] != hands[seat] {
		t.Fatalf("the world gives the seat %s, want %s", dealt[seat], hands[seat])
	}
	return dealt
}

// Every card and call that is not legal is refused and changes nothing, and the error names no holder of a card.
func TestIllegalActs(t *testing.T) {
	refused := 0
	for i, u := range setups(t, 40, 3) {
		u.Hands = 1
		rng := random.New(uint64(i), 2)
		for s := begin(t, u); s.State() != session.Over; s = do(t, s, act(rng, s)) {
			sight := session.See(s)
			for c := range piquet.Deck.All() {
				a := card(c)
				if sight.State == session.Playing && sight.Legal.Has(c) {
					continue
				}
				refused++
				checkRefused(t, s, a)
			}
			for _, c := range []bidding.Call{bidding.Pass, {Declare: true}, {Declare: true, Trump: piquet.Hearts}} {
				if a := call(c); sight.State != session.Bidding || !slices.Contains(sight.LegalCalls, c) {
					refused++
					checkRefused(t, s, a)
				}
			}
			checkRefused(t, s, session.Act{Next: true})
			if !sight.Settled {
				checkRefused(t, s, claim)
			}
		}
	}
	t.Logf("%d acts", refused)
}

func checkRefused(t *testing.T, s session.Session, a session.Act) {
	t.Helper()
	next, err := s.Do(a)
	illegal := errors.As(err, new(violation.Violation))
	switch {
	case !illegal && !errors.As(err, new(*frame.WrongState)) && !errors.Is(err, session.ErrNotSettled):
		t.Fatalf("%+v in the state %s: %v", a, s.State(), err)
	case illegal && s.State() == session.Playing:
		other, e := session.WithHands(s, redealt(t, random.New(7), s))
		if e != nil {
			t.Fatal(e)
		}
		if _, again := other.Do(a); again == nil || again.Error() != err.Error() {
			t.Fatalf("the error depends on hidden cards: %v, or %v", err, again)
		}
	}
	if diff := diff(session.See(s), session.See(next)); diff != "" {
		t.Fatalf("a refused act changed the session\n%s", diff)
	}
}

// The texts of errors.
func TestErrors(t *testing.T) {
	trump, leader := piquet.Hearts, piquet.South
	s := begin(t, session.Setup{
		Rules: rules(klaverjas.Rotterdam), Seat: piquet.South, Terms: session.Terms{Hands: 1, Secret: [2]uint64{5}}, Trump: &trump,
		Leader:  &leader,
		Players: [2]players.Kind{kind(t, "simple"), kind(t, "simple")},
	})
	first := session.See(s).View.Held.First()
	s = do(t, s, card(first))
	other := (piquet.Deck &^ s.Hand().Deal().Hands[piquet.South]).First()
	for want, a := range map[string]session.Act{
		first.String() + " is not legal: it has been played; expected one of ": card(first),
		"a call cannot be made: the session waits for a card":                  call(bidding.Pass),
		"the next hand cannot be dealt: the session waits for a card":          {Next: true},
		"the rest cannot be claimed: what is played may":                       claim,
		other.String() + " is not legal: it is not in your hand":               card(other),
	} {
		if _, err := s.Do(a); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The same setup and acts lead to the same session, also if it is stored and read again before each act.
func TestSessionsRepeat(t *testing.T) {
	for i, u := range setups(t, 30, 4) {
		play := func(store bool) []session.Sight {
			rng := random.New(uint64(i), 3)
			s := begin(t, u)
			sights := []session.Sight{session.See(s)}
			for s.State() != session.Over {
				if store {
					text, err := s.Encode()
					if err != nil {
						t.Fatal(err)
					}
					if s, err = session.Decode(text); err != nil {
						t.Fatal(err)
					}
				}
				s = do(t, s, act(rng, s))
				sights = append(sights, session.See(s))
			}
			return sights
		}
		if diff := diff(play(false), play(true)); diff != "" {
			t.Fatalf("session %d: another course\n%s", i, diff)
		}
	}
}

// An act leaves the session that it begins with as it was, although both share their history.
func TestSessionsAreValues(t *testing.T) {
	u := setups(t, 1, 5)[0]
	rng := random.New(1)
	var sessions []session.Session
	var sights []session.Sight
	for s := begin(t, u); s.State() != session.Over; s = do(t, s, act(rng, s)) {
		sessions, sights = append(sessions, s), append(sights, session.See(s))
		legal := session.See(s).Legal.Slice()
		for _, c := range legal {
			do(t, s, card(c))
		}
	}
	for i, s := range sessions {
		if diff := diff(sights[i], session.See(s)); diff != "" {
			t.Fatalf("session %d has changed\n%s", i, diff)
		}
	}
}

// Over many deals each card is in each hand, each suit is trump and each seat leads, about equally often; and the hands of a session
// differ.
func TestDealsAreUniform(t *testing.T) {
	const n = 4000
	rng := random.New(6)
	var in [32][4]int
	var trumps, leaders [4]int
	for range n {
		u := session.Setup{
			Rules: rules(klaverjas.Rotterdam), Terms: session.Terms{Hands: 16, Secret: [2]uint64{rng.Uint64(), rng.Uint64()}},
			Players: [2]players.Kind{kind(t, "random"), kind(t, "random")},
		}
		s, err := session.New(u)
		if err != nil {
			t.Fatal(err)
		}
		for seat, hand := range s.Hand().Deal().Hands {
			for c := range hand.All() {
				in[c][seat]++
			}
		}
		leaders[session.See(s).View.Leader]++
		trumps[session.See(s).View.Trump]++
	}
	check := func(what string, counts [4]int) {
		for i, got := range counts {
			if got < n/4-140 || got > n/4+140 { // five standard deviations
				t.Errorf("%s: %d of %d have the value %d", what, got, n, i)
			}
		}
	}
	check("trump", trumps)
	check("leader", leaders)
	for c, counts := range in {
		check(fmt.Sprint("the holder of ", piquet.Card(c)), counts)
	}
}

func TestDecodeRefuses(t *testing.T) {
	u := setups(t, 10, 7)[1]
	s := begin(t, u)
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(string) string{
		"not JSON":        func(s string) string { return s[1:] },
		"another version": func(s string) string { return strings.Replace(s, `"v":1`, `"v":2`, 1) },
		"no seat":         func(s string) string { return strings.Replace(s, `"seat":"`, `"seat":"X`, 1) },
		"no player":       func(s string) string { return strings.Replace(s, `"players":["`, `"players":["x`, 1) },
		"no flow":         func(s string) string { return strings.Replace(s, `"flow":"`, `"flow":"x`, 1) },
		"an illegal call": func(s string) string { return strings.Replace(s, `"history":[{`, `"history":[{"calls":"C C",`, 1) },
		"a comparison": func(s string) string {
			return strings.Replace(s, `"history":[{`, `"history":[{"compared":{"played":"7C"},`, 1)
		},
		"a claim": func(s string) string {
			return strings.Replace(s, `"history":[{`, `"history":[{"played":"x","claimed":3,`, 1)
		},
		"a card": func(s string) string { return strings.Replace(s, `"history":[{`, `"history":[{"played":"1H",`, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			damaged := damage(string(text))
			if damaged == string(text) {
				t.Fatalf("nothing is damaged in %s", text)
			}
			if _, err := session.Decode([]byte(damaged)); err == nil {
				t.Errorf("accepted %s", damaged)
			}
		})
	}
}

// A player that fails, and a context that ends, leave the session as it was.
func TestAdvanceFails(t *testing.T) {
	leader := piquet.West
	u := session.Setup{
		Rules: rules(klaverjas.Rotterdam), Seat: piquet.South, Terms: session.Terms{Hands: 1}, Leader: &leader,
		Players: [2]players.Kind{kind(t, "playout:4"), kind(t, "pimc:4")},
	}
	s, err := session.New(u)
	if err != nil {
		t.Fatal(err)
	}
	before := session.See(s)
	failure := errors.New("no slot is free")
	failing := others()
	worlds := 0
	failing.Do = func(_ context.Context, n int, _ func(context.Context, *players.Tools) error) error {
		worlds = n
		return failure
	}
	got, err := s.Advance(t.Context(), failing.Choose)
	if !errors.Is(err, failure) || worlds != 4 {
		t.Errorf("a player without a slot, of %d worlds: %v", worlds, err)
	}
	if diff := diff(before, session.See(got)); diff != "" {
		t.Errorf("the session has changed\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Advance(ctx, others().Choose); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if s, err = s.Advance(t.Context(), others().Choose); err != nil || !s.Waits() {
		t.Errorf("afterwards: %v", err)
	}
}
