package handlers_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"roem/internal/api"
)

const puzzlesPath = "/v1/klaverjas/puzzles"

// tried is a request to try the cards that follow, at an open puzzle of AD, 8D and JD.
const tried = "GET " + puzzlesPath + "/24kftt/answer?cards="

// listPuzzles returns all pages of a list.
func (s *server) listPuzzles(t *testing.T, query url.Values) (all []api.KlaverjasPuzzleSummary) {
	t.Helper()
	query.Set("limit", "100")
	for {
		page := decodeAs[api.KlaverjasPuzzleList](t, s.get(t, puzzlesPath+"?"+query.Encode()))
		all = append(all, page.Puzzles...)
		if page.NextPageToken == nil {
			if len(all) != page.Total {
				t.Errorf("%v: %d puzzles of %d", query, len(all), page.Total)
			}
			return all
		}
		query.Set("page_token", *page.NextPageToken)
	}
}

// The pages of a list have each puzzle once, those with the most decisions first, and the puzzles of all levels together are all puzzles.
func TestListPuzzles(t *testing.T) {
	s := newServer(t)
	all := s.listPuzzles(t, url.Values{})
	inOrder := func(a, b api.KlaverjasPuzzleSummary) int {
		return cmp.Or(b.Decisions-a.Decisions, strings.Compare(a.Id, b.Id))
	}
	if len(all) != 1000 || !slices.IsSortedFunc(all, inOrder) || all[0].Decisions < 4 || all[400].Decisions < 2 {
		t.Errorf("%d puzzles, the first one with %d decisions", len(all), all[0].Decisions)
	}
	far := func(p api.KlaverjasPuzzleSummary) int { return max(p.Rating-1620, 1620-p.Rating) / 50 }
	near := s.listPuzzles(t, url.Values{"near": {"1620"}})
	if !slices.IsSortedFunc(near, func(a, b api.KlaverjasPuzzleSummary) int { return cmp.Or(far(a)-far(b), inOrder(a, b)) }) ||
		len(near) != len(all) || far(near[0]) > 0 {
		t.Errorf("near 1620 there are %d puzzles, the first one with the rating %d", len(near), near[0].Rating)
	}
	for _, name := range []string{"cards", "level"} {
		of := map[string][]string{"cards": {"open", "hidden"}, "level": {"casual", "strong", "master"}}[name]
		sum := 0
		for _, value := range of {
			some := s.listPuzzles(t, url.Values{name: {value}})
			sum += len(some)
			if len(some) < 60 {
				t.Errorf("only %d puzzles have %s %s", len(some), name, value)
			}
			for _, p := range some {
				if got := map[string]string{"cards": string(p.Cards), "level": string(p.Level)}[name]; got != value {
					t.Errorf("%s of %s is %s", name, p.Id, got)
				}
			}
		}
		if sum != len(all) {
			t.Errorf("the puzzles of all %s are %d", name, sum)
		}
	}
	for _, p := range s.listPuzzles(t, url.Values{"theme": {"pit"}}) {
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, puzzlesPath+"/"+p.Id+"/solution"))
		if !slices.Contains(solution.Themes, "pit") {
			t.Errorf("the themes of %s are %v", p.Id, solution.Themes)
		}
	}
	page := decodeAs[api.KlaverjasPuzzleList](t, s.get(t, puzzlesPath))
	if len(page.Puzzles) != 20 || page.Total != len(all) {
		t.Errorf("the first page has %d of %d", len(page.Puzzles), page.Total)
	}
}

// puzzles returns the puzzles of a kind, some of them.
func (s *server) puzzles(t *testing.T, cards string, n int) (all []api.KlaverjasPuzzle) {
	t.Helper()
	list := decodeAs[api.KlaverjasPuzzleList](t, s.get(t, fmt.Sprintf("%s?cards=%s&limit=%d", puzzlesPath, cards, n)))
	for _, p := range list.Puzzles {
		all = append(all, decodeAs[api.KlaverjasPuzzle](t, s.get(t, puzzlesPath+"/"+p.Id)))
	}
	return all
}

// The position of an open puzzle is a request for its values, which agree with the solution.
func TestOpenPuzzleIsSolved(t *testing.T) {
	s := newServer(t)
	for _, p := range s.puzzles(t, "open", 5) {
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, puzzlesPath+"/"+p.Id+"/solution"))
		solved := decodeAs[api.KlaverjasSolution](t, s.post(t, "/v1/klaverjas/solve", encoded(t, p.Position, `,"goal":"moves"`)))
		if solved.Moves == nil || len(*solved.Moves) != len(solution.Values) || len(p.Legal) != len(solution.Values) {
			t.Fatalf("%s: %v", p.Id, solved.Moves)
		}
		best := 0
		for _, m := range *solved.Moves {
			i := slices.IndexFunc(solution.Values, func(v api.KlaverjasPuzzleValue) bool { return v.Card == m.Card })
			if i < 0 || solution.Values[i].Outcome != float64(m.Outcome) || solution.Values[i].Line == nil {
				t.Errorf("%s: %s has the outcome %d, and the solution %+v", p.Id, m.Card, m.Outcome, solution.Values)
			}
			if m.Best {
				best++
			}
		}
		if best != 1 || solution.Margin < p.Margin || solution.Card != solution.Values[0].Card || solution.Values[0].Cost != 0 {
			t.Errorf("%s: %d best cards, solution %+v", p.Id, best, solution)
		}
	}
}

