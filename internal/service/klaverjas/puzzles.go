package klaverjas

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// The number of puzzles on a page.
const (
	usualPage = "20"
	mostPage  = 100
)

// mostRating is the highest rating near which puzzles are listed.
const mostRating = 4000

// Puzzles lists a page of puzzles.
func (g *Game) Puzzles(in api.KlaverjasPuzzlesParams) (api.KlaverjasPuzzleList, error) {
	out := api.KlaverjasPuzzleList{Puzzles: []api.KlaverjasPuzzleSummary{}, Version: g.service.Version()}
	all, err := puzzles.All()
	if err != nil {
		return out, err
	}
	var vs service.Problems
	cards := oneOf(&vs, "cards", in.Cards, puzzles.Kinds())
	level := oneOf(&vs, "level", in.Level, puzzles.Levels())
	theme := oneOf(&vs, "theme", in.Theme, puzzles.ThemeNames())
	limit, err := number(service.Or(in.Limit, usualPage), 1, mostPage)
	vs.AddIn("limit", err)
	order := listed(nil)
	if in.Near != nil {
		near, err := number(*in.Near, 0, mostRating)
		vs.AddIn("near", err)
		order = listed(&near)
	}
	after := service.Or(in.PageToken, "")
	last, known := all.Find(after)
	if !known && after != "" {
		vs.AddIn("page_token", violation.New(violation.WrongForm, "is not the next_page_token of a page").Of(after))
	}
	if err := vs.Err(); err != nil {
		return out, err
	}
	chosen := slices.DeleteFunc(slices.Clone(all.Puzzles), func(p *puzzles.Puzzle) bool {
		return cards != "" && p.Kind() != cards || level != "" && puzzles.Levels()[p.Level()] != level || theme != "" && !p.Has(theme)
	})
	slices.SortFunc(chosen, order)
	out.Total = len(chosen)
	if last != nil {
		i, found := slices.BinarySearchFunc(chosen, last, order)
		if found {
			i++
		}
		chosen = chosen[i:]
	}
	if len(chosen) > limit {
		chosen = chosen[:limit]
		out.NextPageToken = &chosen[limit-1].ID
	}
	for _, p := range chosen {
		out.Puzzles = append(out.Puzzles, api.KlaverjasPuzzleSummary{
			Id: p.ID, Cards: kindOf(p), Level: levelOf(p), Rating: p.Rating(), Decisions: len(p.Decisions()),
		})
	}
	return out, nil
}

// listed returns the order of a list: the puzzles with ratings near to one first, if it is not nil, and of those the puzzles with the most
// decisions.
func listed(near *int) func(a, b *puzzles.Puzzle) int {
	const step = 50 // ratings that differ by less are equally near
	far := func(p *puzzles.Puzzle) int {
		if near == nil {
			return 0
		}
		return max(p.Rating()-*near, *near-p.Rating()) / step
	}
	return func(a, b *puzzles.Puzzle) int {
		return cmp.Or(far(a)-far(b), len(b.Later)-len(a.Later), strings.Compare(a.ID, b.ID))
	}
}

// oneOf returns a parameter that is one of some words, or nothing if it is absent.
func oneOf[S ~string](vs *service.Problems, name string, text *S, words []string) string {
	if text == nil {
		return ""
	}
	if !slices.Contains(words, string(*text)) {
		vs.AddIn(name, violation.Word(string(*text), words...))
	}
	return string(*text)
}

// number reads a number in a parameter.
func number(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || !service.Decimal(text) {
		return 0, violation.New(violation.WrongForm, "%.20q is not a number: expected %d to %d", text, least, most).Of(text)
	}
	if n < least {
		return 0, violation.New(violation.TooSmall, "is %d: expected %d to %d", n, least, most).Of(n).Between(least, most)
	}
	if n > most {
		return 0, violation.New(violation.TooLarge, "is %d: expected %d to %d", n, least, most).Of(n).Between(least, most)
	}
	return n, nil
}

