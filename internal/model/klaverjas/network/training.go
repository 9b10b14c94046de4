package network

// Training holds the settings of a training. Equal settings and examples give equal parameters, to the last bit, with any number
// of workers.
type Training struct {
	Shape    Shape   `json:"shape"`
	Seed     uint64  `json:"seed"`
	Batch    int     `json:"batch"`    // examples a step, a multiple of 512
	Examples int64   `json:"examples"` // total number, including repetitions
	Rate     float64 `json:"rate"`     // peak learning rate
	EndRate  float64 `json:"end_rate"` // learning rate at the end, as a fraction of the peak
	Decay    float64 `json:"decay"`    // weight decay, per step and unit of learning rate
	// The weights of these losses relative to the loss of the winner.
	OutcomeWeight float64 `json:"outcome_weight"`
	EffortWeight  float64 `json:"effort_weight"`
}
