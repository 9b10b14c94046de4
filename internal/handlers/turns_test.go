package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/computation"
	"roem/internal/testkit"
)

// Requests of a client that wait for a slot do not keep it from answers that need none.
func TestWaitingRequestsLeaveCheapOnes(t *testing.T) {
	s, _ := occupied(t, 300, computation.Limits{}, nil)
	n := runtime.GOMAXPROCS(0) + 1
	sure := with(`"min_confidence": 1`)
	for name, one := range map[string]struct{ path, body string }{
		"hybrid":       {"/v1/klaverjas/hybrid", sure},
		"hybrid/batch": {"/v1/klaverjas/hybrid/batch", `{"positions": [` + someDeal + `], "min_confidence": 1}`},
		"bid":          {"/v1/klaverjas/bid", ofBid(`"flow": "free"`)},
		"advise":       {"/v1/gin-rummy/advise", ginSituation(``)},
		"worlds":       {"/v1/tarok/worlds", ofTarokHand(`"method": "clustered", "seed": "1"`)},
		"complexity":   {"/v1/tarok/complexity", `{"playouts": 10, "seed": "1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			before := s.service.Load().Waiting
			ctx, cancel := context.WithCancel(context.Background())
			var all sync.WaitGroup
			defer all.Wait()
			defer cancel()
			for i := range n {
				body := one.body
				if name == "hybrid" { // equal searches would be one
					body = fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d", "min_confidence": 1}`, i)
				}
				all.Go(func() {
					s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, one.path, body).WithContext(ctx))
				})
			}
			until(t, "the requests to wait", func() bool { return s.service.Load().Waiting > before })
			short, end := context.WithTimeout(t.Context(), testkit.Patience)
			defer end()
			for path, body := range map[string]string{
				"/v1/klaverjas/legal-moves":   legalDeal,
				"/v1/klaverjas/predict/batch": `{"positions": [` + someDeal + `]}`,
				"/v1/klaverjas/features":      `{"positions": [` + someDeal + `]}`,
			} {
				for range 2 * n {
					w := httptest.NewRecorder()
					s.ServeHTTP(w, request(http.MethodPost, path, body).WithContext(short))
					status(t, w, http.StatusOK)
				}
			}
		})
	}
}

// deadlined is an answer of a connection that has a read deadline.
type deadlined struct {
	*httptest.ResponseRecorder
	lifted bool
}

func (d *deadlined) SetReadDeadline(at time.Time) error {
	d.lifted = at.IsZero()
	return nil
}

// Once a request has been read, the connection has no read deadline any more, for all operations: a wait longer than it would otherwise
// end as if the client had left.
func TestNoOperationWaitsWithAReadDeadline(t *testing.T) {
	s := newServer(t)
	n := 0
	for path, item := range s.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.OperationID == "jobEvents" {
				continue // it is not read to an end
			}
			target := strings.NewReplacer("{id}", "x", "{index}", "0", "{number}", "1").Replace(path)
			w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
			r := request(method, target, `{"unknown": 1}`) // an empty body is a whole hand for some
			if operation.RequestBody == nil {
				r = request(method, target, "")
			}
			s.ServeHTTP(w, r)
			if !w.lifted {
				t.Errorf("%s %s: the read deadline is still there: %d", method, path, w.Code)
			}
			n++
		}
	}
	if n < 60 {
		t.Errorf("%d operations", n)
	}
}
