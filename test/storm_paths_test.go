package test

// stormOperation is an operation of the contract that the storm requests.
type stormOperation struct{ method, path string }

func (o stormOperation) String() string { return o.method + " " + o.path }

// The operations of the storm. TestStorm fails if it has not sent an operation of the contract, and TestStormKinds if a kind of jobs is
// missing here.
var (
	opSolve        = stormOperation{"POST", "/v1/klaverjas/solve"}
	opAnalyse      = stormOperation{"POST", "/v1/klaverjas/analyse"}
	opTable        = stormOperation{"POST", "/v1/klaverjas/table"}
	opAdvise       = stormOperation{"POST", "/v1/klaverjas/advise"}
	opReview       = stormOperation{"POST", "/v1/klaverjas/review"}
	opScore        = stormOperation{"POST", "/v1/klaverjas/score"}
	opLegalMoves   = stormOperation{"POST", "/v1/klaverjas/legal-moves"}
	opPredict      = stormOperation{"POST", "/v1/klaverjas/predict"}
	opPredictBatch = stormOperation{"POST", "/v1/klaverjas/predict/batch"}
	opFeatures     = stormOperation{"POST", "/v1/klaverjas/features"}
	opHybrid       = stormOperation{"POST", "/v1/klaverjas/hybrid"}
	opHybridBatch  = stormOperation{"POST", "/v1/klaverjas/hybrid/batch"}
	opSolveBatch   = stormOperation{"POST", "/v1/klaverjas/solve/batch"}
	opStrength     = stormOperation{"POST", "/v1/klaverjas/hand-strength"}
	opStrengths    = stormOperation{"POST", "/v1/klaverjas/hand-strength/batch"}
	opBid          = stormOperation{"POST", "/v1/klaverjas/bid"}
	opPlay         = stormOperation{"POST", "/v1/klaverjas/play"}
	opMatch        = stormOperation{"POST", "/v1/klaverjas/match"}
	opIndexDeal    = stormOperation{"POST", "/v1/klaverjas/deals/index"}
	opRandomDeal   = stormOperation{"GET", "/v1/klaverjas/deals/random"}
	opDealAt       = stormOperation{"GET", "/v1/klaverjas/deals/{index}"}
	opClass        = stormOperation{"POST", "/v1/klaverjas/classes"}
	opClassAt      = stormOperation{"GET", "/v1/klaverjas/classes/{index}"}
	opModel        = stormOperation{"GET", "/v1/klaverjas/model"}
	opKnowledge    = stormOperation{"POST", "/v1/klaverjas/knowledge"}
	opCheck        = stormOperation{"POST", "/v1/klaverjas/knowledge/check"}
	opCardModel    = stormOperation{"POST", "/v1/klaverjas/knowledge/card"}
	opWorlds       = stormOperation{"POST", "/v1/klaverjas/worlds"}
	opEvening      = stormOperation{"POST", "/v1/klaverjas/evening"}
	opPicture      = stormOperation{"GET", "/v1/klaverjas/picture"}
	opPuzzles      = stormOperation{"GET", "/v1/klaverjas/puzzles"}
	opDailyPuzzle  = stormOperation{"GET", "/v1/klaverjas/puzzles/daily"}
	opPuzzle       = stormOperation{"GET", "/v1/klaverjas/puzzles/{id}"}
	opPuzzleAnswer = stormOperation{"GET", "/v1/klaverjas/puzzles/{id}/answer"}
	opSolution     = stormOperation{"GET", "/v1/klaverjas/puzzles/{id}/solution"}

	opCreateSession = stormOperation{"POST", "/v1/klaverjas/sessions"}
	opSession       = stormOperation{"GET", "/v1/klaverjas/sessions/{id}"}
	opEndSession    = stormOperation{"DELETE", "/v1/klaverjas/sessions/{id}"}
	opSessionCall   = stormOperation{"POST", "/v1/klaverjas/sessions/{id}/call"}
	opSessionPlay   = stormOperation{"POST", "/v1/klaverjas/sessions/{id}/play"}
	opSessionClaim  = stormOperation{"POST", "/v1/klaverjas/sessions/{id}/claim"}
	opSessionNext   = stormOperation{"POST", "/v1/klaverjas/sessions/{id}/next"}

	opBeloteSolve   = stormOperation{"POST", "/v1/belote/solve"}
	opBeloteAnalyse = stormOperation{"POST", "/v1/belote/analyse"}
	opBeloteReview  = stormOperation{"POST", "/v1/belote/review"}
	opBeloteCompare = stormOperation{"POST", "/v1/belote/compare"}
	opBeloteLegal   = stormOperation{"POST", "/v1/belote/legal-moves"}
	opBeloteDeal    = stormOperation{"GET", "/v1/belote/deals/random"}
	opBeloteAdvise  = stormOperation{"POST", "/v1/belote/advise"}
	opBeloteBid     = stormOperation{"POST", "/v1/belote/bid"}
	opBeloteScore   = stormOperation{"POST", "/v1/belote/score"}
	opBeloteMatch   = stormOperation{"POST", "/v1/belote/match"}

	opBeloteCreateSession = stormOperation{"POST", "/v1/belote/sessions"}
	opBeloteSession       = stormOperation{"GET", "/v1/belote/sessions/{id}"}
	opBeloteEndSession    = stormOperation{"DELETE", "/v1/belote/sessions/{id}"}
	opBeloteSessionCall   = stormOperation{"POST", "/v1/belote/sessions/{id}/call"}
	opBeloteSessionPlay   = stormOperation{"POST", "/v1/belote/sessions/{id}/play"}
	opBeloteSessionNext   = stormOperation{"POST", "/v1/belote/sessions/{id}/next"}

	opGinMelds     = stormOperation{"POST", "/v1/gin-rummy/melds"}
	opGinScore     = stormOperation{"POST", "/v1/gin-rummy/score"}
	opGinEstimate  = stormOperation{"POST", "/v1/gin-rummy/estimate"}
	opGinEstimates = stormOperation{"POST", "/v1/gin-rummy/estimate/batch"}
	opGinAdvise    = stormOperation{"POST", "/v1/gin-rummy/advise"}
	opGinReview    = stormOperation{"POST", "/v1/gin-rummy/review"}
	opGinMatch     = stormOperation{"POST", "/v1/gin-rummy/match"}
	opGinDeal      = stormOperation{"GET", "/v1/gin-rummy/deals/random"}

	opGinCreateSession = stormOperation{"POST", "/v1/gin-rummy/sessions"}
	opGinSession       = stormOperation{"GET", "/v1/gin-rummy/sessions/{id}"}
	opGinEndSession    = stormOperation{"DELETE", "/v1/gin-rummy/sessions/{id}"}
	opGinSessionPlay   = stormOperation{"POST", "/v1/gin-rummy/sessions/{id}/play"}
	opGinSessionNext   = stormOperation{"POST", "/v1/gin-rummy/sessions/{id}/next"}

	opTarokSolve      = stormOperation{"POST", "/v1/tarok/solve"}
	opTarokLegal      = stormOperation{"POST", "/v1/tarok/legal-moves"}
	opTarokScore      = stormOperation{"POST", "/v1/tarok/score"}
	opTarokComplexity = stormOperation{"POST", "/v1/tarok/complexity"}
	opTarokWorlds     = stormOperation{"POST", "/v1/tarok/worlds"}
	opTarokDeal       = stormOperation{"GET", "/v1/tarok/deals/random"}

	opTarokBid      = stormOperation{"POST", "/v1/tarok/bid"}
	opTarokExchange = stormOperation{"POST", "/v1/tarok/exchange"}
	opTarokAnnounce = stormOperation{"POST", "/v1/tarok/announce"}
	opTarokAdvise   = stormOperation{"POST", "/v1/tarok/advise"}
	opTarokReview   = stormOperation{"POST", "/v1/tarok/review"}
	opTarokMatch    = stormOperation{"POST", "/v1/tarok/match"}

	opTarokCreateSession   = stormOperation{"POST", "/v1/tarok/sessions"}
	opTarokSession         = stormOperation{"GET", "/v1/tarok/sessions/{id}"}
	opTarokEndSession      = stormOperation{"DELETE", "/v1/tarok/sessions/{id}"}
	opTarokSessionCall     = stormOperation{"POST", "/v1/tarok/sessions/{id}/call"}
	opTarokSessionExchange = stormOperation{"POST", "/v1/tarok/sessions/{id}/exchange"}
	opTarokSessionAnnounce = stormOperation{"POST", "/v1/tarok/sessions/{id}/announce"}
	opTarokSessionPlay     = stormOperation{"POST", "/v1/tarok/sessions/{id}/play"}
	opTarokSessionNext     = stormOperation{"POST", "/v1/tarok/sessions/{id}/next"}

	opRecordsConvert = stormOperation{"POST", "/v1/records/convert"}

	opCreateJob = stormOperation{"POST", "/v1/jobs"}
	opListJobs  = stormOperation{"GET", "/v1/jobs"}
	opGetJob    = stormOperation{"GET", "/v1/jobs/{id}"}
	opCancelJob = stormOperation{"DELETE", "/v1/jobs/{id}"}
	opJobEvents = stormOperation{"GET", "/v1/jobs/{id}/events"}
	opJobToken  = stormOperation{"POST", "/v1/jobs/{id}/token"}

	opOperations = stormOperation{"GET", "/v1"}

	// jobKinds are the kinds of jobs by the operation whose request they take.
	jobKinds = map[stormOperation]string{
		opSolve: "klaverjas.solve", opAnalyse: "klaverjas.analyse", opTable: "klaverjas.table", opSolveBatch: "klaverjas.solve_batch",
		opStrength: "klaverjas.hand_strength", opStrengths: "klaverjas.hand_strength_batch",
		opAdvise: "klaverjas.advise", opReview: "klaverjas.review", opEvening: "klaverjas.evening", opMatch: "klaverjas.match",
		opPlay:        "klaverjas.play",
		opBeloteSolve: "belote.solve", opBeloteAnalyse: "belote.analyse", opBeloteReview: "belote.review", opBeloteCompare: "belote.compare",
		opBeloteAdvise: "belote.advise", opBeloteBid: "belote.bid", opBeloteMatch: "belote.match", opGinMatch: "gin_rummy.match",
		opGinReview:  "gin_rummy.review",
		opTarokSolve: "tarok.solve", opTarokBid: "tarok.bid", opTarokExchange: "tarok.exchange", opTarokAnnounce: "tarok.announce",
		opTarokAdvise: "tarok.advise", opTarokReview: "tarok.review", opTarokMatch: "tarok.match",
	}
)

// stormPages are the paths without parameters.
var stormPages = []string{"/healthz", "/readyz", "/version", "/metrics", "/openapi.json", "/openapi.yaml", "/docs"}
