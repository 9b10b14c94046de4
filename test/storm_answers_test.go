package test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/piquet"
)

// right returns an error if text is not a correct solution of the deal for the goal.
func (d *stormDeal) right(goal string, text []byte) error {
	var got stormSolution
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	want := d.solution
	switch {
	case got.Goal != goal || got.Won == nil || *got.Won != *want.Won || got.Deal.Index != want.Deal.Index:
		return fmt.Errorf("want goal %s, won %t, deal %s", goal, *want.Won, want.Deal.Index)
	case goal == "win":
		return nil
	case got.Outcome == nil || *got.Outcome != *want.Outcome || len(got.Line) != 32:
		return fmt.Errorf("want the outcome %d and a line of 32 cards", *want.Outcome)
	case goal == "value":
		return nil
	case len(got.Moves) != len(want.Moves):
		return fmt.Errorf("want %d moves", len(want.Moves))
	}
	outcomes := make(map[string]int)
	for _, m := range want.Moves {
		outcomes[m.Card] = m.Outcome
	}
	for _, m := range got.Moves {
		if outcome, ok := outcomes[m.Card]; !ok || outcome != m.Outcome {
			return fmt.Errorf("%s: want the outcome %d", m.Card, outcome)
		}
	}
	return nil
}

var errNotObject = errors.New("not a JSON object, or an empty one")

func isObject(text []byte) error {
	var o map[string]json.RawMessage
	if json.Unmarshal(text, &o) != nil || len(o) == 0 {
		return errNotObject
	}
	return nil
}

// holders is who holds each card, in the order of the cards, as an address of the board has it.
func (d *stormDeal) holders() string {
	var out strings.Builder
	for c := range piquet.Deck.All() {
		for seat, hand := range d.hands {
			if slices.Contains(hand, c.String()) {
				out.WriteString(seat)
			}
		}
	}
	return out.String()
}

// rightPicture returns an error if the text is not a picture of all cards.
func rightPicture(text []byte) error {
	for c := range piquet.Deck.All() {
		if !strings.Contains(string(text), `id="card-`+c.String()+`"`) {
			return fmt.Errorf("the picture has no %s", c)
		}
	}
	return nil
}

// firstAnswers are the answers to requests with a seed, by path and body, without what differs between equal answers.
var firstAnswers sync.Map

// sameAnswer returns the check that all answers to equal requests are equal, from whichever server, by a request or a job.
func sameAnswer(path string, body []byte) func([]byte) error {
	return func(text []byte) error {
		var got map[string]any
		if json.Unmarshal(text, &got) != nil || len(got) == 0 {
			return errNotObject
		}
		withoutEffort(got)
		first, _ := firstAnswers.LoadOrStore(path+" "+string(body), got)
		if diff := cmp.Diff(first, any(got)); diff != "" {
			return fmt.Errorf("another answer than to the equal request before (-first +now)\n%s", diff)
		}
		return nil
	}
}

// withoutEffort removes what an answer cost and where it came from.
func withoutEffort(value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range []string{"stats", "source", "elapsed_us", "mean_us", "p99_us"} {
			delete(v, name)
		}
		for _, inner := range v {
			withoutEffort(inner)
		}
	case []any:
		for _, inner := range v {
			withoutEffort(inner)
		}
	}
}

