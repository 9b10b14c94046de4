package network

// Training says how a network is trained. Equal settings and examples give equal parameters, to the last bit, for any
// number of workers.
type Training struct {
	Shape    Shape   `json:"shape"`
	Seed     uint64  `json:"seed"`
	Batch    int     `json:"batch"`    // examples a step, a multiple of 512
	Examples int64   `json:"examples"` // how many are looked at altogether, repetitions included
	Rate     float64 `json:"rate"`     // of learning, at its peak
	EndRate  float64 `json:"end_rate"` // what is left of the rate at the end, as a part of the peak
	Decay    float64 `json:"decay"`    // of weights, a step and unit of rate
	// How much the losses weigh beside that of winning.
	OutcomeWeight float64 `json:"outcome_weight"`
	EffortWeight  float64 `json:"effort_weight"`
}
