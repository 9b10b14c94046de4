package hybrid

import (
	"sync"
	"time"
)

// Pace is the current speed of searches, estimated from recent searches. It is safe for concurrent use.
type Pace struct {
	mu    sync.Mutex
	cards float64
	took  time.Duration
}

const (
	// firstPace is the speed that is assumed before the first measurement, in cards a second. It is the speed of a core of the
	// machine of lab/docs/klaverjas/hybrid.md.
	firstPace = 13e6
	// firstWeight is the weight of the first speed, assumed or measured, as a search time.
	firstWeight = 100 * time.Millisecond
	// maxWeight is the search time after which the weight of earlier searches is halved.
	maxWeight = 10 * time.Second
)

// NewPace returns a pace without measurements.
func NewPace() *Pace {
	return &Pace{cards: firstPace * firstWeight.Seconds(), took: firstWeight}
}

// Reset sets the speed to the speed of test searches, which played the given number of cards in the given time. It replaces the
// assumed speed and all earlier measurements.
func (p *Pace) Reset(cards uint64, took time.Duration) {
	if took <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cards = float64(cards) / took.Seconds() * firstWeight.Seconds()
	p.took = firstWeight
}

// Note records a search that played the given number of cards.
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

// PerSecond returns the number of cards that a search plays in a second, at least 1.
func (p *Pace) PerSecond() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.cards/p.took.Seconds())
}
