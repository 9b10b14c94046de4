package service

import (
	"context"

	"roem/internal/computation"
)

// AnswerTelling is Answer for a client that is told the progress of the computation, unless tell is nil.
func (s *Service) AnswerTelling(ctx context.Context, q Query, tell func(computation.Progress)) (Answer, error) {
	answer, ok, err := q.Known(ctx)
	if ok || err != nil {
		return answer, err
	}
	result, err := s.computations.Do(ctx, q.Computation(), computation.Urgent, tell, 0)
	if err != nil {
		return Answer{}, s.computationError(err)
	}
	return q.Answer(result)
}
