package belote

import (
	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ScoreRequest asks what is written down for a hand.
type ScoreRequest struct {
	rules    score.Rules
	declarer belote.Player
	parts    []score.Part
}

// ParseScore reads the body of score.
var ParseScore = service.PlainBodyOf[*Game]("BeloteScoreRequest", newScoreRequest)

func newScoreRequest(in scoreBody) (r ScoreRequest, err error) {
	if r.rules, err = in.rules(); err != nil {
		return r, err
	}
	refused := func(pointer string, code violation.Code, format string, args ...any) (ScoreRequest, error) {
		return r, service.Refused(violation.New(code, format, args...).At(pointer))
	}
	switch {
	case in.Position != nil && in.Made != nil:
		return refused("/made", violation.OnlyOneOf, "is given together with a position: give one of them")
	case in.Position != nil:
		return in.played(r)
	case in.Made != nil:
		return in.counted(r)
	}
	return refused("", violation.Missing, "has no hand: expected a position with all cards played, or made")
}

// rules reads the rules of the score.
func (in *scoreBody) rules() (r score.Rules, err error) {
	var vs service.Problems
	r.Belote, r.Litige = service.Or(in.Belote, true), service.Or(in.Litige, false)
	r.Contract = service.Read(&vs, "/contract", in.Contract, score.ParseContract, r.Contract)
	r.Melds = service.Read(&vs, "/melds", in.Melds, score.ParseMelds, r.Melds)
	r.Capot = readCapot(in.Capot, &vs)
	if len(vs) == 0 {
		checkLitige(r, &vs)
	}
	return r, vs.Err()
}

// readCapot reads the bonus for all tricks. It adds a violation to vs.
func readCapot(capot *int, vs *service.Problems) int {
	n := service.Or(capot, 0)
	if n != 0 && n != 50 && n != 90 {
		vs.Add("/capot", violation.New(violation.NotOneOf, "is %d, expected 0, 50 or 90", n).Of(n).OneOf("0", "50", "90"))
	}
	return n
}

// checkLitige adds a violation if points are held with a contract under which both cannot have as many.
func checkLitige(r score.Rules, vs *service.Problems) {
	if r.Litige && r.Contract != score.Standard {
		vs.Addf("/litige", violation.NotUsed, "is only for the contract standard, and the contract is %s", r.Contract)
	}
}

// played returns the request for a position with all cards played.
func (in *scoreBody) played(r ScoreRequest) (ScoreRequest, error) {
	p, err := newPosition(*in.Position)
	if err != nil {
		return r, service.Below("/position", err)
	}
	if !p.now.Finished() {
		return r, service.Refused(violation.New(violation.Needed, "has %d cards, expected all %d", len(p.played), len(p.played)+p.cardsLeft()).
			At("/position/played"))
	}
	d := p.start.Deal()
	if d.Trump != belote.NoTrump && r.rules.Contract == score.None {
		return r, service.Refused(violation.New(violation.Contradicts, "is %s, but with the contract none nobody has chosen trump: expected null",
			d.Trump).
			At("/position/trump"))
	}
	r.declarer, r.rules.Threshold = d.Declarer, d.Threshold
	r.parts, err = score.Hand(r.rules, p.start, p.played)
	return r, err
}

// counted returns the request for counted points.
func (in *scoreBody) counted(r ScoreRequest) (ScoreRequest, error) {
	m := in.Made
	var (
		vs   service.Problems
		err  error
		hand = score.CountedHand{Points: [2]int{*m.Points.A, *m.Points.B}}
	)
	if in.Melds != nil {
		vs.Addf("/melds", violation.NotUsed, "is only for a position: give the melds of made in /made/melds")
	}
	player := func(pointer string, text *string) *belote.Player {
		if text == nil {
			return nil
		}
		p, err := belote.ParsePlayer(*text)
		vs.Add(pointer, err)
		return &p
	}
	if m.Declarer != nil {
		r.declarer, err = belote.ParsePlayer(*m.Declarer)
		vs.Add("/made/declarer", err)
	} else if r.rules.Contract != score.None {
		vs.Addf("/made/declarer", violation.Needed, "is missing: expected A or B with the contract %s", r.rules.Contract)
	}
	hand.Belote = player("/made/belote", m.Belote)
	hand.AllTricks = player("/made/all_tricks", m.AllTricks)
	if hand.AllTricks != nil && hand.Points[hand.AllTricks.Other()] > 0 {
		other := hand.AllTricks.Other()
		vs.Addf("/made/all_tricks", violation.Contradicts, "is %v, but %v has %d points in tricks", hand.AllTricks, other, hand.Points[other])
	}
	total := hand.Points[belote.A] + hand.Points[belote.B]
	checkTotal(&vs, r.rules.Contract, &hand, total)
	if m.Melds != nil {
		hand.Melds = [2]int{m.Melds.A, m.Melds.B}
		if hand.Melds[belote.A] > 0 && hand.Melds[belote.B] > 0 {
			vs.Addf("/made/melds", violation.CannotBe, "has points for both players, but only the player with the best meld scores melds")
		}
	}
	if r.rules.Threshold = total/2 - 1; m.Threshold != nil {
		switch r.rules.Threshold = *m.Threshold; {
		case r.rules.Contract != score.Paper:
			vs.Addf("/made/threshold", violation.NotUsed, "is only for the contract paper, and the contract is %s", r.rules.Contract)
		case *m.Threshold > total:
			vs.Add("/made/threshold", belote.TooHigh(*m.Threshold, total))
		}
	}
	if err := vs.Err(); err != nil {
		return r, err
	}
	r.parts = hand.Parts(r.rules)
	return r, nil
}

// checkTotal adds a violation if a hand with the contract cannot have the total of points in tricks, or if its total has no belote.
func checkTotal(vs *service.Problems, contract score.Contract, hand *score.CountedHand, total int) {
	switch total {
	case 72, 102, 132: // the totals of one to three suits with trump: see Trump.Total
		if contract == score.None {
			vs.Addf("/made/points", violation.CannotBe,
				"are %d together, as with trump, but with the contract none nobody has chosen trump: expected 162, or "+
					"48, 86 or 124 for fewer suits", total)
		}
	case 48, 86, 124: // the totals without trump
		if hand.Belote != nil {
			vs.Addf("/made/belote", violation.Contradicts, "needs a hand with trump; %d is a total without trump", total)
		}
	case 162: // the total of four suits, with trump and without
	default:
		vs.Addf("/made/points", violation.CannotBe,
			"are %d together, expected 162, or 72, 102 or 132 for fewer suits, or 48, 86 or 124 without trump",
			total)
	}
	if hand.Belote != nil && contract == score.None && len(*vs) == 0 {
		vs.Addf("/made/belote", violation.Contradicts, "needs a hand with trump; with the contract none, nobody has chosen trump")
	}
}

// Score returns what is written down. It makes no search.
func (g *Game) Score(r ScoreRequest) (api.BeloteScore, error) {
	return g.outScore(r.rules, r.declarer, score.Settle(r.rules, r.declarer, r.parts)), nil
}

// outScore returns the answer for what is written down.
func (g *Game) outScore(rules score.Rules, declarer belote.Player, s score.Sheet) api.BeloteScore {
	out := api.BeloteScore{
		Written: outWritten(s.Written), HeldPoints: s.Held, Contract: api.BeloteContract(rules.Contract.String()),
		Result: api.BeloteScoreResult(s.Result.String()), Made: outWritten(s.Made), Needed: s.Needed,
		Parts: make([]api.BeloteScorePart, len(s.Parts)), Version: g.service.Version(),
	}
	if rules.Contract != score.None {
		out.Declarer = outPlayer(declarer)
	}
	for i, p := range s.Parts {
		part := api.BeloteScorePart{
			Seat: *outPlayer(p.Player), Part: api.BeloteScorePartPart(p.Kind.String()), Points: p.Points, Counts: p.Counts,
		}
		if p.Cards != nil {
			part.Cards = new(outCards(p.Cards))
		}
		if p.Written {
			part.WrittenBy = outPlayer(p.By)
		}
		out.Parts[i] = part
	}
	return out
}

func outWritten(points [2]int) api.BeloteWritten {
	return api.BeloteWritten{A: points[belote.A], B: points[belote.B]}
}
