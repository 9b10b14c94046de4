package klaverjas

import (
	"slices"
	"sort"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// The number of puzzles on a page.
const (
	usualPage = "20"
	mostPage  = 100
)

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
	limit, err := pageSize(service.Or(in.Limit, usualPage))
	vs.AddIn("limit", err)
	after := service.Or(in.PageToken, "")
	if _, known := all.Find(after); !known && after != "" {
		vs.AddIn("page_token", violation.New(violation.WrongForm, "is not the next_page_token of a page").Of(after))
	}
	if err := vs.Err(); err != nil {
		return out, err
	}
	chosen := slices.DeleteFunc(slices.Clone(all.Puzzles), func(p *puzzles.Puzzle) bool {
		return cards != "" && p.Kind() != cards || level != "" && puzzles.Levels()[p.Level()] != level || theme != "" && !p.Has(theme)
	})
	out.Total = len(chosen)
	chosen = chosen[sort.Search(len(chosen), func(i int) bool { return chosen[i].ID > after }):]
	if len(chosen) > limit {
		chosen = chosen[:limit]
		out.NextPageToken = &chosen[limit-1].ID
	}
	for _, p := range chosen {
		out.Puzzles = append(out.Puzzles, api.KlaverjasPuzzleSummary{Id: p.ID, Cards: kindOf(p), Level: levelOf(p)})
	}
	return out, nil
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

// pageSize reads the number of puzzles on a page.
func pageSize(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || !service.Decimal(text) {
		return 0, violation.New(violation.WrongForm, "%.20q is not a number: expected 1 to %d", text, mostPage).Of(text)
	}
	if n < 1 {
		return 0, violation.New(violation.TooSmall, "is %d: expected 1 to %d", n, mostPage).Of(n).Between(1, mostPage)
	}
	if n > mostPage {
		return 0, violation.New(violation.TooLarge, "is %d: expected 1 to %d", n, mostPage).Of(n).Between(1, mostPage)
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
		Id: p.ID, Cards: kindOf(p), Level: levelOf(p), Margin: p.Least(), Seat: *outSeat(at.Turn()), Legal: outCards(at.Legal().Slice()),
		Version: g.service.Version(),
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
	out = api.KlaverjasPuzzleSolution{
		Id: p.ID, Cards: kindOf(p), Level: levelOf(p), Themes: []api.KlaverjasPuzzleTheme{}, Card: p.Values[0].Card.String(),
		Margin: service.Rounded(p.Margin(), pointDigits), Hands: dealtHands(p), Version: g.service.Version(),
	}
	for _, theme := range p.Themes {
		out.Themes = append(out.Themes, api.KlaverjasPuzzleTheme(theme.String()))
	}
	if p.Hidden {
		seed := strconv.FormatUint(p.Seed, 10)
		out.Seed = &seed
		if out.Worlds, err = searchedWorlds(p); err != nil {
			return out, err
		}
	}
	for i := range p.Values {
		one, err := puzzleValue(p, &p.Values[i])
		if err != nil {
			return out, err
		}
		out.Values = append(out.Values, one)
	}
	for i, grade := range p.Grades {
		out.Grades = append(out.Grades, api.KlaverjasPuzzleGrade{
			Level: api.KlaverjasLevel(Levels()[i]), Players: grade.Players, Found: grade.Found,
		})
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
		line := outCards(v.Line)
		out.Line = &line
		if lines {
			out.Reason = outReason(before, why.Lines)
		}
		return out, nil
	}
	win, deviation := service.Rounded(v.Win, probabilityDigits), service.Rounded(v.Error, pointDigits)
	out.WinProbability, out.StandardError = &win, &deviation
	if !lines {
		return out, nil
	}
	view, err := p.View()
	if err != nil {
		return out, err
	}
	k, err := worlds.New(view)
	if err != nil {
		return out, err
	}
	out.Lines = outLines(why.Lines)
	out.Reason, out.Evidence = outHidden(&why, before, k)
	return out, nil
}

// searchedWorlds says how many of the worlds of a hidden puzzle were searched.
func searchedWorlds(p *puzzles.Puzzle) (*api.KlaverjasAdviceWorlds, error) {
	v, err := p.View()
	if err != nil {
		return nil, err
	}
	k, err := worlds.New(v)
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
