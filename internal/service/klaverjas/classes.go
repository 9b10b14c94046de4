package klaverjas

import (
	"fmt"
	"math"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/model/klaverjas/distribution"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
)

// ClassEffort returns the effort that the suit distribution of a deal alone suggests, for the system of its rules.
func ClassEffort(rules klaverjas.Rules, deal klaverjas.Deal) hybrid.Hardness {
	return classEffort(index.ClassOf(deal), rules.System, deal.Declarer == deal.Leader.Team())
}

// classEffort is ClassEffort for a class. leaders says that the leader's team declares.
func classEffort(class index.Class, system klaverjas.System, leaders bool) hybrid.Hardness {
	r := distribution.Default().Of(system, leaders)
	return hybrid.Hardness{Log10: r.Log10(distribution.FeaturesOf(class)), Sigma: r.Sigma}
}

// outDistribution returns what the suit distribution of a deal says about a search.
func (g *Game) outDistribution(class index.Class, effort hybrid.Hardness) (api.KlaverjasDistribution, error) {
	number, err := index.ClassNumber(class)
	return api.KlaverjasDistribution{
		Class: int(number), Spread: math.Round(1000*class.Spread()) / 1000, Nodes: int64(math.Round(effort.Mean())),
		Hard: hybrid.DefaultRule().IsHard(effort),
	}, err
}

func outClass(class index.Class, number int) api.KlaverjasDealClass {
	counts := make([][]int, len(class))
	for i, row := range class {
		for _, n := range row {
			counts[i] = append(counts[i], int(n))
		}
	}
	return api.KlaverjasDealClass{Number: number, Counts: counts, Deals: strconv.FormatUint(class.Size(), 10)}
}

// ClassQuery is a request for a class, with how to draw a deal of it.
type ClassQuery struct {
	class  index.Class
	trump  piquet.Suit
	leader piquet.Seat
	seed   uint64
}

// ParseClass reads the body of classes.
var ParseClass = service.BodyOf("KlaverjasClassRequest", func(_ *Game, in classBody) (ClassQuery, error) {
	var (
		q   ClassQuery
		vs  service.Problems
		err error
	)
	q.trump, q.leader = defaultTrump, defaultLeader
	if in.Trump != nil {
		q.trump, err = piquet.ParseSuit(*in.Trump)
		vs.Add("/trump", err)
	}
	if in.Leader != nil {
		q.leader, err = piquet.ParseSeat(*in.Leader)
		vs.Add("/leader", err)
	}
	q.seed, err = service.SeedOf(in.Seed)
	vs.Add("/seed", err)
	switch {
	case in.Class != nil && in.Counts != nil:
		vs.Add("/class", violation.New(violation.OnlyOneOf, "is given together with counts: give only one of them").OneOf("class", "counts"))
	case in.Class != nil:
		q.class, err = index.ClassAt(uint32(*in.Class))
		vs.Add("/class", err)
	case in.Counts != nil:
		q.class = classOfCounts(in.Counts, &vs)
	default:
		vs.Add("/counts", violation.New(violation.Missing, "is missing: give counts, or class with a number").OneOf("counts", "class"))
	}
	return q, vs.Err()
})

// classOfCounts returns the class with the counts, which are four rows of four numbers from 0 to 8. It adds violations to vs.
func classOfCounts(counts [][]int, vs *service.Problems) (c index.Class) {
	var columns [4]int
	for hand, row := range counts {
		sum := 0
		for suit, n := range row {
			c[hand][suit] = uint8(n)
			sum += n
			columns[suit] += n
		}
		if sum != handSize {
			vs.Add(fmt.Sprintf("/counts/%d", hand), violation.New(violation.WrongCount, "adds up to %d, expected %d", sum, handSize).Of(sum))
		}
	}
	for suit, sum := range columns {
		if sum != handSize {
			vs.Add("/counts", violation.New(violation.WrongCount, "column %d adds up to %d, expected %d", suit+1, sum, handSize).Of(sum))
		}
	}
	return c
}

// handSize is the number of cards of a hand, and of a suit.
const handSize = klaverjas.HandSize

// IndexClass returns a class, and a deal of it.
func (g *Game) IndexClass(q ClassQuery) (api.KlaverjasClass, error) {
	hands, err := index.RandomOfClass(index.NewRand(q.seed), q.class, q.trump, q.leader)
	if err != nil {
		return api.KlaverjasClass{}, err
	}
	deal, err := g.numbered(klaverjas.Deal{Trump: q.trump, Leader: q.leader, Declarer: q.leader.Team(), Hands: hands})
	if err != nil {
		return api.KlaverjasClass{}, err
	}
	about, err := g.outDistribution(q.class, classEffort(q.class, klaverjas.Rotterdam, true))
	if err != nil {
		return api.KlaverjasClass{}, err
	}
	out := api.KlaverjasClass{
		Class: deal.Class, Spread: about.Spread, Nodes: about.Nodes, Hard: about.Hard, Mirrors: []int{},
		Position: deal.Position, Deal: deal.Deal, Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	for _, mirror := range q.class.Mirrors() {
		number, err := index.ClassNumber(mirror)
		if err != nil {
			return api.KlaverjasClass{}, err
		}
		out.Mirrors = append(out.Mirrors, int(number))
	}
	return out, nil
}

// ClassAtParams are the parameters of a class by its number, which is in the path.
type ClassAtParams struct {
	Index string `json:"index"` // a decimal number
	api.KlaverjasClassAtParams
}

// ClassAt returns the class with the number.
func (g *Game) ClassAt(in ClassAtParams) (api.KlaverjasClass, error) {
	var (
		q   ClassQuery
		vs  service.Problems
		err error
	)
	q.trump, q.leader, vs = trumpAndLeader(in.Trump, in.Leader)
	q.seed, err = service.SeedOf(in.Seed)
	vs.AddIn("seed", err)
	number, err := strconv.ParseUint(in.Index, 10, 32)
	switch {
	case !service.Decimal(in.Index):
		vs.AddIn("index", violation.New(violation.WrongForm, "is not a decimal number of at most 20 digits").Of(in.Index))
	case err != nil || number >= index.Classes:
		vs.AddIn("index", violation.New(violation.TooLarge, "is not the number of a class: numbers go from 0 to %d",
			index.Classes-1).Of(in.Index))
	default:
		q.class, err = index.ClassAt(uint32(number))
		vs.AddIn("index", err)
	}
	if err := vs.Err(); err != nil {
		return api.KlaverjasClass{}, err
	}
	return g.IndexClass(q)
}
