package table

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas/bidadvice"
)

// Bid is a hand that was bid and then played: a line of a file.
type Bid struct {
	System  string    `json:"system"`
	Flow    string    `json:"flow"`
	Again   bool      `json:"again"`
	Dealer  string    `json:"dealer"`
	Turned  []string  `json:"turned"`
	Calls   []string  `json:"calls"`
	Hands   [4]uint32 `json:"hands"` // by seat, bit n is card n
	Played  []int     `json:"played"`
	Outcome int       `json:"outcome"`
	Pit     bool      `json:"pit"`
}

// BidSettings configure MakeBids.
type BidSettings struct {
	Policy *bidadvice.Policy
	Player players.Kind // of all four seats
	First  int          // the number of the first game
	Games  int
	Seed   uint64
	Tools  *players.Tools
	// Progress, if not nil, is called with the number of games written.
	Progress func(int)
}

// MakeBids bids and plays games, and writes each as a line of JSON. Game i depends on the seed, the policy, the player and i only. The
// system, the flow and the dealer are uniform.
func MakeBids(ctx context.Context, out io.Writer, s BidSettings) error {
	for i := range s.Games {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(s.First+i)))
		rules := klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
		a, hands, err := drawAuction(rng)
		if err == nil {
			a, err = s.Policy.Finish(rules, a, &hands, rng.IntN)
		}
		if err != nil {
			return err
		}
		by, trump := a.Result()
		start, err := klaverjas.NewPosition(rules, klaverjas.Deal{Trump: trump, Leader: a.Leader(), Declarer: by.Team(), Hands: hands})
		if err != nil {
			return err
		}
		played, end, err := players.Play(ctx, start, nil, players.Sit([2]players.Kind{s.Player, s.Player}, rng.Uint64(), s.Tools), nil)
		if err != nil {
			return err
		}
		row := Bid{
			System: rules.System.String(), Flow: a.Setting().Flow.String(), Again: a.Setting().Again, Dealer: a.Setting().Dealer.String(),
			Outcome: end.Outcome(), Pit: end.TricksTaken()[by.Team().Opponents()] == 0,
		}
		for _, suit := range a.Setting().Turned {
			row.Turned = append(row.Turned, suit.String())
		}
		for _, call := range a.Calls() {
			row.Calls = append(row.Calls, call.String())
		}
		for seat, hand := range hands {
			row.Hands[seat] = uint32(hand)
		}
		for _, c := range played {
			row.Played = append(row.Played, int(c))
		}
		line, err := json.Marshal(row)
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
		if s.Progress != nil {
			s.Progress(i + 1)
		}
	}
	return nil
}

// drawAuction draws hands and the start of an auction.
func drawAuction(rng *rand.Rand) (bidding.Auction, [4]piquet.Set, error) {
	settings := Settings()
	setting := settings[rng.IntN(len(settings))]
	setting.Dealer = piquet.Seat(rng.IntN(4))
	if setting.Flow == bidding.Turned {
		setting.Turned = []piquet.Suit{piquet.Suit(rng.IntN(4))}
	}
	a, err := bidding.Start(setting)
	return a, index.Random(rng, piquet.Clubs, piquet.North), err
}

// Auctioned is a Bid that was read.
type Auctioned struct {
	Played
	Auction bidding.Auction // done
	Cards   []piquet.Card   // in the order of play
}

// ReadBids reads a file of MakeBids. Its error names the line.
func ReadBids(in io.Reader) (all []Auctioned, err error) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var row Bid
		one, err := Auctioned{}, json.Unmarshal(lines.Bytes(), &row)
		if err == nil {
			one, err = row.read()
		}
		if err != nil {
			return all, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, one)
	}
	return all, lines.Err()
}

func (b *Bid) read() (out Auctioned, err error) {
	system, err := klaverjas.ParseSystem(b.System)
	if err != nil {
		return out, err
	}
	setting := bidding.Setting{Again: b.Again}
	if setting.Flow, err = bidding.ParseFlow(b.Flow); err != nil {
		return out, err
	}
	if setting.Dealer, err = piquet.ParseSeat(b.Dealer); err != nil {
		return out, err
	}
	for _, text := range b.Turned {
		suit, err := piquet.ParseSuit(text)
		if err != nil {
			return out, err
		}
		setting.Turned = append(setting.Turned, suit)
	}
	if out.Auction, err = bidding.Start(setting); err != nil {
		return out, err
	}
	for _, text := range b.Calls {
		call := bidding.Pass
		if text != bidding.Pass.String() {
			if call.Trump, err = piquet.ParseSuit(text); err != nil {
				return out, err
			}
			call.Declare = true
		}
		if out.Auction, err = out.Auction.Call(call); err != nil {
			return out, err
		}
	}
	if !out.Auction.Done() {
		return out, errors.New("the auction is not done")
	}
	by, trump := out.Auction.Result()
	out.Played = Played{
		Rules: klaverjas.DefaultRules(system), Outcome: b.Outcome, Pit: b.Pit,
		Deal: klaverjas.Deal{Trump: trump, Leader: out.Auction.Leader(), Declarer: by.Team()},
	}
	for seat, hand := range b.Hands {
		out.Deal.Hands[seat] = piquet.Set(hand)
	}
	start, err := klaverjas.NewPosition(out.Rules, out.Deal)
	if err != nil {
		return out, err
	}
	out.Cards = make([]piquet.Card, len(b.Played))
	for i, c := range b.Played {
		out.Cards[i] = piquet.Card(c & 31)
	}
	end, err := start.Replay(out.Cards)
	if err == nil && (!end.Finished() || end.Outcome() != b.Outcome) {
		err = errors.New("the cards played do not end with this outcome")
	}
	return out, err
}
