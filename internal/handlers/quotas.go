package handlers

import (
	"net/http"
	"strconv"
	"time"
)

// quota is a limit of a client, and what is left of it, for the headers RateLimit-Policy and RateLimit
// (draft-ietf-httpapi-ratelimit-headers-10).
type quota struct {
	name   string
	most   int
	unit   string        // empty for requests
	window time.Duration // 0 for a limit on what happens at the same time
	left   int
	full   time.Duration // until all of it is left again; 0 where that does not depend on time alone
}

// maxQuotas is how many limits hold for a request at most: two on searches, and one on new sessions or on requests.
const maxQuotas = 3

// tellQuotas writes the headers of the quotas that hold for a request.
func (h *Handlers) tellQuotas(header http.Header, e *event) {
	var room [maxQuotas]quota
	quotas := append(room[:0], e.quotas...)
	if e.searches {
		quotas = h.appendQuotas(quotas, e.client.owner)
	}
	if e.newSession {
		quotas = h.appendQuotaOfSessions(quotas, e.client.owner)
	}
	if len(quotas) == 0 {
		return
	}
	var policyRoom, stateRoom [128]byte
	policy, state := policyRoom[:0], stateRoom[:0]
	for i, q := range quotas {
		if i > 0 {
			policy, state = append(policy, ", "...), append(state, ", "...)
		}
		policy = append(append(append(policy, '"'), q.name...), `";q=`...)
		policy = strconv.AppendInt(policy, int64(q.most), 10)
		if q.unit != "" {
			policy = append(append(append(policy, `;qu="`...), q.unit...), '"')
		}
		if q.window > 0 {
			policy = append(policy, ";w="...)
			policy = strconv.AppendInt(policy, seconds(q.window), 10)
		}
		state = append(append(append(state, '"'), q.name...), `";r=`...)
		state = strconv.AppendInt(state, int64(q.left), 10)
		if q.full > 0 {
			state = append(state, ";t="...)
			state = strconv.AppendInt(state, seconds(q.full), 10)
		}
	}
	header["Ratelimit-Policy"] = []string{string(policy)}
	header["Ratelimit"] = []string{string(state)}
}

// seconds rounds up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// appendQuotas appends what is left of the limits on searches of a client.
func (h *Handlers) appendQuotas(quotas []quota, owner string) []quota {
	standing := h.service.Standing(owner)
	if most := standing.Searches; most > 0 {
		quotas = append(quotas, quota{name: "searches", most: most, unit: "concurrent-requests", left: standing.SearchesLeft})
	}
	if share := standing.Time; share > 0 {
		inTime := func(searched time.Duration) time.Duration { return time.Duration(float64(searched) / share) }
		quotas = append(quotas, quota{
			name: "search-time", most: int(standing.Burst / time.Second), unit: "seconds", window: inTime(standing.Burst),
			left: int(standing.TimeLeft / time.Second), full: inTime(standing.Burst - standing.TimeLeft),
		})
	}
	return quotas
}

// limited passes on requests whose work counts for the limits on searches. Their answers have what is left.
func (h *Handlers) limited(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		eventOf(r).searches = true
		answer(w, r)
	}
}

// appendQuotaOfSessions appends what is left of the limit on new sessions of a client.
func (h *Handlers) appendQuotaOfSessions(quotas []quota, owner string) []quota {
	left := h.service.NewSessionsLeft(owner)
	if left.Most == 0 {
		return quotas
	}
	return append(quotas, quota{name: "sessions", most: left.Most, window: time.Minute, left: left.Now, full: left.Full})
}