func rightList(text []byte, deals []stormDeal, right func(d *stormDeal, item []byte) error) error {
	var list struct{ Results []json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list.Results) != len(deals) {
		return fmt.Errorf("%d results of %d", len(list.Results), len(deals))
	}
	for i, item := range list.Results {
		if err := right(&deals[i], item); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

func (d *stormDeal) rightAnalysis(n int, text []byte) error {
	var got struct {
		Before, After *int
		Cards         []struct{ Cost int }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	want := *d.solution.Outcome
	if got.Before == nil || got.After == nil || *got.Before != want || *got.After != want || len(got.Cards) != n {
		return fmt.Errorf("want %d before and after %d cards", want, n)
	}
	for i, card := range got.Cards {
		if card.Cost != 0 {
			return fmt.Errorf("card %d is on the best line but has the cost %d", i, card.Cost)
		}
	}
	return nil
}

func (d *stormDeal) rightTable(text []byte) error {
	var got struct {
		Outcomes map[string]map[string]struct {
			Outcome int
			Won     bool
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	entries := 0
	for _, row := range got.Outcomes {
		for _, entry := range row {
			if entries++; entry.Won != (entry.Outcome > 0) {
				return fmt.Errorf("the outcome %d has won %t", entry.Outcome, entry.Won)
			}
		}
	}
	if one := got.Outcomes[stormTrump][stormTeam]; entries != 8 || one.Outcome != *d.solution.Outcome {
		return fmt.Errorf("want 8 entries, and the outcome %d", *d.solution.Outcome)
	}
	return nil
}

// rightAdvice says what is wrong with advice to the leader of the deal. Every advice must be equal to the first.
func (d *stormDeal) rightAdvice(text []byte) error {
	var got struct {
		Card  string
		Cards []struct {
			Card   string
			BestIn float64 `json:"best_in"`
			Cost   float64
		}
		Worlds struct{ Used int }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if got.Worlds.Used != stormWorlds || len(got.Cards) != len(d.hands[stormLeader]) || got.Card != got.Cards[0].Card ||
		got.Cards[0].Cost != 0 {
		return fmt.Errorf("want %d worlds, every card of the hand, and the best first", stormWorlds)
	}
	now := fmt.Sprintf("%+v", got)
	if !d.advice.CompareAndSwap(nil, &now) && *d.advice.Load() != now {
		return fmt.Errorf("want the first advice, %s", *d.advice.Load())
	}
	return nil
}

// rightReview says what is wrong with a review of the leader's first card of the best line. Every review must be equal to the first.
func (d *stormDeal) rightReview(text []byte) error {
	var got struct {
		Cards []struct {
			Card      string
			Verdict   string
			Open      struct{ Cost *int }
			Knowledge struct {
				Cost    *float64
				Advised string
				Worlds  struct{ Used int }
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Cards) != 1 || got.Cards[0].Card != d.solution.Line[0] {
		return fmt.Errorf("want one card, %s", d.solution.Line[0])
	}
	card := got.Cards[0]
	if card.Open.Cost == nil || *card.Open.Cost != 0 || card.Knowledge.Cost == nil || card.Knowledge.Worlds.Used != stormWorlds {
		return fmt.Errorf("want no cost with open cards, and one over %d worlds", stormWorlds)
	}
	now := fmt.Sprint(card.Card, card.Verdict, *card.Knowledge.Cost, card.Knowledge.Advised)
	if !d.review.CompareAndSwap(nil, &now) && *d.review.Load() != now {
		return fmt.Errorf("want the first review, %s", *d.review.Load())
	}
	return nil
}

func (d *stormDeal) rightLegal(text []byte) error {
	var got struct{ Legal []string }
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	slices.Sort(got.Legal)
	if want := slices.Sorted(slices.Values(d.hands[stormLeader])); !slices.Equal(got.Legal, want) {
		return fmt.Errorf("want %v", want)
	}
	return nil
}

// The best line ends with the outcome of the solution.
func (d *stormDeal) rightScore(text []byte) error {
	var got struct {
		Outcome   *int
		Completed []struct{ Winner string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if got.Outcome == nil || *got.Outcome != *d.solution.Outcome || len(got.Completed) != 8 {
		return fmt.Errorf("want the outcome %d after 8 tricks", *d.solution.Outcome)
	}
	return nil
}

func (d *stormDeal) rightPrediction(text []byte) error {
	var got struct {
		Probability *float64 `json:"win_probability"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if got.Probability == nil || *got.Probability != d.predict {
		return fmt.Errorf("want the probability %v", d.predict)
	}
	return nil
}

// strengthRequest returns a request for the strength of the leader's hand.
func (d *stormDeal) strengthRequest() map[string]any {
	return map[string]any{
		"hand": d.hands[stormLeader], "seat": stormLeader, "leader": stormLeader, "trump": stormTrump, "method": "exact", "precision": 8,
		"seed": "1",
	}
}

// rightStrength says what is wrong with the strength of the leader's hand. The same request has the same answer each time.
func (d *stormDeal) rightStrength(text []byte) error {
	var got struct {
		Trumps []struct {
			Trump       string
			Probability *float64 `json:"win_probability"`
			Outcome     struct{ Mean float64 }
			Method      string
			Worlds      int
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Trumps) != 1 || got.Trumps[0].Trump != stormTrump || got.Trumps[0].Probability == nil || got.Trumps[0].Method != "exact" {
		return errors.New("want the exact strength for one trump")
	}
	answer := fmt.Sprintf("%+v %v", got.Trumps[0].Outcome, []any{*got.Trumps[0].Probability, got.Trumps[0].Worlds})
	if !d.strength.CompareAndSwap(nil, &answer) && *d.strength.Load() != answer {
		return fmt.Errorf("want %s as in another answer to the same request", *d.strength.Load())
	}
	return nil
}

// bidRequest returns a request for the first call, of the leader's hand.
func (d *stormDeal) bidRequest() map[string]any {
	return map[string]any{
		"flow": "official", "dealer": stormLeader, "calls": []string{}, "hand": d.hands[stormLeader], "seed": "1",
	}
}

// rightBid says what is wrong with the advice on the call of the leader. The same request has the same answer each time.
func (d *stormDeal) rightBid(text []byte) error {
	var got struct {
		Call   string
		Value  float64
		Trumps []struct {
			Trump string
			Value float64
		}
		Pass *struct{ Value float64 }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	// The call follows from the values in the answer, as the contract says: among equal ones the trump.
	if len(got.Trumps) != 4 || got.Pass == nil || (got.Call == "pass") != (got.Pass.Value > got.Trumps[0].Value) {
		return errors.New("want four trumps, a pass, and the better of them")
	}
	answer := fmt.Sprintf("%s %v %+v", got.Call, got.Value, got.Trumps)
	if !d.bid.CompareAndSwap(nil, &answer) && *d.bid.Load() != answer {
		return fmt.Errorf("want %s as in another answer to the same request", *d.bid.Load())
	}
	return nil
}

// playRequest returns a request for the hand as two kinds of players play it.
func (d *stormDeal) playRequest() map[string]any {
	return map[string]any{
		"trump": d.position["trump"], "leader": d.position["leader"], "hands": d.hands, "possibles": "rules", "seed": "1",
		"players": map[string]string{"N": "logical", "E": "playout:4", "S": "policy", "W": "simple"},
	}
}

// rightPlay says what is wrong with a hand that was played. The same request has the same answer each time.
func (d *stormDeal) rightPlay(text []byte) error {
	var got struct {
		Hands []struct {
			Played []struct {
				Seat, Card string
				Thoughts   []string
				Possibles  struct {
					Seats map[string]struct{ Pairs int }
				}
			}
			Outcome int
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Hands) != 1 || len(got.Hands[0].Played) != 32 {
		return errors.New("want one hand of 32 cards")
	}
	for _, c := range got.Hands[0].Played {
		if !slices.Contains(d.hands[c.Seat], c.Card) || len(c.Thoughts) == 0 || len(c.Possibles.Seats) != 4 {
			return fmt.Errorf("the card %+v of a seat that does not hold it, or without a thought", c)
		}
	}
	answer := fmt.Sprintf("%+v", got)
	if !d.play.CompareAndSwap(nil, &answer) && *d.play.Load() != answer {
		return fmt.Errorf("want %s as in another answer to the same request", *d.play.Load())
	}
	return nil
}

// stormMatchDeals is how many deals a match has.
const stormMatchDeals = 3

// matchRequest returns a request for a match between players that search nothing. Its deals come from a seed, not from the deal.
func (d *stormDeal) matchRequest() map[string]any {
	return map[string]any{"a": "simple", "b": "logical", "deals": stormMatchDeals, "seed": d.solution.Deal.Index}
}

// rightMatch returns an error if the result of the match is wrong. The same request has the same result each time.
func (d *stormDeal) rightMatch(text []byte) error {
	var got struct {
		A, B              struct{ Points, Melds float64 }
		Deals, Hands      int
		Won, Tied, Lost   int
		Seed              string
		Difference, Share struct{ Mean float64 }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if got.Deals != stormMatchDeals || got.Hands != 2*stormMatchDeals || got.Won+got.Tied+got.Lost != got.Deals ||
		got.Seed != d.solution.Deal.Index {
		return fmt.Errorf("want a match of %d deals with the seed %s", stormMatchDeals, d.solution.Deal.Index)
	}
	answer := fmt.Sprintf("%+v", got)
	if !d.match.CompareAndSwap(nil, &answer) && *d.match.Load() != answer {
		return fmt.Errorf("want %s as in another answer to the same request", *d.match.Load())
	}
	return nil
}

func (d *stormDeal) rightHybrid(text []byte) error {
	var got struct {
		Won, Exact *bool
		Route      string
		Stats      struct{ Nodes int64 }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	switch {
	case got.Won == nil || got.Exact == nil || *got.Exact == (got.Route == "model"):
		return errors.New("want the winner, and exact unless the model answered")
	case *got.Exact && *got.Won != *d.solution.Won:
		return fmt.Errorf("want won %t", *d.solution.Won)
	// the progress of an interrupted search can change the prediction
	case !*got.Exact && got.Stats.Nodes == 0 && *got.Won != (d.predict >= 0.5):
		return fmt.Errorf("want the winner with the probability %v", d.predict)
	}
	return nil
}

func (d *stormDeal) rightDeal(text []byte) error {
	var got struct {
		Deal struct{ Index string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if want := d.solution.Deal.Index; got.Deal.Index != want {
		return fmt.Errorf("want the deal %s", want)
	}
	return nil
}

// rightJob returns an error if a job is wrong.
func rightJob(j job, right func([]byte) error, tally *stormTally) error {
	switch {
	case j.ID == "":
		return fmt.Errorf("a job without an id")
	case j.Status == "failed":
		return fmt.Errorf("the job has failed: %s", j.Error)
	case j.Status == "cancelled" && !tally.mayBeCancelled(j.ID):
		return fmt.Errorf("no client has cancelled the job")
	case j.Status == "succeeded":
		return right(j.Result)
	}
	return nil
}

// rightToken returns the check of a token for the events of a job, which keeps their address.
func rightToken(id string, events *string) func([]byte) error {
	return func(text []byte) error {
		var got struct{ Events string }
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		if !strings.HasPrefix(got.Events, strings.ReplaceAll(opJobEvents.path, "{id}", id)+"?") {
			return fmt.Errorf("want the events of the job %s", id)
		}
		*events = got.Events
		return nil
	}
}

// isNothing takes any result.
func isNothing([]byte) error { return nil }

// rightRefined checks a stream of answers: each of them, and that it ends with the reason that there is no better one.
func rightRefined(body []byte, right func([]byte) error) error {
	_, rest, _ := bytes.Cut(body, []byte("event: advice\ndata: ")) // after the time to wait before connecting again
	answers, end, ok := bytes.Cut(rest, []byte("event: finished\ndata: "))
	if !ok || string(bytes.TrimSpace(end)) != `{"reason":"worlds"}` {
		return fmt.Errorf("the stream ends with %.100s", end)
	}
	for answer := range bytes.SplitSeq(answers, []byte("event: advice\ndata: ")) {
		if err := right(bytes.TrimSpace(answer)); err != nil {
			return err
		}
	}
	return nil
}

// rightEvents returns an error if a stream of events that has ended is wrong.
func rightEvents(body []byte, q stormRequest, tally *stormTally) error {
	last, event := "", ""
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		} else if data, ok := strings.CutPrefix(line, "data: "); ok {
			last = event
			var j job
			if err := json.Unmarshal([]byte(data), &j); err != nil {
				return err
			}
			if !strings.Contains(q.target, j.ID) {
				return fmt.Errorf("it is another job")
			}
			if (event == "finished") != j.final() {
				return fmt.Errorf("the event %s of a job that is %s", event, j.Status)
			}
			// Events have a link to the result, not the result.
			if len(j.Result) > 0 {
				return fmt.Errorf("the event %s has the result", event)
			}
			if err := rightJob(j, isNothing, tally); err != nil {
				return err
			}
		}
	}
	if last != "finished" {
		return fmt.Errorf("the stream has ended with the event %q", last)
	}
	return nil
}
