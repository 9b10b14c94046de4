package bidding

import (
	"cmp"
	"math"
	"slices"

	"roem/internal/engine/belote"
)

// Mean is a mean over the worlds, with its standard error over the groups.
type Mean struct{ Mean, Error float64 }

// Choice is what a trump is worth to the speaker.
type Choice struct {
	Trump  belote.Trump
	Points Mean // the speaker's
	Made   Mean // the probability that the speaker makes the threshold
	Score  Mean // what the speaker writes down above the other
}

// End is how the dealing ends after a pass.
type End struct {
	Chosen bool
	Player belote.Player // who chooses, if Chosen
	Trump  belote.Trump
	Share  float64 // of the groups
}

// Values are what the calls are worth.
type Values struct {
	Choices []Choice // every suit, by the score in hundredths of a point, the best first; equal ones in the order of the deck
	NoTrump Choice   // if nobody chooses
	Pass    Mean     // what the speaker writes down above the other
	Next    []End    // after a pass, the most frequent first
	Chooses bool     // the best call is the first choice, not a pass
	Clear   bool     // each other call is two standard errors worse than the best, or as good in every group
	Groups  int
}

// clearErrors is the number of standard errors of a clear difference.
const clearErrors = 2

// Values returns what the calls are worth by the worlds of Search.
func (d *Dealing) Values(worlds []World) Values {
	groups, each := d.Groups(len(worlds))
	stage := d.Stage()
	e := evaluation{dealing: d, trumps: Trumps(d.Deck), total: d.Total()}
	e.plain = belote.NoTrump.Total(d.Deck)
	speaker := Speaker(stage)
	v := Values{Groups: groups}

	scores := make([][]float64, len(e.trumps)) // by trump, the mean of each group
	var pass []float64
	ends := map[End]int{}
	for g := range groups {
		group := worlds[g*each : (g+1)*each]
		for i := range e.trumps {
			scores[i] = append(scores[i], average(group, func(w World) float64 { return e.score(w, i, speaker) }))
		}
		end := e.after(group, stage)
		ends[end]++
		pass = append(pass, average(group, func(w World) float64 { return e.ended(w, end, speaker) }))
	}
	for i, t := range e.trumps {
		c := Choice{
			Trump: t, Score: meanOf(scores[i]),
			Points: e.grouped(worlds, each, func(w World) float64 { return e.points(w, i, speaker) }),
			Made:   e.grouped(worlds, each, func(w World) float64 { return e.made(w, i, speaker) }),
		}
		if t == belote.NoTrump {
			v.NoTrump = c
		} else {
			v.Choices = append(v.Choices, c)
		}
	}
	slices.SortStableFunc(v.Choices, func(a, b Choice) int { return cmp.Compare(shown(b.Score.Mean), shown(a.Score.Mean)) })
	v.Pass = meanOf(pass)
	v.Chooses = shown(v.Choices[0].Score.Mean) >= shown(v.Pass.Mean)
	best := pass
	if v.Chooses {
		best = scores[slices.Index(e.trumps, v.Choices[0].Trump)]
	}
	v.Clear = isClear(best, pass)
	for i := range v.Choices {
		v.Clear = v.Clear && isClear(best, scores[i])
	}
	for end, n := range ends {
		end.Share = float64(n) / float64(groups)
		v.Next = append(v.Next, end)
	}
	slices.SortFunc(v.Next, func(a, b End) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Player, b.Player), cmp.Compare(a.Trump, b.Trump))
	})
	return v
}

// shown returns a score in hundredths of a point, as answers show it. Calls are compared by it, so that the best call follows from the
// answer. Among equal ones a trump comes before a pass.
func shown(score float64) float64 { return math.Round(score*100) / 100 }

// evaluation reads worlds.
type evaluation struct {
	dealing      *Dealing
	trumps       []belote.Trump
	total, plain int // the points of a hand with and without trump
}

// points returns the points of a player with a trump.
func (e *evaluation) points(w World, trump int, p belote.Player) float64 {
	if p == belote.A {
		return float64(w[trump])
	}
	return float64(e.of(trump)) - float64(w[trump])
}

func (e *evaluation) of(trump int) int {
	if e.trumps[trump] == belote.NoTrump {
		return e.plain
	}
	return e.total
}

// made returns 1 if a player makes the threshold with a trump, and 0 otherwise.
func (e *evaluation) made(w World, trump int, p belote.Player) float64 {
	threshold := e.dealing.Threshold
	if e.trumps[trump] == belote.NoTrump {
		threshold = belote.NoTrump.DefaultThreshold(e.dealing.Deck)
	}
	if e.points(w, trump, p) >= float64(threshold) {
		return 1
	}
	return 0
}

// score returns what a player who has chosen the trump writes down above the other; without trump nobody has.
func (e *evaluation) score(w World, trump int, p belote.Player) float64 {
	if e.trumps[trump] != belote.NoTrump && e.made(w, trump, p) == 0 {
		return -float64(e.total)
	}
	return 2*e.points(w, trump, p) - float64(e.of(trump))
}

// ended returns what a player writes down above the other after an end of the dealing.
func (e *evaluation) ended(w World, end End, p belote.Player) float64 {
	trump := slices.Index(e.trumps, end.Trump)
	score := e.score(w, trump, end.Player)
	if end.Player != p {
		score = -score
	}
	return score
}

// after returns how the dealing ends if the speaker of the stage passes: each later player chooses the trump with its best mean over the
// group, if that is at least its mean after a pass. They decide by the same group, so that the stages after the next one decide without
// the open cards that they will see.
func (e *evaluation) after(group []World, stage int) End {
	end := End{Player: belote.A, Trump: belote.NoTrump}
	for k := Stages; k > stage; k-- {
		p := Speaker(k)
		least := average(group, func(w World) float64 { return e.ended(w, end, p) })
		for i, t := range e.trumps {
			if t == belote.NoTrump {
				continue
			}
			if mean := average(group, func(w World) float64 { return e.score(w, i, p) }); mean > least || mean == least && !end.Chosen {
				least, end = mean, End{Chosen: true, Player: p, Trump: t}
			}
		}
	}
	return end
}

// grouped returns the mean over the worlds, with the standard error over the groups.
func (e *evaluation) grouped(worlds []World, each int, value func(World) float64) Mean {
	var means []float64
	for group := range slices.Chunk(worlds, each) {
		means = append(means, average(group, value))
	}
	return meanOf(means)
}

func average(group []World, value func(World) float64) (sum float64) {
	for _, w := range group {
		sum += value(w)
	}
	return sum / float64(len(group))
}

// meanOf returns the mean of independent values, with its standard error.
func meanOf(values []float64) (m Mean) {
	n := float64(len(values))
	for _, v := range values {
		m.Mean += v / n
	}
	if len(values) < 2 {
		return m
	}
	square := 0.0
	for _, v := range values {
		square += (v - m.Mean) * (v - m.Mean)
	}
	m.Error = math.Sqrt(square / (n - 1) / n)
	return m
}

// isClear reports whether b is worse than the best by two standard errors of the differences, or the same in every group.
func isClear(best, b []float64) bool {
	differences := make([]float64, len(best))
	same := true
	for i := range best {
		differences[i] = best[i] - b[i]
		same = same && differences[i] == 0
	}
	m := meanOf(differences)
	return same || m.Mean >= clearErrors*m.Error && m.Mean > 0
}
