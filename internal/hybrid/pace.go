package hybrid

import (
	"sync"
	"time"
)

// Pace is how fast searches are at present, learned from those that were made. It is safe for concurrent use.
type Pace struct {
	mu    sync.Mutex
	cards float64
	took  time.Duration
}

const (
	// firstPace is the speed that is believed before one has been measured, in cards a second: that of a core of the machine
	// of docs/hybrid.md.
	firstPace = 13e6
	// firstWeight is how much searching the first speed counts for, guessed or measured.
	firstWeight = 100 * time.Millisecond
	// maxWeight is after how much searching the past counts for half.
	maxWeight = 10 * time.Second
)

// NewPace returns a pace that has seen no search.
func NewPace() *Pace {
	return &Pace{cards: firstPace * firstWeight.Seconds(), took: firstWeight}
}

// Believe takes the speed of searches that were made to measure it, so many cards in that time, in the place of the guess
// and of all that was learned before.
func (p *Pace) Believe(cards uint64, took time.Duration) {
	if took <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cards = float64(cards) / took.Seconds() * firstWeight.Seconds()
	p.took = firstWeight
}

// Note learns from a search that played so many cards.
func (p *Pace) Note(cards uint64, took time.Duration) {
	if took <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cards += float64(cards)
	p.took += took
	if p.took > maxWeight {
		p.cards /= 2
		p.took /= 2
	}
}

// PerSecond returns the cards that a search plays in a second, at least 1.
func (p *Pace) PerSecond() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.cards/p.took.Seconds())
}
