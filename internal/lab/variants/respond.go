package variants

import (
	"context"
	"math"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/playout"
)

// response is the best response to players of a policy: expectimax in the game with hidden cards. The other seats play as the policy does, from
// what they see. The seat chooses the card with the best mean over the worlds that are left, weighted with the probability of what the others
// have played in them since. After the planned choices its own cards are the policy's too. With one planned choice the values are those of playouts.
type response struct {
	q      *advice.Question
	policy playout.Policy
	worlds []advice.Sampled
	seat   cards.Seat
	sign   float64
	heat   float64 // the temperature of the others' choices; 0 means their likeliest card
	logits [32]float32
}

func newResponse(q *advice.Question, policy playout.Policy, worlds []advice.Sampled, heat float64) *response {
	v := q.Knowledge().View()
	return &response{q: q, policy: policy, worlds: worlds, seat: v.Seat, sign: sign(&v), heat: heat}
}

// reached is a world with the weight that it has left.
type reached struct {
	world  int
	weight float64
}

// negligible is the probability below which another seat's card is left out.
const negligible = 0.02

// values returns the mean value of each legal card. moves is the number of the seat's own choices that are planned, at least 1.
func (r *response) values(ctx context.Context, moves int) ([]float64, error) {
	view := r.q.Knowledge().View()
	table := playout.TableOf(&view)
	all, weight := make([]reached, len(r.worlds)), 0.0
	for i, w := range r.worlds {
		all[i] = reached{i, w.Weight}
		weight += w.Weight
	}
	values := make([]float64, len(r.q.Cards()))
	for i, c := range r.q.Cards() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := table
		next.Play(c)
		values[i] = r.value(&next, all, moves-1) / weight
	}
	return values, nil
}

// held returns the cards that a seat holds in a world.
func (r *response) held(t *playout.Table, world int, seat cards.Seat) cards.Set {
	return r.worlds[world].World[seat] &^ t.Gone
}

// value returns the sum of the values of worlds by weight, where the seat plans that many more choices.
func (r *response) value(t *playout.Table, worlds []reached, moves int) float64 {
	sum := 0.0
	if t.Finished() {
		for _, w := range worlds {
			sum += w.weight
		}
		return sum * r.sign * float64(t.Outcome())
	}
	turn := t.Turn()
	if turn != r.seat {
		return r.others(t, worlds, moves)
	}
	own := r.held(t, worlds[0].world, turn)
	legal := t.Legal(own)
	if legal.Len() > 1 && moves == 0 {
		r.policy.Logits(t, own, legal, &r.logits)
		legal = cards.SetOf(playout.Likeliest(&r.logits, legal))
	} else if legal.Len() > 1 {
		moves--
	}
	best := math.Inf(-1)
	for c := range legal.All() {
		next := *t
		next.Play(c)
		best = max(best, r.value(&next, worlds, moves))
	}
	return best
}

// others is value where another seat is to play.
func (r *response) others(t *playout.Table, worlds []reached, moves int) float64 {
	turn := t.Turn()
	known := map[cards.Set]*[32]float64{}
	var groups [32][]reached
	for _, w := range worlds {
		own := r.held(t, w.world, turn)
		p := known[own]
		if p == nil {
			p = new([32]float64)
			known[own] = p
			r.chances(t, own, p)
		}
		for c := range own.All() {
			if p[c] > 0 {
				groups[c] = append(groups[c], reached{w.world, w.weight * p[c]})
			}
		}
	}
	sum := 0.0
	for c, group := range &groups {
		if len(group) > 0 {
			next := *t
			next.Play(cards.Card(c))
			sum += r.value(&next, group, moves)
		}
	}
	return sum
}

// chances writes how likely the seat to play plays each of its cards.
func (r *response) chances(t *playout.Table, own cards.Set, p *[32]float64) {
	legal := t.Legal(own)
	if legal.Len() == 1 {
		p[legal.First()] = 1
		return
	}
	r.policy.Logits(t, own, legal, &r.logits)
	if r.heat <= 0 {
		p[playout.Likeliest(&r.logits, legal)] = 1
		return
	}
	for c := range legal.All() {
		r.logits[c] /= float32(r.heat)
	}
	playout.Probabilities(&r.logits, legal, p)
	sum := 0.0
	for c := range legal.All() {
		if p[c] < negligible {
			p[c] = 0
		}
		sum += p[c]
	}
	for c := range legal.All() {
		p[c] /= sum
	}
}