// A card of an open puzzle has the reason that the analysis gives it.
func TestOpenPuzzleSaysWhy(t *testing.T) {
	s := newServer(t)
	reasons := 0
	for _, p := range s.puzzles(t, "open", 4) {
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, puzzlesPath+"/"+p.Id+"/solution"))
		for _, v := range solution.Values {
			position := *p.Position
			position.Played = append(slices.Clone(position.Played), v.Card)
			analysis := decodeAs[api.KlaverjasAnalysis](t, s.post(t, "/v1/klaverjas/analyse", encoded(t, &position, "")))
			if got, want := jsonOf(t, v.Reason), jsonOf(t, analysis.Cards[len(p.Position.Played)].Reason); got != want {
				t.Errorf("%s, %s: %s, by the analysis %s", p.Id, v.Card, got, want)
			}
			if v.Reason != nil {
				reasons++
			}
			if v.Lines != nil || v.Evidence != nil {
				t.Errorf("%s, %s has %v and %v", p.Id, v.Card, v.Lines, v.Evidence)
			}
		}
	}
	if reasons < 4 {
		t.Errorf("%d reasons", reasons)
	}
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A card of a hidden puzzle has the lines of one deal. Its reason says in how many of the possible deals it applies, and of which deal the
// lines are.
func TestHiddenPuzzleSaysWhy(t *testing.T) {
	s := newServer(t)
	played, possible := 0, 0
	for _, p := range s.puzzles(t, "hidden", 12) {
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, puzzlesPath+"/"+p.Id+"/solution"))
		for i, v := range solution.Values {
			if (v.Lines == nil) != (v.Evidence == nil) || v.Reason != nil && v.Lines == nil || i == 0 && v.Lines != nil {
				t.Fatalf("%s, %s: %+v", p.Id, v.Card, v)
			}
			if v.Lines == nil {
				continue
			}
			if v.Lines.Played[0] != v.Card || v.Lines.Best[0] != solution.Card || len(v.Lines.Best)+len(p.View.Played) != 32 {
				t.Errorf("%s, %s: the lines are %v", p.Id, v.Card, v.Lines)
			}
			if (v.Reason != nil) != (v.Evidence.Applies > 0) {
				t.Errorf("%s, %s: %v applies in %d deals", p.Id, v.Card, v.Reason, v.Evidence.Applies)
			}
			if v.Reason == nil {
				continue
			}
			of := "In the deal that was played: "
			if v.Evidence.Hands == nil {
				played++
			} else {
				possible++
				of = "One of these deals: "
			}
			share := fmt.Sprintf("In %d of %d possible deals, ", v.Evidence.Applies, v.Evidence.Worlds)
			if !strings.HasPrefix(v.Reason.Text, share) || !strings.Contains(v.Reason.Text, of) {
				t.Errorf("%s, %s: %s", p.Id, v.Card, v.Reason.Text)
			}
		}
	}
	if played == 0 || possible == 0 {
		t.Errorf("%d reasons are of the deal that was played, %d of others", played, possible)
	}
}

// A hidden puzzle has no card that its seat has not seen; its view is a request for the knowledge of the seat.
func TestHiddenPuzzleHidesCards(t *testing.T) {
	s := newServer(t)
	for _, p := range s.puzzles(t, "hidden", 20) {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, puzzlesPath+"/"+p.Id+"/solution"))
		hides(t, &p, &solution, p.View.Played, string(text))
		status(t, s.post(t, "/v1/klaverjas/knowledge", encoded(t, p.View, "")), 200)
		if p.Position != nil || solution.Worlds == nil || solution.Seed == nil || solution.Values[0].WinProbability == nil ||
			solution.Margin < p.Margin {
			t.Errorf("%s: %+v", p.Id, solution)
		}
	}
}

