package test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
)

// stormRequest is a request of the storm, and the check of its answer.
type stormRequest struct {
	op     stormOperation
	target string // the path with its parameters
	prefer string
	key    string // Idempotency-Key
	body   []byte
	right  func(body []byte) error // checks the answer, or the result of the job if the answer is a job
	isJob  bool                    // the answer is always a job
	events bool                    // it asks for a stream of answers

	session stormPlay // of a request for a session: the last answer
}

// newStormRequest returns a request for an operation that is on a deal or has no body.
func newStormRequest(op stormOperation, rng *rand.Rand, deals []stormDeal, at int) stormRequest {
	q := stormRequest{op: op, target: op.path}
	near := func() *stormDeal { return &deals[(at+rng.IntN(3))%len(deals)] }
	d := near()
	set := func(body map[string]any, right func([]byte) error) {
		q.body, q.right = mustJSON(body), right
	}
	steady := func(body map[string]any) {
		set(body, nil)
		q.right = sameAnswer(op.path, q.body)
	}
	switch op {
	case opSolve:
		goal := []string{"win", "value", "moves"}[rng.IntN(3)]
		set(with(d.position, "goal", goal), func(b []byte) error { return d.right(goal, b) })
	case opAnalyse:
		n := 2 + rng.IntN(3)
		set(with(d.position, "played", d.solution.Line[:n]), func(b []byte) error { return d.rightAnalysis(n, b) })
	case opTable:
		set(map[string]any{"leader": stormLeader, "hands": d.hands}, d.rightTable)
	case opAdvise:
		set(d.view(stormWorlds), d.rightAdvice)
		if q.events = rng.IntN(3) == 0; q.events {
			q.right = func(b []byte) error { return rightRefined(b, d.rightAdvice) }
		}
	case opReview:
		body := with(with(d.position, "played", d.solution.Line[:1+rng.IntN(4)]), "seat", stormLeader)
		set(with(body, "worlds", stormWorlds), d.rightReview)
	case opEvening:
		hand := with(map[string]any{"game": "klaverjas"}, "position", with(d.position, "played", d.solution.Line[:rng.IntN(4)]))
		set(map[string]any{"text": string(mustJSON(hand)), "worlds": stormWorlds}, d.rightEvening)
	case opLegalMoves:
		set(d.position, d.rightLegal)
	case opScore:
		set(with(d.position, "played", d.solution.Line), d.rightScore)
	case opPredict:
		set(d.position, d.rightPrediction)
	case opHybrid:
		set(withBudget(rng, with(d.position, "min_confidence", 1)), d.rightHybrid)
	case opPredictBatch, opFeatures, opHybridBatch, opSolveBatch:
		var chosen []stormDeal
		for range 1 + rng.IntN(4) {
			chosen = append(chosen, *near())
		}
		body := map[string]any{"positions": positionsOf(chosen)}
		goal := "value"
		switch op {
		case opHybridBatch:
			withBudget(rng, body)["min_confidence"] = 1
		case opSolveBatch:
			goal = []string{"win", "value", "moves"}[rng.IntN(3)]
			body["goal"] = goal
		}
		set(body, func(b []byte) error {
			return rightList(b, chosen, func(d *stormDeal, item []byte) error {
				switch op {
				case opPredictBatch:
					return d.rightPrediction(item)
				case opFeatures:
					return rightFeatures(item)
				case opHybridBatch:
					return d.rightHybrid(item)
				default:
					return d.right(goal, item)
				}
			})
		})
	case opStrength:
		set(d.strengthRequest(), d.rightStrength)
	case opStrengths:
		var chosen []stormDeal
		var hands []map[string]any
		for range 1 + rng.IntN(4) {
			chosen = append(chosen, *near())
			hands = append(hands, chosen[len(chosen)-1].strengthRequest())
		}
		set(map[string]any{"hands": hands}, func(b []byte) error {
			return rightList(b, chosen, (*stormDeal).rightStrength)
		})
	case opBid:
		set(d.bidRequest(), d.rightBid)
	case opPlay:
		set(d.playRequest(), d.rightPlay)
	case opMatch:
		q.isJob = true
		set(d.matchRequest(), d.rightMatch)
	case opCreateSession:
		body, session := d.sessionRequest(rng)
		q.session = session
		set(body, session.right)
	case opBeloteCreateSession:
		session := new(stormBeloteSession)
		q.session = session
		set(beloteSessionRequest(rng), session.right)
	case opGinCreateSession:
		session := new(stormGinSession)
		q.session = session
		set(ginSessionRequest(rng), session.right)
	case opTarokCreateSession:
		session := new(stormTarokSession)
		q.session = session
		set(tarokSessionRequest(rng), session.right)
	case opBeloteSolve, opBeloteAnalyse, opBeloteReview, opBeloteLegal, opBeloteAdvise:
		v := &beloteVectors()[(at+rng.IntN(3))%beloteCount]
		if op == opBeloteAdvise && rng.IntN(2) == 0 {
			steady(v.view(rng.IntN(2)))
			break
		}
		set(v.request(op), v.right(op))
	case opBeloteCompare:
		steady(map[string]any{"suits": []int{1}, "deals": 1 + rng.IntN(3), "seed": fmt.Sprint(rng.IntN(50))})
	case opBeloteBid:
		card := []string{"7H", "9H", "JH", "AH"}[rng.IntN(4)]
		steady(map[string]any{
			"suits": []string{"H"}, "open": map[string]any{"A": []string{card}, "B": []string{}}, "worlds": 9,
			"seed": fmt.Sprint(rng.IntN(5)),
		})
	case opBeloteScore:
		points := rng.IntN(163)
		set(map[string]any{"made": map[string]any{"declarer": "A", "points": map[string]int{"A": points, "B": 162 - points}}},
			rightBeloteScore(points))
	case opBeloteMatch:
		q.isJob = true
		steady(map[string]any{"a": "simple", "b": "sampling:2", "deals": 1 + rng.IntN(3), "suits": 1, "seed": fmt.Sprint(rng.IntN(50))})
	case opTarokSolve, opTarokLegal, opTarokScore, opTarokWorlds, opTarokReview:
		v := &tarokVectors()[(at+rng.IntN(3))%tarokCount]
		set(v.request(op), v.right(op))
	case opTarokComplexity:
		steady(map[string]any{"playouts": 1 + rng.IntN(60), "seed": fmt.Sprint(rng.IntN(5))})
	case opTarokBid, opTarokExchange, opTarokAnnounce, opTarokAdvise:
		steady(tarokVectors()[(at+rng.IntN(3))%tarokCount].decision(op))
	case opTarokMatch:
		q.isJob = true
		steady(map[string]any{
			"a": "heuristic", "b": "random", "deals": 1 + rng.IntN(3), "hands": 1 + rng.IntN(3),
			"seed": fmt.Sprint(rng.IntN(50)),
		})
	case opTarokDeal:
		q.target += fmt.Sprintf("?seed=%d", rng.IntN(1000))
		q.right = isObject
	case opBeloteDeal:
		q.target += fmt.Sprintf("?seed=%d", rng.IntN(1000))
		q.right = isObject
	case opGinMelds, opGinScore, opGinEstimate, opGinEstimates, opGinAdvise, opGinReview, opGinMatch:
		q.isJob = op == opGinMatch
		set(ginRequest(op, rng))
	case opRecordsConvert:
		set(recordRequest(rng))
	case opGinDeal:
		q.target += fmt.Sprintf("?seed=%d", rng.IntN(1000))
		q.right = isObject
	case opIndexDeal:
		set(d.position, d.rightDeal)
	case opDealAt:
		q.target = strings.ReplaceAll(op.path, "{index}", d.solution.Deal.Index) + "?trump=" + stormTrump + "&leader=" + stormLeader
		q.right = d.rightDeal
	case opClass:
		steady(map[string]any{"class": rng.IntN(981_541), "seed": fmt.Sprint(rng.IntN(50))})
	case opClassAt:
		q.target = strings.ReplaceAll(op.path, "{index}", fmt.Sprint(rng.IntN(981_541))) + fmt.Sprintf("?seed=%d", rng.IntN(1000))
		q.right = isObject
	case opRandomDeal:
		q.target += fmt.Sprintf("?seed=%d", rng.IntN(1000))
		q.right = isObject
	case opPicture:
		q.target += "?t=" + stormTrump + "&l=" + stormLeader + "&d=" + stormTeam + "&h=" + d.holders() + []string{"", "&theme=dark"}[rng.IntN(2)]
		q.right = rightPicture
	case opModel, opOperations:
		q.right = isObject
	case opKnowledge, opCheck, opCardModel, opWorlds:
		steady(d.knowledgeRequest(op, rng))
	case opPuzzles:
		q.target += "?theme=" + []string{"lead", "nat", "endgame"}[rng.IntN(3)]
		q.right = isObject
	case opDailyPuzzle:
		q.target += fmt.Sprintf("?date=2027-01-%02d", 1+rng.IntN(31))
		q.right = isObject
	case opPuzzle, opSolution, opPuzzleAnswer:
		q.target = strings.ReplaceAll(op.path, "{id}", stormPuzzle)
		if op == opPuzzleAnswer {
			q.target += "?cards=" + []string{"8D", "8D,AD", "AD"}[rng.IntN(3)]
		}
		q.right = isObject
	case opListJobs:
		q.target += fmt.Sprintf("?limit=%d", 1+rng.IntN(20))
		if rng.IntN(2) == 0 {
			q.target += "&status=" + []string{"queued", "running", "cancelled"}[rng.IntN(3)]
		}
		q.right = isObject
	case opCreateJob:
		kinds := slices.SortedFunc(maps.Keys(jobKinds), func(a, b stormOperation) int { return strings.Compare(a.path, b.path) })
		of := kinds[rng.IntN(len(kinds))]
		inner := newStormRequest(of, rng, deals, at)
		q.body, q.right, q.isJob = mustJSON(map[string]any{"kind": jobKinds[of], "request": json.RawMessage(inner.body)}), inner.right, true
	}
	switch op {
	case opSolve, opAnalyse, opTable, opSolveBatch, opAdvise, opReview, opEvening, opPlay, opStrength, opStrengths, opBeloteSolve,
		opBeloteAnalyse, opBeloteReview, opBeloteCompare, opBeloteAdvise, opBeloteBid, opGinReview,
		opTarokBid, opTarokExchange, opTarokAnnounce, opTarokAdvise, opTarokReview:
		q.prefer = []string{"", "", "", "", "wait=0", "wait=1", "respond-async", "respond-async, wait=1"}[rng.IntN(8)]
	case opCreateJob, opMatch, opBeloteMatch, opGinMatch, opTarokMatch:
		if rng.IntN(4) == 0 {
			q.key = fmt.Sprintf("storm-%d", rng.Uint64())
		}
	}
	return q
}

