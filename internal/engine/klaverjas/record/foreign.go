package record

import (
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// Foreign are the formats of other programs: the notation of Colver (CFN), and the JSON of KlaverLive.
var Foreign = []record.Foreign{
	{Line: isCFN, Read: readCFN},
	{Object: isKlaverLive, Read: readKlaverLive},
}

// isCFN reports whether a line begins as the notation of Colver: the dealer, a colon, and a hand by suits.
func isCFN(line string) bool {
	hands, _, _ := strings.Cut(line, " ")
	return len(hands) > 2 && strings.IndexByte("NESW", hands[0]) >= 0 && hands[1] == ':' && strings.Count(hands, "/") == 3
}

// contree are the rules of the game that the notation of Colver is for, belote contrée, as far as Klaverjas has them: a partner who is
// winning frees from ruffing, nobody must under-ruff, there are no melds, and all tricks are worth 90 more.
func contree() klaverjas.Rules {
	r := klaverjas.DefaultRules(klaverjas.Amsterdam)
	r.UnderRuff, r.Melds, r.Pit = klaverjas.Free, false, klaverjas.Pit{Declarers: 90, Defenders: 90}
	return r
}

// mostFields is how many fields a record of Colver has at most.
const mostFields = 8

// readCFN reads the notation of Colver: <dealer>:<hands> <tricks> <contract>. The hands are those after the tricks, from north, with the
// suits spades, hearts, diamonds and clubs; the tricks have the cards in the order of play.
func readCFN(line string, at int) (r record.Record, wrong *record.Error) {
	r = record.Record{Game: "klaverjas", At: at, Fields: make([]record.Field, 0, mostFields)}
	parts := strings.Split(line, " ")
	if len(parts) != 3 {
		return r, record.Wrong(at, "CFN", violation.New(violation.WrongForm, "has %d parts, expected three with a space between: the dealer "+
			"and the hands, the tricks, and the contract", len(parts)).Of(line))
	}
	var c cfn
	c.dealer, _ = piquet.ParseSeat(parts[0][:1])
	if err := c.readHands(parts[0][2:]); err != nil {
		return r, record.Wrong(at, "CFN", *err)
	}
	at += len(parts[0]) + 1
	if err := c.readTricks(parts[1]); err != nil {
		return r, record.Wrong(at, "CFN", *err)
	}
	at += len(parts[1]) + 1
	decided, err := c.readContract(parts[2])
	if err != nil {
		return r, record.Wrong(at, "CFN", *err)
	}
	if !decided && len(c.played) > 0 {
		return r, record.Wrong(at, "CFN", violation.New(violation.Contradicts, "has no contract, but cards were played").Of(parts[2]))
	}
	c.giveBack()
	r.Fields = append(r.Fields, record.Text("Contract", parts[2]), record.Row("Rules", rulesWords(contree())...),
		record.Row("Dealer", c.dealer.String()), dealOf(c.hands))
	if decided {
		r.Fields = append(r.Fields, record.Row("Trump", c.trump.String()), record.Row("Declarer", c.team.String()))
	}
	return withPlay(r, c.played), nil
}

// withPlay adds the cards played and, if they are not all, that the hand is not finished.
func withPlay(r record.Record, played []piquet.Card) record.Record {
	if len(played) > 0 {
		play := record.Rows("Play", 40)
		for _, c := range played {
			play.Add(c.String())
		}
		r.Fields = append(r.Fields, play)
	}
	if len(played) < piquet.Deck.Len() {
		r.Fields = append(r.Fields, record.Row("Result", record.Unfinished))
	}
	for i := range r.Fields {
		r.Fields[i].At = r.At
		for j := range r.Fields[i].Words {
			r.Fields[i].Words[j].At = r.At
		}
	}
	return r
}

func dealOf(hands [4]piquet.Set) record.Field {
	deal := record.Rows("Deal", 40)
	for _, s := range piquet.Seats() {
		if !hands[s].Empty() {
			deal.Add(s.String())
			deal.Add(hands[s].Names()...)
		}
	}
	return deal
}

// cfn is a hand in the notation of Colver.
type cfn struct {
	dealer piquet.Seat
	hands  [4]piquet.Set
	played []piquet.Card
	trump  piquet.Suit
	team   piquet.Team
}

// cfnSuits are the suits in the order of the notation.
var cfnSuits = [4]piquet.Suit{piquet.Spades, piquet.Hearts, piquet.Diamonds, piquet.Clubs}

func (c *cfn) readHands(text string) *violation.Violation {
	for i, hand := range strings.Split(text, "/") {
		if hand == "-" {
			continue
		}
		suits := strings.Split(hand, ".")
		if len(suits) != 4 {
			v := violation.New(violation.WrongForm, "hand %d has %d suits, expected spades, hearts, diamonds and clubs with dots between",
				i+1, len(suits)).Of(hand)
			return &v
		}
		for j, faces := range suits {
			for _, letter := range faces {
				face, err := piquet.ParseFace(string(letter))
				if err != nil || len(faces) > 8 {
					return new(violation.New(violation.NotACard, "%.24q in hand %d are not faces: expected some of 7 8 9 T J Q K A", faces, i+1).Of(faces))
				}
				c.hands[i] = c.hands[i].With(piquet.Of(cfnSuits[j], face))
			}
		}
	}
	return nil
}

func (c *cfn) readTricks(text string) *violation.Violation {
	if text == "-" {
		return nil
	}
	text = strings.ReplaceAll(text, "/", "")
	for len(text) > 0 {
		card, err := piquet.ParseCard(text[:min(2, len(text))])
		if err != nil || len(c.played) == piquet.Deck.Len() {
			v := violation.New(violation.NotACard, "%.12q is not a card of a trick, card %d: expected a face and a suit, such as Th", text,
				len(c.played)+1).Of(text[:min(2, len(text))])
			return &v
		}
		c.played, text = append(c.played, card), text[2:]
	}
	return nil
}

// readContract reads a contract such as 100sNSx. Before one is decided it begins with bid:, and 0 is a hand that all have passed.
func (c *cfn) readContract(text string) (decided bool, wrong *violation.Violation) {
	if text == "0" || strings.HasPrefix(text, "bid:") {
		return false, nil
	}
	bad := violation.New(violation.WrongForm, "%.24q is not a contract: expected a number, a suit and NS or EW, such as 100sNS", text).Of(text)
	main := strings.TrimRight(text, "x")
	if len(main) < 4 || len(text)-len(main) > 2 {
		return false, &bad
	}
	n := len(main)
	var err error
	if c.team, err = piquet.ParseTeam(main[n-2:]); err != nil {
		return false, &bad
	}
	if c.trump, err = piquet.ParseSuit(main[n-3 : n-2]); err != nil || strings.Trim(main[:n-3], "0123456789") != "" {
		return false, &bad
	}
	return true, nil
}

// giveBack gives the cards played to the hands that have played them.
func (c *cfn) giveBack() {
	t := klaverjas.Trick{Leader: c.dealer.Next(), Winner: c.dealer.Next()}
	for _, card := range c.played {
		c.hands[t.Turn()] = c.hands[t.Turn()].With(card)
		if t = t.With(card, c.trump); t.Len == 4 {
			t = klaverjas.Trick{Leader: t.Winner, Winner: t.Winner}
		}
	}
}