// The cards of a puzzle are tried one by one, with a wrong one before each right one. After a right one the others have played up to the
// next decision of the solution, and no answer has a card of a hidden puzzle that was not played.
func TestPuzzleAnswer(t *testing.T) {
	s := newServer(t)
	for _, p := range slices.Concat(s.puzzles(t, "open", 6), s.puzzles(t, "hidden", 6)) {
		path := puzzlesPath + "/" + p.Id
		solution := decodeAs[api.KlaverjasPuzzleSolution](t, s.get(t, path+"/solution"))
		decisions := slices.Insert(slices.Clone(solution.Later), 0, api.KlaverjasPuzzleDecision{
			Played: playedIn(&p), Card: solution.Card, Values: solution.Values,
		})
		if len(decisions) != p.Decisions || p.Decisions < 2 {
			t.Errorf("%s has %d decisions, its solution %d", p.Id, p.Decisions, len(decisions))
		}
		var tried []string
		for i, d := range decisions {
			for _, card := range []string{d.Values[1].Card, d.Card} {
				tried = append(tried, card)
				w := s.get(t, path+"/answer?cards="+strings.Join(tried, ","))
				answer := decodeAs[api.KlaverjasPuzzleAnswer](t, w)
				last := answer.Tried[len(tried)-1]
				if last.Card != card || last.Decision != i+1 || last.Holds != (card == d.Card) {
					t.Errorf("%s, %v: %+v", p.Id, tried, last)
				}
				over := last.Holds && i+1 == len(decisions)
				played := slices.Concat(d.Played, []string{card})
				if !last.Holds {
					played = d.Played
				} else if !over {
					played = decisions[i+1].Played
				}
				if answer.Over != over || !slices.Equal(answer.Played, played) || over != (len(answer.Legal) == 0) {
					t.Errorf("%s, %v: %+v, want %v", p.Id, tried, answer, played)
				}
				hides(t, &p, &solution, answer.Played, w.Body.String())
			}
		}
	}
}

func playedIn(p *api.KlaverjasPuzzle) api.Cards {
	if p.View != nil {
		return p.View.Played
	}
	return p.Position.Played
}

// hides checks that an answer has no card of a hidden puzzle that its seat has not seen.
func hides(t *testing.T, p *api.KlaverjasPuzzle, s *api.KlaverjasPuzzleSolution, played api.Cards, text string) {
	t.Helper()
	if p.View == nil {
		return
	}
	seen := slices.Concat(p.View.Hand, played)
	for _, card := range slices.Concat(s.Hands.N, s.Hands.E, s.Hands.S, s.Hands.W) {
		if !slices.Contains(seen, card) && strings.Contains(text, `"`+card+`"`) {
			t.Errorf("%s has %s, which is hidden: %s", p.Id, card, text)
		}
	}
}

// A client keeps puzzles by their ETag; a new version of the program has others.
func TestPuzzleIsCached(t *testing.T) {
	s := newServer(t)
	id := s.puzzles(t, "open", 1)[0].Id
	for _, target := range []string{
		puzzlesPath, puzzlesPath + "/" + id, puzzlesPath + "/" + id + "/solution", strings.TrimPrefix(tried, "GET ") + "8D",
		"/v1/klaverjas/deals/7",
	} {
		w := s.get(t, target)
		etag := w.Header().Get("ETag")
		if got := w.Header().Get("Cache-Control"); got != "public, max-age=86400" || etag == "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", target, got, etag)
		}
		for known, want := range map[string]int{etag: 304, `W/"other"`: 200} {
			r := request(http.MethodGet, target, "")
			r.Header.Set("If-None-Match", known)
			if again := s.do(t, r); again.Code != want || want == 304 && again.Body.Len() > 0 {
				t.Errorf("%s with If-None-Match %s: %d", target, known, again.Code)
			}
		}
	}
}

// Each day has its puzzle. Without a day it is the puzzle of today, which no cache keeps for another day.
func TestDailyPuzzle(t *testing.T) {
	s := newServer(t)
	const daily = puzzlesPath + "/daily"
	one, again := s.get(t, daily+"?date=2026-12-05"), s.get(t, daily+"?date=2026-12-05")
	first, other := decodeAs[api.KlaverjasDailyPuzzle](t, one), decodeAs[api.KlaverjasDailyPuzzle](t, s.get(t, daily+"?date=2026-12-06"))
	if one.Body.String() != again.Body.String() || first.Date != "2026-12-05" || first.Puzzle.Id == other.Puzzle.Id {
		t.Errorf("%s, and on the next day %s", one.Body, other.Puzzle.Id)
	}
	today := s.get(t, daily)
	now := decodeAs[api.KlaverjasDailyPuzzle](t, today)
	dated := decodeAs[api.KlaverjasDailyPuzzle](t, s.get(t, daily+"?date="+now.Date))
	if got := today.Header().Get("Cache-Control"); strings.Contains(got, "public") || dated.Puzzle.Id != now.Puzzle.Id {
		t.Errorf("Cache-Control %q, %s on %s, by the day %s", got, now.Puzzle.Id, now.Date, dated.Puzzle.Id)
	}
}

func TestNoSuchPuzzle(t *testing.T) {
	s := newServer(t)
	for _, target := range []string{"/aaaaaa", "/aaaaaa/solution", "/aaaaaa/answer?cards=8D", "/" + strings.Repeat("a", 500)} {
		w := s.get(t, puzzlesPath+target)
		if status(t, w, 404); !strings.Contains(w.Body.String(), "/docs/errors#no-such-puzzle") {
			t.Errorf("%s: %s", target, w.Body)
		}
	}
}
