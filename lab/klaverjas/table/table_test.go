package table_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

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

// The map of deals learns from games how often the declarers win them.
func TestFitDeals(t *testing.T) {
	m, e := models(t)
	played := drawn(t, 1200, 5)
	maps, err := table.FitDeals(m, played, func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if bias := biasOf(played, func(p *table.Played) float64 {
		prediction, _ := m.Predict(p.Rules, p.Deal)
		return maps[p.Rules.System].MapOfDeal(&p.Deal).At(handstrength.NumbersOfDeal(prediction)).WinProbability
	}); math.Abs(bias) > 0.001 { // a logistic regression has no bias on its own data
		t.Errorf("bias %v", bias)
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
}

// biasOf returns the mean of probabilities that the declarers win, minus the share of the games that they won.
func biasOf(played []table.Played, of func(*table.Played) float64) (bias float64) {
	for i := range played {
		bias += of(&played[i]) / float64(len(played))
		if played[i].Won() {
			bias -= 1 / float64(len(played))
		}
	}
	return bias
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