// DailyPuzzle returns the puzzle of a day.
func (g *Game) DailyPuzzle(in api.KlaverjasDailyPuzzleParams) (out api.KlaverjasDailyPuzzle, err error) {
	all, err := puzzles.All()
	if err != nil {
		return out, err
	}
	day := time.Now().UTC()
	if in.Date != nil {
		var vs service.Problems
		day, err = dayOf(*in.Date)
		vs.AddIn("date", err)
		if err := vs.Err(); err != nil {
			return out, err
		}
	}
	out.Date = day.Format(time.DateOnly)
	out.Puzzle, err = g.outPuzzle(all.Daily(day))
	return out, err
}

// dayOf reads a day.
func dayOf(text string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Unix() < 0 {
		return day, violation.New(violation.WrongForm, "%.20q is not a day: expected one from 1970-01-01 to 9999-12-31", text).Of(text)
	}
	return day, nil
}

// puzzle returns the puzzle of an id.
func puzzle(id string) (*puzzles.Puzzle, error) {
	all, err := puzzles.All()
	if err != nil {
		return nil, err
	}
	p, ok := all.Find(id)
	if !ok {
		return nil, &service.Error{Kind: service.NoSuchPuzzle, Detail: "There is no puzzle with this id."}
	}
	return p, nil
}

// Puzzle returns a puzzle without its solution.
func (g *Game) Puzzle(in PuzzleParams) (api.KlaverjasPuzzle, error) {
	p, err := puzzle(in.ID)
	if err != nil {
		return api.KlaverjasPuzzle{}, err
	}
	return g.outPuzzle(p)
}

// PuzzleParams names a puzzle.
type PuzzleParams struct {
	ID string `json:"id"`
}

// outPuzzle returns a puzzle. Nothing of a hidden one is taken from the cards that the seat has not seen.
func (g *Game) outPuzzle(p *puzzles.Puzzle) (out api.KlaverjasPuzzle, err error) {
	at, err := p.Position()
	if err != nil {
		return out, err
	}
	trump, leader := api.Suit(p.Deal.Trump.String()), *outSeat(p.Deal.Leader)
	declarer, played := api.KlaverjasTeam(p.Deal.Declarer.String()), outCards(p.Played)
	out = api.KlaverjasPuzzle{
		Id: p.ID, Cards: kindOf(p), Level: levelOf(p), Rating: p.Rating(), Decisions: len(p.Decisions()), Margin: p.Least(),
		Seat: *outSeat(at.Turn()), Legal: outCards(at.Legal().Slice()), Version: g.service.Version(),
	}
	if p.Hidden {
		out.View = &api.KlaverjasPuzzleView{
			Rules: outRules(p.Rules), Trump: trump, Leader: leader, Declarer: declarer, Seat: out.Seat,
			Hand: outCards(p.Deal.Hands[at.Turn()].Slice()), Played: played,
		}
		return out, nil
	}
	out.Position = &api.KlaverjasPuzzlePosition{
		Rules: outRules(p.Rules), Trump: trump, Leader: leader, Declarer: declarer, Hands: dealtHands(p), Played: played,
	}
	return out, nil
}

// PuzzleSolution returns the solution of a puzzle.
func (g *Game) PuzzleSolution(in PuzzleParams) (out api.KlaverjasPuzzleSolution, err error) {
	p, err := puzzle(in.ID)
	if err != nil {
		return out, err
	}
	first, err := outDecision(p)
	if err != nil {
		return out, err
	}
	out = api.KlaverjasPuzzleSolution{
		Id: p.ID, Cards: kindOf(p), Level: levelOf(p), Rating: p.Rating(), Themes: first.Themes, Card: first.Card, Margin: first.Margin,
		Values: first.Values, Worlds: first.Worlds, Seed: first.Seed, Later: []api.KlaverjasPuzzleDecision{}, Hands: dealtHands(p),
		Version: g.service.Version(),
	}
	for _, d := range p.Later {
		later, err := outDecision(d)
		if err != nil {
			return out, err
		}
		out.Later = append(out.Later, later)
	}
	for i, grade := range p.Grades {
		out.Grades = append(out.Grades, api.KlaverjasPuzzleGrade{
			Level: api.KlaverjasLevel(Levels()[i]), Players: grade.Players, Found: grade.Found,
		})
	}
	return out, nil
}

