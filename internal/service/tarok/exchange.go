package tarok

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service"
)

type exchangeBody struct {
	Player   *string    `json:"player"`
	Hand     *[]string  `json:"hand"`
	Contract *string    `json:"contract"`
	Declarer *string    `json:"declarer"`
	Talon    *[]string  `json:"talon"`
	Rules    *rulesBody `json:"rules"`
	Options  *int       `json:"options"`
	Trials   *int       `json:"trials"`
	Seed     *string    `json:"seed"`
}

func (in *exchangeBody) view() viewBody {
	return viewBody{Player: in.Player, Hand: in.Hand, Contract: in.Contract, Declarer: in.Declarer, Talon: in.Talon, Rules: in.Rules}
}

func (in *exchangeBody) checkShape(s *shape) {
	known := in.view()
	known.checkShape(s)
	s.given("/contract", in.Contract != nil)
	s.given("/talon", in.Talon != nil)
	s.within("/options", in.Options, 1, maxOptions)
	s.within("/trials", in.Trials, 1, maxTrials)
	s.seed(in.Seed)
}

// given refuses a required field that is absent.
func (s *shape) given(pointer string, is bool) {
	if !is {
		s.refuse(pointer, "is missing")
	}
}

// ParseExchange reads the body of exchange.
func (g *Game) ParseExchange(ctx context.Context, body []byte) (*ProgramQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokExchangeRequest", func(in exchangeBody) (*ProgramQuery, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return nil, err
		}
		known := in.view()
		v := players.View{Phase: players.ToExchange, Margins: players.DefaultMargins}
		var err error
		if v.View, err = known.view(); err != nil {
			return nil, err
		}
		var vs violations
		seed := vs.seedOf(in.Seed)
		switch {
		case v.Contract.Exchange() == 0:
			vs.add("/contract", fmt.Errorf("%s has no exchange", v.Contract))
		case v.Player != v.Declarer:
			vs.add("/player", fmt.Errorf("is %s, and the declarer, who exchanges, is %s", v.Player, v.Declarer))
		}
		if len(vs) > 0 {
			return nil, service.NewImpossible(vs...)
		}
		if _, err := worlds.New(v.View); err != nil {
			return nil, known.order().impossible(err)
		}
		v.Held = v.Hand
		settings := advice.Default
		settings.Trials, settings.Discards = number(in.Trials, settings.Trials), number(in.Options, settings.Discards)
		return g.newProgramQuery(KindExchange, settings, seed, viewKey(&v.View),
			func(ctx context.Context, a *advice.Advisor, rng *rand.Rand) (any, error) {
				list, err := a.Exchange(ctx, &v, rng)
				if err != nil {
					return nil, err
				}
				return g.outExchange(&v, list, seed), nil
			}), nil
	})
}

func (g *Game) outExchange(v *players.View, list []advice.Exchange, seed uint64) api.TarokExchangeAdvice {
	out := api.TarokExchangeAdvice{
		Group: list[0].Group, Discards: outCards(list[0].Discards.Slice()), Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}
	for i := range list {
		e := &list[i]
		out.Options = append(out.Options, api.TarokExchangeOption{
			Group: e.Group, Taken: outCards(v.Taken(e.Group).Slice()), Discards: outCards(e.Discards.Slice()), Trials: e.Games,
			Points: e.Points, Score: e.Score, Won: e.Won, Made: outShares(e.Made),
		})
	}
	return out
}

type announceBody struct {
	Player    *string      `json:"player"`
	Hand      *[]string    `json:"hand"`
	Contract  *string      `json:"contract"`
	Declarer  *string      `json:"declarer"`
	Talon     *[]string    `json:"talon"`
	Group     *int         `json:"group"`
	Discards  *[]string    `json:"discards"`
	Rules     *rulesBody   `json:"rules"`
	Said      *[]wordsBody `json:"said"`
	Threshold *float64     `json:"threshold"`
	Trials    *int         `json:"trials"`
	Seed      *string      `json:"seed"`
}

type wordsBody struct {
	Bonuses *[]string `json:"bonuses"`
	Kontra  *bool     `json:"kontra"`
	Double  *[]string `json:"double"`
}

func (in *announceBody) view() viewBody {
	return viewBody{
		Player: in.Player, Hand: in.Hand, Contract: in.Contract, Declarer: in.Declarer, Talon: in.Talon, Group: in.Group, Discards: in.Discards,
		Rules: in.Rules,
	}
}

func (in *announceBody) checkShape(s *shape) {
	known := in.view()
	known.checkShape(s)
	s.given("/contract", in.Contract != nil)
	s.said(in.Said)
	if in.Threshold != nil && (*in.Threshold < 0 || *in.Threshold > 1) {
		s.refuse("/threshold", "is out of range")
	}
	s.within("/trials", in.Trials, 1, maxTrials)
	s.seed(in.Seed)
}

