package test

// stormOperation is an operation of the contract that the storm asks for.
type stormOperation struct{ method, path string }

func (o stormOperation) String() string { return o.method + " " + o.path }

// The operations of the storm. All its paths and kinds of jobs stand in this table and nowhere else.
var (
	opSolve        = stormOperation{"POST", "/v1/solve"}
	opAnalyse      = stormOperation{"POST", "/v1/analyse"}
	opTable        = stormOperation{"POST", "/v1/table"}
	opLegalMoves   = stormOperation{"POST", "/v1/legal-moves"}
	opPredict      = stormOperation{"POST", "/v1/predict"}
	opPredictBatch = stormOperation{"POST", "/v1/predict/batch"}
	opHybrid       = stormOperation{"POST", "/v1/hybrid"}
	opHybridBatch  = stormOperation{"POST", "/v1/hybrid/batch"}
	opSolveBatch   = stormOperation{"POST", "/v1/solve/batch"}
	opIndexDeal    = stormOperation{"POST", "/v1/deals/index"}
	opRandomDeal   = stormOperation{"GET", "/v1/deals/random"}
	opDealAt       = stormOperation{"GET", "/v1/deals/{index}"}
	opModel        = stormOperation{"GET", "/v1/model"}

	opCreateJob = stormOperation{"POST", "/v1/jobs"}
	opListJobs  = stormOperation{"GET", "/v1/jobs"}
	opGetJob    = stormOperation{"GET", "/v1/jobs/{id}"}
	opCancelJob = stormOperation{"DELETE", "/v1/jobs/{id}"}
	opJobEvents = stormOperation{"GET", "/v1/jobs/{id}/events"}

	// jobKinds are the kinds of jobs by the operation whose request they take.
	jobKinds = map[stormOperation]string{
		opSolve: "solve", opAnalyse: "analyse", opTable: "table", opSolveBatch: "solve_batch",
	}
)

// stormPages are the paths that need no more than a GET.
var stormPages = []string{"/healthz", "/readyz", "/version", "/metrics", "/openapi.json", "/openapi.yaml", "/docs"}