// outDecision returns a decision of a puzzle with its solution.
func outDecision(d *puzzles.Puzzle) (out api.KlaverjasPuzzleDecision, err error) {
	out = api.KlaverjasPuzzleDecision{
		Played: outCards(d.Played), Themes: []api.KlaverjasPuzzleTheme{}, Card: d.Values[0].Card.String(),
		Margin: service.Rounded(d.Margin(), pointDigits),
	}
	for _, theme := range d.Themes {
		out.Themes = append(out.Themes, api.KlaverjasPuzzleTheme(theme.String()))
	}
	if d.Hidden {
		out.Seed = new(strconv.FormatUint(d.Seed, 10))
		if out.Worlds, err = searchedWorlds(d); err != nil {
			return out, err
		}
	}
	for i := range d.Values {
		one, err := puzzleValue(d, &d.Values[i])
		if err != nil {
			return out, err
		}
		out.Values = append(out.Values, one)
	}
	return out, nil
}

// puzzleValue returns what a card is worth, and why it is a mistake.
func puzzleValue(p *puzzles.Puzzle, v *puzzles.Value) (out api.KlaverjasPuzzleValue, err error) {
	out = api.KlaverjasPuzzleValue{
		Card: v.Card.String(), Cost: service.Rounded(v.Cost, pointDigits), Outcome: service.Rounded(v.Outcome, pointDigits),
	}
	why, before, lines, err := p.Reason(v)
	if err != nil {
		return out, err
	}
	if !p.Hidden {
		out.Line = new(outCards(v.Line))
		if lines {
			out.Reason = outReason(before, why.Lines)
		}
		return out, nil
	}
	out.WinProbability, out.StandardError = new(service.Rounded(v.Win, probabilityDigits)), new(service.Rounded(v.Error, pointDigits))
	if !lines {
		return out, nil
	}
	k, err := p.Knowledge()
	if err != nil {
		return out, err
	}
	out.Lines = outLines(why.Lines)
	out.Reason, out.Evidence = outHidden(&why, before, k)
	return out, nil
}

// searchedWorlds says how many of the worlds of a hidden puzzle were searched.
func searchedWorlds(p *puzzles.Puzzle) (*api.KlaverjasAdviceWorlds, error) {
	k, err := p.Knowledge()
	if err != nil {
		return nil, err
	}
	of := k.Worlds()
	used := min(uint64(p.Worlds), of)
	return &api.KlaverjasAdviceWorlds{Used: int(used), Of: strconv.FormatUint(of, 10), All: used == of}, nil
}

func dealtHands(p *puzzles.Puzzle) api.KlaverjasHands {
	hand := func(s piquet.Seat) api.KlaverjasHand { return outCards(p.Deal.Hands[s].Slice()) }
	return api.KlaverjasHands{N: hand(piquet.North), E: hand(piquet.East), S: hand(piquet.South), W: hand(piquet.West)}
}

func kindOf(p *puzzles.Puzzle) api.KlaverjasPuzzleCards { return api.KlaverjasPuzzleCards(p.Kind()) }

func levelOf(p *puzzles.Puzzle) api.KlaverjasPuzzleLevel {
	return api.KlaverjasPuzzleLevel(puzzles.Levels()[p.Level()])
}

// Levels returns the names of the levels of players, the weakest first.
func Levels() []string {
	levels := players.Levels()
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.Name
	}
	return names
}