// said checks what was said, which may be absent.
func (s *shape) said(said *[]wordsBody) {
	if said == nil {
		return
	}
	if len(*said) > maxSaid {
		s.refuse("/said", "has a wrong length")
	}
	for i := range *said {
		w := &(*said)[i]
		where := "/said/" + strconv.Itoa(i)
		for _, f := range []struct {
			pointer string
			list    *[]string
		}{{where + "/bonuses", w.Bonuses}, {where + "/double", w.Double}} {
			s.list(f.pointer, f.list, 0, len(bonusNames))
			for k, name := range valueOr(f.list) {
				s.oneOf(f.pointer+"/"+strconv.Itoa(k), &name, bonusNames)
			}
		}
	}
}

// say returns the announcements after what was said, whose shape is checked, up to the first words that contain a violation.
func (vs *violations) say(t players.Talk, said *[]wordsBody) players.Talk {
	if said == nil {
		return t
	}
	for i := range *said {
		where := "/said/" + strconv.Itoa(i)
		turn, more := t.Turn()
		if !more {
			vs.add(where, errors.New("comes after the end of the announcements"))
			return t
		}
		in, before := &(*said)[i], len(*vs)
		words := in.words(where, vs)
		refused := t.Refused(words)
		if refused.Kontra {
			vs.add(where+"/kontra", fmt.Errorf("%s may not double the game", turn))
		}
		for k, name := range valueOr(in.Bonuses) {
			if refused.Bonuses[slices.Index(bonusNames, name)] {
				vs.add(where+"/bonuses/"+strconv.Itoa(k), fmt.Errorf("%s may not announce %s", turn, name))
			}
		}
		for k, name := range valueOr(in.Double) {
			if refused.Double[slices.Index(bonusNames, name)] {
				vs.add(where+"/double/"+strconv.Itoa(k), fmt.Errorf("%s may not double %s", turn, name))
			}
		}
		if len(*vs) > before {
			return t
		}
		t, _ = t.Say(words) // nothing of them is refused
	}
	return t
}

// words returns the words at a place of the request. A name that is given twice is a violation, as in sessions.
func (w *wordsBody) words(where string, vs *violations) (out players.Words) {
	for _, f := range []struct {
		field string
		list  []string
	}{{"/bonuses", valueOr(w.Bonuses)}, {"/double", valueOr(w.Double)}} {
		for i, name := range f.list {
			if slices.Contains(f.list[:i], name) {
				vs.add(where+f.field+"/"+strconv.Itoa(i), fmt.Errorf("%s is named twice", name))
			}
		}
	}
	for i, name := range bonusNames {
		out.Bonuses[i] = slices.Contains(valueOr(w.Bonuses), name)
		out.Double[i] = slices.Contains(valueOr(w.Double), name)
	}
	out.Kontra = w.Kontra != nil && *w.Kontra
	return out
}

// ParseAnnounce reads the body of announce.
func (g *Game) ParseAnnounce(ctx context.Context, body []byte) (*ProgramQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokAnnounceRequest", func(in announceBody) (*ProgramQuery, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return nil, err
		}
		known := in.view()
		v, err := playView(&known)
		if err != nil {
			return nil, err
		}
		var vs violations
		seed := vs.seedOf(in.Seed)
		v.Phase = players.ToAnnounce
		v.Talk = vs.say(v.Talk, in.Said)
		switch turn, more := v.Talk.Turn(); {
		case len(vs) > 0:
		case v.Contract == tarok.Klop:
			vs.add("/contract", errors.New("klop has no announcements"))
		case !more:
			vs.add("/said", errors.New("ends the announcements: nobody is to speak"))
		case turn != v.Player:
			vs.add("/player", fmt.Errorf("is %s, and it is the turn of %s", v.Player, turn))
		}
		if len(vs) > 0 {
			return nil, service.NewImpossible(vs...)
		}
		threshold := players.DefaultMargins.Announce[0]
		if in.Threshold != nil {
			threshold = *in.Threshold
		}
		for i := range v.Margins.Announce {
			v.Margins.Announce[i] = threshold
		}
		settings := advice.Default
		settings.Trials = number(in.Trials, settings.Trials)
		about := appendTalk(viewKey(&v.View), &v.Talk).Float(threshold)
		return g.newProgramQuery(KindAnnounce, settings, seed, about, func(ctx context.Context, a *advice.Advisor, rng *rand.Rand) (any, error) {
			say, trials, err := a.Announce(ctx, &v, rng)
			return g.outAnnounce(&v, say, &trials, threshold, seed), err
		}), nil
	})
}

func (g *Game) outAnnounce(v *players.View, say players.Words, t *advice.Trials, threshold float64, seed uint64) api.TarokAnnounceAdvice {
	out := api.TarokAnnounceAdvice{
		Say: outWords(say), May: outWords(v.Talk.May()), Trials: t.Games, Threshold: threshold,
		Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}
	if t.Games > 0 {
		made, lost := outShares(t.Made), outShares(t.Lost)
		out.Won, out.Declarer, out.Opponents = &t.Won, &made, &lost
	}
	return out
}

func outWords(w players.Words) (out api.TarokWords) {
	list := func(which [4]bool) *[]api.TarokBonus {
		names := []api.TarokBonus{}
		for i, is := range which {
			if is {
				names = append(names, api.TarokBonus(bonusNames[i]))
			}
		}
		return &names
	}
	out.Bonuses, out.Kontra, out.Double = list(w.Bonuses), &w.Kontra, list(w.Double)
	return out
}