// ofJob returns a request about a job. Its result is checked like the result of the request that created the job.
func ofJob(op stormOperation, id string, rng *rand.Rand, right func([]byte) error) stormRequest {
	q := stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", url.PathEscape(id)), right: right, isJob: op != opJobToken}
	if op == opGetJob && rng.IntN(2) == 0 {
		q.target += fmt.Sprintf("?wait=%d", rng.IntN(3))
	}
	return q
}

// with returns a copy of the body with another field.
func with(body map[string]any, name string, value any) map[string]any {
	out := maps.Clone(body)
	out[name] = value
	return out
}

// withBudget adds one of several budgets to the body, some too small for a search, or none.
func withBudget(rng *rand.Rand, body map[string]any) map[string]any {
	if budget := []float64{-1, 0, 0.5, 5, 50}[rng.IntN(5)]; budget >= 0 {
		body["budget_ms"] = budget
	}
	return body
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// rightFeatures checks the features of a deal: 143, of which the first say who holds each card, eight of each seat.
func rightFeatures(item []byte) error {
	var got struct{ Values []float64 }
	if err := json.Unmarshal(item, &got); err != nil {
		return err
	}
	if len(got.Values) != 143 {
		return fmt.Errorf("%d features", len(got.Values))
	}
	var held [4]int
	for _, seat := range got.Values[:32] {
		held[int(seat)]++
	}
	if held != [4]int{8, 8, 8, 8} {
		return fmt.Errorf("the seats hold %v cards", held)
	}
	return nil
}
