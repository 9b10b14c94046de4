package service

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
)

// Work is a request that can be answered at once or become a job.
type Work struct {
	kind    api.JobKind
	payload []byte // the request as JSON
	request any    // the same as api.SolveRequest, api.Position, api.TableRequest or Batch
}

// Kind returns which operation it is for.
func (w *Work) Kind() api.JobKind { return w.kind }

// Batch is many positions with one goal. What is wrong with one of them is known, and spoils no other.
type Batch struct {
	goal  search.Goal
	items []batchItem
}

// batchItem is a position or what is wrong with it.
type batchItem struct {
	position position
	err      error
}

// Work reads the body of the operation of a kind.
func (d *Decoder) Work(kind api.JobKind, body []byte) (*Work, error) {
	w := &Work{kind: kind, payload: body}
	var err error
	switch kind {
	case api.JobKindKlaverjasSolve:
		w.request, err = d.Solve(body)
	case api.JobKindKlaverjasAnalyse:
		w.request, err = d.Position(body)
	case api.JobKindKlaverjasTable:
		w.request, err = d.Table(body)
	case api.JobKindKlaverjasSolveBatch:
		w.request, err = d.SolveBatch(body)
	default:
		err = malformed(Violation{Pointer: "/kind", Detail: fmt.Sprintf("%.40q is no kind of job", kind)})
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Job reads the body of a request for a job, and the request in it as its operation would.
func (d *Decoder) Job(body []byte) (*Work, error) {
	outer, err := decode[api.JobRequest](d, body, "JobRequest")
	if err != nil {
		return nil, err
	}
	work, err := d.Work(outer.Kind, outer.Request)
	if err != nil {
		return nil, below("/request", err)
	}
	// What needs no search to be found impossible must not become a job that fails.
	if _, err := work.key(); err != nil {
		return nil, below("/request", err)
	}
	return work, nil
}

// anyRequest returns the schema of a request for a job with any object in place of the request of the operation.
func anyRequest(schema *openapi3.Schema) (*openapi3.Schema, error) {
	out := *schema
	out.Properties = maps.Clone(schema.Properties)
	out.Properties["request"] = &openapi3.SchemaRef{Value: openapi3.NewObjectSchema()}
	return &out, nil
}

// SolveBatch reads the body of solve/batch. What is wrong with a position alone is the error of its item.
func (d *Decoder) SolveBatch(body []byte) (Batch, error) {
	rest, items, err := decodeList[api.SolveBatchRequest](d, body, "SolveBatchRequest")
	if err != nil {
		return Batch{}, err
	}
	b := Batch{items: make([]batchItem, len(items))}
	if b.goal, err = newGoal(rest.Goal); err != nil {
		return Batch{}, err
	}
	for i, item := range items {
		one := &b.items[i]
		if one.err = item.Err; one.err == nil {
			one.position, err = newPosition(item.Position)
			one.err = inList(err, i)
		}
	}
	return b, nil
}

// below puts the violations of an error under a pointer.
func below(pointer string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || len(e.Violations) == 0 {
		return err
	}
	moved := *e
	moved.Violations = slices.Clone(e.Violations)
	for i := range moved.Violations {
		moved.Violations[i].Pointer = short(pointer + moved.Violations[i].Pointer)
	}
	switch e.Kind {
	case Malformed:
		moved.Detail = malformed(moved.Violations...).Detail
	case Impossible:
		moved.Detail = impossible(moved.Violations...).Detail
	default: // their details name no place
	}
	return &moved
}

// key names the work: equal keys stand for equal answers, however the requests were written. Its error is that of the
// operation for a request that is impossible.
func (w *Work) key() ([]byte, error) {
	key := append(appendVersions(nil), w.kind...)
	switch r := w.request.(type) {
	case api.SolveRequest:
		p, goal, err := newQuestion(r)
		if err != nil {
			return nil, err
		}
		return p.appendTo(append(key, byte(goal))), nil
	case api.Position:
		p, err := newPlayed(r)
		if err != nil {
			return nil, err
		}
		return p.appendTo(key), nil
	case api.TableRequest:
		rules, leader, hands, err := newUntrumped(r)
		if err != nil {
			return nil, err
		}
		key = append(appendRules(key, rules), byte(leader))
		for _, hand := range hands {
			key = binary.BigEndian.AppendUint32(key, uint32(hand))
		}
		return key, nil
	case Batch:
		key = append(key, byte(r.goal))
		for _, item := range r.items {
			one := item.position.appendTo(nil)
			if item.err != nil {
				var err error
				if one, err = json.Marshal(Problem(item.err, "")); err != nil {
					return nil, err
				}
			}
			key = binary.AppendUvarint(append(key, flag(item.err != nil)), uint64(len(one)))
			key = append(key, one...)
		}
		return key, nil
	default:
		return nil, fmt.Errorf("work of the type %T", w.request)
	}
}

// digest is the key in a form of bounded length, for a version of the program.
func (w *Work) digest(version string) (string, error) {
	key, err := w.key()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(binary.AppendUvarint(nil, uint64(len(version))))
	sum.Write([]byte(version))
	sum.Write(key)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// appendTo writes the position in its own seats and suits.
func (p position) appendTo(b []byte) []byte {
	deal := p.start.Deal()
	b = append(appendRules(b, p.start.Rules()), byte(deal.Trump), byte(deal.Leader), byte(deal.Declarer))
	b = binary.BigEndian.AppendUint64(b, index.Rank(deal))
	for _, card := range p.played {
		b = append(b, byte(card))
	}
	return b
}

// do answers the work.
func (s *Service) do(ctx context.Context, w *Work) (any, error) {
	switch r := w.request.(type) {
	case api.SolveRequest:
		return s.Solve(ctx, r)
	case api.Position:
		return s.Analyse(ctx, r)
	case api.TableRequest:
		return s.Table(ctx, r)
	case Batch:
		return s.SolveBatch(ctx, r)
	default:
		return nil, fmt.Errorf("work of the type %T", w.request)
	}
}
