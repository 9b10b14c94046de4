package table_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
	"roem/lab/klaverjas/games"
	"roem/lab/klaverjas/table"
)

func models(t *testing.T) (*deal.Model, *handstrength.Estimator) {
	t.Helper()
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	h, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return m, &handstrength.Estimator{Predictor: m, Distilled: handstrength.OfModel(h)}
}

// bids returns the file of some games.
func bids(t *testing.T, first, n int) []byte {
	t.Helper()
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := table.MakeBids(t.Context(), &out, table.BidSettings{
		Policy: new(bidadvice.Policy), Player: kind, First: first, Games: n, Seed: 5, Tools: new(players.Tools),
	}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A file that was continued is the file that was made at once. What is read is what was played, and a damaged line is an error.
func TestBids(t *testing.T) {
	file := bids(t, 0, 40)
	if diff := cmp.Diff(string(file), string(bids(t, 0, 15))+string(bids(t, 15, 25))); diff != "" {
		t.Errorf("continued: %s", diff)
	}
	all, err := table.ReadBids(bytes.NewReader(file))
	if err != nil || len(all) != 40 {
		t.Fatalf("%d games, %v", len(all), err)
	}
	flows := map[string]bool{}
	for _, g := range all {
		flows[bidadvice.FlowName(g.Auction.Setting())] = true
		by, trump := g.Auction.Result()
		if by.Team() != g.Deal.Declarer || trump != g.Deal.Trump {
			t.Errorf("%s declares with %s, but the deal is %+v", by, trump, g.Deal)
		}
	}
	if len(flows) != 5 {
		t.Errorf("the flows are %v", flows)
	}
	damaged := strings.Replace(string(file), `"outcome":`, `"outcome":1`, 1)
	if _, err := table.ReadBids(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("another outcome than the cards have: %v", err)
	}
	m, e := models(t)
	text, err := table.EvaluateBids(t.Context(), &bidadvice.Advisor{Distilled: e.Distilled, Predictor: m}, all[:4], true, func(int) {})
	if err != nil || !strings.Contains(text, "bid, 4 probabilities") {
		t.Errorf("%v\n%s", err, text)
	}
}

// The map of deals learns from games how often the declarers win them.
func TestFitDeals(t *testing.T) {
	m, e := models(t)
	auctioned, err := table.ReadBids(bytes.NewReader(bids(t, 100, 1200)))
	if err != nil {
		t.Fatal(err)
	}
	played := make([]table.Played, len(auctioned))
	for i := range auctioned {
		played[i] = auctioned[i].Played
	}
	maps, err := table.FitDeals(m, played, func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	var score table.Score
	for i := range played {
		p := &played[i]
		prediction, _ := m.Predict(p.Rules, p.Deal)
		score.AddTo(i, maps[p.Rules.System].MapOfDeal(&p.Deal).At(handstrength.NumbersOfDeal(prediction)).WinProbability, p.Won())
	}
	if math.Abs(score.Bias()) > 0.001 || score.ECE() > 0.06 { // a logistic regression has no bias on its own data
		t.Error(score.String())
	}
	if err := table.FitHands(e, drawn(t, 2000, 7), maps); err != nil {
		t.Fatal(err)
	}
	for system, one := range maps {
		if one.Hand[0][0] == (handstrength.TableMap{}) || one.Hand[1][3] == (handstrength.TableMap{}) {
			t.Errorf("%s: no map of hands", system)
		}
	}
}

// drawn returns games of simple players.
func drawn(t *testing.T, n int, seed uint64) []table.Played {
	t.Helper()
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := games.Make(t.Context(), &file, games.Settings{
		Player: kind, Games: n, Seed: seed, Workers: 1, Tools: func() *players.Tools { return new(players.Tools) }, Progress: func(int) {},
	}); err != nil {
		t.Fatal(err)
	}
	rows, err := games.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Of(rows, seed+1); err == nil || !strings.Contains(err.Error(), "was not made with seed") {
		t.Errorf("another seed: %v", err)
	}
	played, err := table.Of(rows, seed)
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// The map of hands has no bias on the games that it was fitted to, and only the hands count from which nothing follows about the other
// hands.
func TestFitHands(t *testing.T) {
	m, e := models(t)
	played := drawn(t, 2000, 7)
	maps, err := table.FitDeals(m, played, func(int) bool { return true })
	if err == nil {
		err = table.FitHands(e, played, maps)
	}
	if err != nil {
		t.Fatal(err)
	}
	hands := 0
	for i := range played {
		n := len(played[i].Seats())
		if want := map[bool]int{true: 1, false: 4}[played[i].Drawn.Named]; n != want {
			t.Fatalf("game %d: %d seats, want %d", i, n, want)
		}
		hands += n
	}
	text, err := table.EvaluateHands(e, maps, played)
	if err != nil || !strings.Contains(text, fmt.Sprintf("table, %d probabilities", hands)) || !strings.Contains(text, "slope 1.0") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestScore(t *testing.T) {
	var s table.Score
	for i := range 100 { // 20 of 50 won at 0.3, and 40 of 50 at 0.8
		s.AddTo(i, 0.3, i%5 < 2)
		s.AddTo(i, 0.8, i%5 < 4)
	}
	if e := s.ECE(); math.Abs(e-0.05) > 1e-9 {
		t.Errorf("ECE %v, want 0.05", e)
	}
	if b := s.Bias(); math.Abs(b+0.05) > 1e-9 {
		t.Errorf("bias %v, want -0.05", b)
	}
	if want := (0.3*0.3*60 + 0.7*0.7*40 + 0.2*0.2*80 + 0.8*0.8*20) / 200; math.Abs(s.Brier()-want) > 1e-9 {
		t.Errorf("Brier %v, want %v", s.Brier(), want)
	}
	if !strings.Contains(s.Reliability(), "| 30–40 % | 100 | 30.0 % | 40.0 % (30.9 to 49.8) |") {
		t.Error(s.Reliability())
	}
}

// The sums over suits are near the table model, and thresholds lie between their limits.
func TestFitWorths(t *testing.T) {
	m, e := models(t)
	rules := klaverjas.DefaultRules(klaverjas.Amsterdam)
	worths, rmse, err := table.FitWorths(e, rules, 1500, 1)
	if err != nil || rmse > 10 {
		t.Fatalf("%v, root mean square error %v", err, rmse)
	}
	policy := &bidadvice.Policy{Worths: map[string]*bidadvice.Worths{"amsterdam": worths}, Thresholds: bidadvice.AllThresholds{}}
	if err := table.FitThresholds(m, policy, rules, table.Settings()[0], table.ThresholdOptions{Rounds: 2, Hands: 60, Deals: 600, Seed: 1},
		func(bidadvice.Thresholds) {}); err != nil {
		t.Fatal(err)
	}
	free := policy.Thresholds["amsterdam"]["free"]
	if len(free) != 4 || free[3] <= free[1] {
		t.Errorf("%v: the fourth player has more to lose by declaring than the second", free)
	}
}
