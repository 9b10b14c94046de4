package session

import (
	"slices"

	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// dealt is a hand before the first call.
type dealt struct {
	leader piquet.Seat
	trump  piquet.Suit // without bidding
	hands  [4]piquet.Set
	turned [4]piquet.Suit // the order in which suits are turned
}

// deal deals the present hand and begins it. Each hand is drawn from a stream of numbers of its own, so that the cards of one hand, once
// they are known, tell nothing of the next.
func (s Session) deal() (Session, error) {
	s.claimed = 0
	if b := s.setup.Begun; b != nil {
		return s.resume(b)
	}
	rng := random.New(s.setup.Secret[0], s.setup.Secret[1], uint64(s.number)+1, streamDeal)
	d := dealt{leader: s.leader(), trump: piquet.Suit(random.Below(rng, 4)), turned: piquet.Suits()}
	if s.setup.Trump != nil {
		d.trump = *s.setup.Trump
	}
	d.hands = index.Random(rng, d.trump, d.leader)
	random.Shuffle(rng, d.turned[:])
	s.dealt, s.auction = d, bidding.Auction{}
	s.played = nil
	if !s.setup.Bidding {
		declarer := d.leader.Team()
		if s.setup.Declarer != nil {
			declarer = *s.setup.Declarer
		}
		return s.begin(d.trump, declarer)
	}
	setting := bidding.Setting{Flow: s.setup.Flow, Dealer: d.leader.Plus(-1), Again: s.setup.Again}
	if setting.Flow == bidding.Turned {
		setting.Turned = d.turned[:1:1]
	}
	var err error
	s.auction, err = bidding.Start(setting)
	return s, err
}

// resume begins the hand in a position. The cards before it are no acts.
func (s Session) resume(b *Begun) (Session, error) {
	s.dealt = dealt{leader: b.Deal.Leader, trump: b.Deal.Trump, hands: b.Deal.Hands}
	begun, err := s.begin(b.Deal.Trump, b.Deal.Declarer)
	for _, c := range b.Played {
		if err == nil {
			begun, err = begun.play(c)
		}
	}
	begun.acts, begun.results = s.acts, s.results
	return begun, err
}

// Drawn returns a position that a seat has seen, in which the cards of the others are drawn from a secret: each deal is equally likely.
func Drawn(k *worlds.Knowledge, secret [2]uint64) *Begun {
	p := k.Position(k.Sample(random.New(secret[0], secret[1], 1, streamDeal)))
	return &Begun{Deal: p.Deal(), Played: slices.Clone(k.View().Played)}
}

// leader returns the leader of the present hand.
func (s Session) leader() piquet.Seat {
	if s.setup.Leader != nil {
		return s.setup.Leader.Plus(s.number)
	}
	first := random.Below(random.New(s.setup.Secret[0], s.setup.Secret[1]), 4)
	return piquet.Seat(first).Plus(s.number)
}

// The streams of a hand.
const (
	streamDeal    = 0
	streamPlayers = 1 // and above: see playerStream
)

// playerStream returns the stream of a player: the first of its hand, from which the player is made, or the stream of a card. n is 0, or
// 1 and the number of cards played.
func playerStream(seat piquet.Seat, n int) uint64 { return streamPlayers + uint64(seat) + 4*uint64(n) }
