package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Searchers is the state of the searchers and their queue. Oldest is in seconds.
type Searchers struct {
	Searchers, Busy, Queue, Waiting int
	Oldest                          float64
}

// Searchers adds the metrics of the searchers. Their state is read at each scrape.
func (m *Metrics) Searchers(read func() Searchers) {
	m.registry.MustRegister(newStanding([]reading{
		{"roem_searchers", "Maximum number of searches at a time."},
		{"roem_searchers_busy", "Searches that run."},
		{"roem_search_queue_limit", "Maximum number of requests waiting for a searcher."},
		{"roem_search_queue_depth", "Searches waiting for a searcher."},
		{"roem_search_queue_oldest_seconds", "How long the oldest of the searches that wait has waited."},
	}, func() []float64 {
		s := read()
		return []float64{float64(s.Searchers), float64(s.Busy), float64(s.Queue), float64(s.Waiting), s.Oldest}
	}))
}

// Jobs is the state of the job queue, over all servers that share it. Oldest and MeanRun are in seconds.
type Jobs struct {
	Queued, Running, MaxQueued, Slots int
	Oldest, MeanRun                   float64
}

// Jobs adds the metrics of the job queue. Its state is read at each scrape. If that fails, the metrics are omitted.
func (m *Metrics) Jobs(read func() (Jobs, error)) {
	m.registry.MustRegister(newStanding([]reading{
		{"roem_jobs_queued", "Jobs waiting for a worker."},
		{"roem_jobs_running", "Jobs running."},
		{"roem_jobs_queue_limit", "Maximum number of waiting jobs."},
		{"roem_jobs_slots", "Maximum number of jobs that all workers run at a time."},
		{"roem_jobs_oldest_queued_seconds", "How long the oldest of the jobs that wait has waited."},
		{"roem_jobs_run_seconds", "Mean duration of recent jobs."},
	}, func() []float64 {
		s, err := read()
		if err != nil {
			return nil
		}
		return []float64{float64(s.Queued), float64(s.Running), float64(s.MaxQueued), float64(s.Slots), s.Oldest, s.MeanRun}
	}))
}

// Sessions is the state of the store of the sessions. Its counters start with the server and count what this server has done.
type Sessions struct {
	Sessions         *int // of all servers that share the store; nil if it cannot be read
	Created, Deleted uint64
	// DisplacedByOwner and DisplacedByAll were ended by new sessions beyond the limit of a client, and of all.
	DisplacedByOwner, DisplacedByAll uint64
	Expired                          *uint64 // nil if the store does not learn of it
}

// Sessions adds the metrics of the sessions. Their state is read at each scrape.
func (m *Metrics) Sessions(read func() Sessions) { m.registry.MustRegister(newSessions(read)) }

// sessions are the metrics of the sessions, read together.
type sessions struct {
	read                    func() Sessions
	present, created, ended *prometheus.Desc
}

func newSessions(read func() Sessions) sessions {
	return sessions{
		read:    read,
		present: prometheus.NewDesc("roem_sessions", "Sessions that are kept.", nil, nil),
		created: prometheus.NewDesc("roem_sessions_created_total", "Sessions created by this server.", nil, nil),
		ended:   prometheus.NewDesc("roem_sessions_ended_total", "Sessions ended by this server, by why they ended.", []string{"reason"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (s sessions) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.present, s.created, s.ended} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s sessions) Collect(out chan<- prometheus.Metric) {
	counter := func(desc *prometheus.Desc, value uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(value), labels...)
	}
	now := s.read()
	if now.Sessions != nil {
		out <- prometheus.MustNewConstMetric(s.present, prometheus.GaugeValue, float64(*now.Sessions))
	}
	counter(s.created, now.Created)
	counter(s.ended, now.Deleted, "deleted")
	counter(s.ended, now.DisplacedByOwner, "displaced_by_client")
	counter(s.ended, now.DisplacedByAll, "displaced_by_all")
	if now.Expired != nil {
		counter(s.ended, *now.Expired, "expired")
	}
}

// Layer is the state of a cache layer. Its counters start with the server.
type Layer struct {
	Name                                         string
	Hits, Misses, Errors, Corrupt, Puts, Dropped uint64
	Pending                                      int
	Bytes                                        int64
	Breaker                                      string // closed, half-open or open; empty for a layer without one
}

// Cache adds the metrics of the cache layers. Their state is read at each scrape.
func (m *Metrics) Cache(read func() []Layer) { m.registry.MustRegister(newLayers(read)) }

// reading is the name and help text of a gauge that is read at each scrape.
type reading struct{ name, help string }

// standing is a group of gauges that are read together, so that their values are consistent.
type standing struct {
	descs []*prometheus.Desc
	read  func() []float64
}

func newStanding(readings []reading, read func() []float64) standing {
	s := standing{read: read}
	for _, r := range readings {
		s.descs = append(s.descs, prometheus.NewDesc(r.name, r.help, nil, nil))
	}
	return s
}

// Describe implements prometheus.Collector.
func (s standing) Describe(out chan<- *prometheus.Desc) {
	for _, d := range s.descs {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s standing) Collect(out chan<- prometheus.Metric) {
	for i, value := range s.read() {
		out <- prometheus.MustNewConstMetric(s.descs[i], prometheus.GaugeValue, value)
	}
}

// layers are the metrics of the cache layers, read together.
type layers struct {
	read                                                      func() []Layer
	lookups, errors, corrupt, writes, pending, bytes, breaker *prometheus.Desc
}

func newLayers(read func() []Layer) layers {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"layer"}, labels...), nil)
	}
	return layers{
		read:    read,
		lookups: desc("roem_cache_lookups_total", "Keys looked up in a layer of the cache, by result.", "result"),
		errors:  desc("roem_cache_errors_total", "Reads and writes of a layer that failed."),
		corrupt: desc("roem_cache_corrupt_total", "Values of a layer with a wrong checksum; they also count as misses."),
		writes:  desc("roem_cache_writes_total", "Values put into a layer, by result.", "result"),
		pending: desc("roem_cache_pending_writes", "Values put into a layer and not yet written."),
		bytes:   desc("roem_cache_bytes", "Size of a layer in memory or on disk."),
		breaker: desc("roem_cache_breaker_state", "The breaker of a layer: 0 closed, 1 half open, 2 open."),
	}
}

// Describe implements prometheus.Collector.
func (l layers) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{l.lookups, l.errors, l.corrupt, l.writes, l.pending, l.bytes, l.breaker} {
		out <- d
	}
}

var breakerStates = map[string]float64{"closed": 0, "half-open": 1, "open": 2}

// Collect implements prometheus.Collector.
func (l layers) Collect(out chan<- prometheus.Metric) {
	counter := func(desc *prometheus.Desc, value uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(value), labels...)
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for _, layer := range l.read() {
		counter(l.lookups, layer.Hits, layer.Name, "hit")
		counter(l.lookups, layer.Misses, layer.Name, "miss")
		counter(l.errors, layer.Errors, layer.Name)
		counter(l.corrupt, layer.Corrupt, layer.Name)
		counter(l.writes, layer.Puts, layer.Name, "kept")
		counter(l.writes, layer.Dropped, layer.Name, "dropped")
		gauge(l.pending, float64(layer.Pending), layer.Name)
		gauge(l.bytes, float64(layer.Bytes), layer.Name)
		if state, ok := breakerStates[layer.Breaker]; ok {
			gauge(l.breaker, state, layer.Name)
		}
	}
}
