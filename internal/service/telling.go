package service

import (
	"context"

	"roem/internal/computation"
)

// AskTelling is Ask for a client that is told the progress of the computation, unless tell is nil.
func AskTelling[R any](ctx context.Context, s *Service, q TypedQuery[R], tell func(computation.Progress)) (Answer[R], error) {
	answer, ok, err := q.Known(ctx)
	if ok || err != nil {
		return answer, err
	}
	result, err := s.computations.Do(ctx, q.Computation(), computation.Urgent, tell, 0)
	if err != nil {
		return Answer[R]{}, s.computationError(err)
	}
	return q.Answer(result)
}
