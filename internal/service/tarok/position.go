package tarok

import (
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// Position is a position of a request. The exchange may be unfinished; then there are no cards played.
type Position struct {
	setup  tarok.Setup
	now    tarok.Position // in the play
	start  tarok.Position // before the first card
	played []tarok.Card
	phase  api.TarokPhase
}

// readCards reads a list of cards.
func readCards(vs *service.Problems, pointer string, texts []string) (list []tarok.Card) {
	for i, text := range texts {
		c, err := tarok.ParseCard(text)
		vs.Add(pointer+"/"+strconv.Itoa(i), err)
		list = append(list, c)
	}
	return list
}

// readSet reads cards that must differ.
func readSet(vs *service.Problems, pointer string, texts []string) (set tarok.Set) {
	before := len(*vs)
	list := readCards(vs, pointer, texts)
	if len(*vs) > before {
		return set
	}
	for i, c := range list {
		if set.Has(c) {
			also := pointer + "/" + strconv.Itoa(slices.Index(list, c))
			vs.Add(pointer+"/"+strconv.Itoa(i), violation.New(violation.CardTwice, "%s is also at", c).AlsoAt(also).Of(c))
		}
		set = set.With(c)
	}
	return set
}

// order maps the engine's order of items to their places in the request: from the pointer of the engine to the pointer of the request.
type order map[string]string

// cards notes a list of cards, which are valid and differ. The engine has them in the order of the deck.
func (o order) cards(pointer string, texts []string) {
	list := make([]tarok.Card, len(texts))
	for i, text := range texts {
		list[i], _ = tarok.ParseCard(text)
	}
	for k, c := range tarok.SetOf(list...).Slice() {
		o.note(pointer, k, slices.Index(list, c))
	}
}

// note maps a place in the list of the engine to a place in the list of the request.
func (o order) note(pointer string, engine, request int) {
	o[pointer+"/"+strconv.Itoa(engine)] = pointer + "/" + strconv.Itoa(request)
}

func (o order) place(pointer string) string {
	if at, ok := o[pointer]; ok {
		return at
	}
	return pointer
}

// impossible returns the violations that the engine found, at their places in the request.
func (o order) impossible(err error) error { return service.Moved(service.FromEngine(err), o.place) }

func refused(pointer string, code violation.Code, format string, args ...any) error {
	return service.Refused(violation.New(code, format, args...).At(pointer))
}

// newPosition builds a position from its body. Its error is a *service.Error of kind Impossible.
func newPosition(in *positionBody) (p Position, err error) {
	var vs service.Problems
	s := &p.setup
	s.Rules = in.Rules.rules()
	for i, hand := range in.Hands.all() {
		s.Deal.Hands[i] = readSet(&vs, "/hands/"+tarok.Player(i).String(), hand)
	}
	copy(s.Deal.Talon[:], readCards(&vs, "/talon", in.Talon))
	s.Contract = tarok.Contract(indexOf(&in.Contract, contractValues))
	s.Declarer = readDeclarer(&vs, in.Declarer, s.Contract)
	if in.Group != nil && s.Contract.Exchange() == 0 {
		vs.Addf("/group", violation.NotUsed, "%s has no exchange", s.Contract)
	}
	s.Discards = readSet(&vs, "/discards", in.Discards)
	cards := readCards(&vs, "/played", in.Played)
	if err := vs.Err(); err != nil {
		return p, err
	}
	if bad := s.Deal.Check(); len(bad) > 0 {
		return p, orderOf(&in.Hands).impossible(bad)
	}
	if in.Group == nil && s.Contract.Exchange() > 0 {
		err = p.beforeTalon(len(in.Discards), len(cards))
		return p, err
	}
	if in.Group != nil {
		s.Group = *in.Group
	}
	if n := s.Contract.Exchange(); len(in.Discards) < n && s.Group < s.Contract.Groups() {
		err = p.beforeDiscard(in.Discards, len(cards))
		return p, err
	}
	start, err := tarok.NewPosition(*s)
	if err != nil {
		o := order{}
		o.cards("/discards", in.Discards)
		return p, o.impossible(err)
	}
	p.start, p.played = start, cards
	p.now, err = start.Replay(cards)
	if p.phase = api.TarokPhasePlay; p.now.Finished() {
		p.phase = api.TarokPhaseFinished
	}
	return p, service.FromEngine(err)
}

// beforeTalon makes p a position in which the declarer has to take a group of the talon.
func (p *Position) beforeTalon(discards, played int) error {
	if discards > 0 || played > 0 {
		return refused("/group", violation.Needed, "is missing: the declarer of %s takes a group of the talon before anything else",
			p.setup.Contract)
	}
	p.phase = api.TarokPhaseTalon
	return nil
}

// beforeDiscard makes p a position in which the declarer has to discard.
func (p *Position) beforeDiscard(discards []string, played int) error {
	n := p.setup.Contract.Exchange()
	if played > 0 {
		return refused("/discards", violation.WrongCount, "has %d cards, expected %d before the first card is played", len(discards), n)
	}
	hand := p.held()
	for i, text := range discards {
		c, _ := tarok.ParseCard(text)
		if reason := tarok.Kept(hand, c); reason != "" {
			return service.Refused(violation.New(violation.NotLegal, "%s may not be discarded: %s; expected one of %s", c, reason,
				tarok.Discards(hand)).At("/discards/" + strconv.Itoa(i)).Of(c).OneOf(tarok.Discards(hand).Names()...))
		}
		hand = hand.Without(c)
	}
	p.phase = api.TarokPhaseDiscard
	return nil
}

// held returns what the declarer holds after taking from the talon and before discarding.
func (p *Position) held() tarok.Set {
	return p.setup.Deal.Hands[p.setup.Declarer] | p.setup.Taken()
}

// needsPlay refuses a position in which the exchange is not finished.
func (p *Position) needsPlay() error {
	switch p.phase {
	case api.TarokPhaseTalon:
		return refused("/group", violation.Needed, "is missing: %s has an exchange", p.setup.Contract)
	case api.TarokPhaseDiscard:
		return refused("/discards", violation.WrongCount, "has %d cards, expected %d", p.setup.Discards.Len(), p.setup.Contract.Exchange())
	default:
		return nil
	}
}

func (in *rulesBody) rules() tarok.Rules {
	r := tarok.DefaultRules
	if in == nil {
		return r
	}
	r.Mond, r.NoEmperor = service.Or(in.Mond, r.Mond), !service.Or(in.Emperor, true)
	r.PlainValat, r.OwnPagat = !service.Or(in.ValatKontra, true), !service.Or(in.DefendersPagat, true)
	r.Leads = tarok.Leads(indexOf(in.Lead, leadValues))
	r.Difference = tarok.Difference(indexOf(in.Difference, differenceValues))
	r.Order = tarok.Order(indexOf(in.Bidding, biddingOrderValues))
	return r
}

// ---- conversions to the types of the contract ----

func outCards(list []tarok.Card) api.TarokCards { return service.Texts(list) }

func outPlayer(p tarok.Player) *api.TarokSeat {
	return new(api.TarokSeat(p.String()))
}

func outNumbers(n [3]int) api.TarokNumbers { return api.TarokNumbers{A: n[0], B: n[1], C: n[2]} }

func outHands(h [3]tarok.Set) api.TarokHands {
	return api.TarokHands{A: outCards(h[0].Slice()), B: outCards(h[1].Slice()), C: outCards(h[2].Slice())}
}
