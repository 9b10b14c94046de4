package figures

import "testing"

// Each question has requests that its operation reads, and answers. Advice and reviews, which take long, are not asked for.
func TestQuestions(t *testing.T) {
	operations, err := declared("devel")
	if err != nil {
		t.Fatal(err)
	}
	m, err := draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		t.Run(q.operation, func(t *testing.T) {
			bodies, err := q.bodies(&m)
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range bodies[:min(8, len(bodies))] {
				run, err := operations["/v1/klaverjas/"+q.operation].Read(t.Context(), body)
				if err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				if q.operation == "advise" || q.operation == "review" {
					continue
				}
				if _, err := run(t.Context()); err != nil {
					t.Errorf("%s: %v", body, err)
				}
			}
		})
	}
}
