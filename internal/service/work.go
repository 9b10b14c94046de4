package service

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/dealindex"
)

// Work is a request that can be answered at once or become a job.
type Work struct {
	kind    api.JobKind
	payload []byte // the request as JSON
	request any    // the same as SolveQuery, AnalysisQuery, TableQuery or Batch
}

// Kind returns which operation it is for.
func (w *Work) Kind() api.JobKind { return w.kind }

// Work reads the body of the operation of a kind.
func (d *Decoder) Work(kind api.JobKind, body []byte) (*Work, error) {
	w := &Work{kind: kind, payload: body}
	var err error
	switch kind {
	case api.JobKindSolve:
		w.request, err = d.Solve(body)
	case api.JobKindAnalyse:
		w.request, err = d.Analyse(body)
	case api.JobKindTable:
		w.request, err = d.Table(body)
	case api.JobKindSolveBatch:
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
	var outer api.JobRequest
	if unmarshal(body, &outer) == nil {
		if work, err := d.Work(outer.Kind, outer.Request); err == nil && work.whole() {
			return work, nil
		}
	}
	// The whole body is read as strictly as any other, the items of a list with it.
	outer, err := decodeBySchema[api.JobRequest](d.schemas, body, "JobRequest")
	if err != nil {
		return nil, err
	}
	work, err := d.Work(outer.Kind, outer.Request)
	if err != nil {
		return nil, below("/request", err)
	}
	return work, nil
}

// whole reports whether nothing is wrong with any item of the work.
func (w *Work) whole() bool {
	batch, _ := w.request.(Batch)
	for _, item := range batch.items {
		if item.Err != nil {
			return false
		}
	}
	return true
}

// anyRequest returns the schema of a request for a job with any object in place of the request of the operation.
func anyRequest(schema *openapi3.Schema) (*openapi3.Schema, error) {
	return withProperty(schema, "request", openapi3.NewObjectSchema()), nil
}

// key names the work: equal keys stand for equal answers, however the requests were written.
func (w *Work) key() ([]byte, error) {
	key := append(appendVersions(nil), w.kind...)
	switch r := w.request.(type) {
	case SolveQuery:
		return r.position.appendTo(append(key, byte(r.goal()))), nil
	case AnalysisQuery:
		return r.position.appendTo(key), nil
	case TableQuery:
		key = append(appendRules(key, r.rules), byte(r.leader))
		for _, hand := range r.hands {
			key = binary.BigEndian.AppendUint32(key, uint32(hand))
		}
		return key, nil
	case Batch:
		key = append(key, byte(r.goal))
		for _, item := range r.items {
			one := item.Value.appendTo(nil)
			if item.Err != nil {
				var err error
				if one, err = json.Marshal(Problem(item.Err, "")); err != nil {
					return nil, err
				}
			}
			key = binary.AppendUvarint(append(key, flag(item.Err != nil)), uint64(len(one)))
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
	b = binary.BigEndian.AppendUint64(b, dealindex.Rank(deal))
	for _, card := range p.played {
		b = append(b, byte(card))
	}
	return b
}

// do answers the work.
func (s *Service) do(ctx context.Context, w *Work) (any, error) {
	switch r := w.request.(type) {
	case SolveQuery:
		return s.Solve(ctx, r)
	case AnalysisQuery:
		return s.Analyse(ctx, r)
	case TableQuery:
		return s.Table(ctx, r)
	case Batch:
		return s.SolveBatch(ctx, r)
	default:
		return nil, fmt.Errorf("work of the type %T", w.request)
	}
}
