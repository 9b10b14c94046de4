package main

// requests says what the bodies of the requests of a game are like.
type requests struct {
	folder, path string   // of the package, from the top, and the beginning of the paths of its operations
	prefix       string   // the beginning of the names of the game's schemas, which the types do not have
	parts        []string // a schema, or type=schema:first..last
	limits       []string // fields whose greatest value or number of items Go code needs: schema.field
	types        map[string]string
}

// packages are the packages with bodies.
var packages = []requests{
	{
		folder: "internal/service/klaverjas", path: "/v1/klaverjas/", prefix: "Klaverjas",
		parts: []string{
			"seenBody=KlaverjasKnowledgeCheckRequest:rules..played", "KlaverjasPosition", "viewBody=KlaverjasKnowledgeRequest:rules..known",
			"auctionBody=KlaverjasBidRequest:flow..again",
		},
		types: map[string]string{
			"KlaverjasHandInput": "cardList", "KlaverjasViewHandInput": "cardList", "KlaverjasKnownHandInput": "cardList",
			"PlayedInput": "cardList", "KlaverjasPositions": "[]struct{}", "KlaverjasHandStrengthBatchRequest.hands": "[]struct{}",
		},
		limits: []string{"KlaverjasMatchRequest.worlds", "KlaverjasAdviseRequest.worlds", "KlaverjasReviewRequest.worlds"},
	},
	{
		folder: "internal/service/belote", path: "/v1/belote/", prefix: "Belote",
		parts:  []string{"BelotePosition", "tableBody=BelotePosition:trump..flip"},
		limits: []string{"BeloteMatchRequest.worlds"},
	},
	{
		folder: "internal/service/ginrummy", path: "/v1/gin-rummy/", prefix: "Gin",
		parts: []string{"viewBody=GinAdviseRequest:seat..events"},
		types: map[string]string{"GinEstimateBatchRequest.views": "[]struct{}"},
	},
	{
		folder: "internal/service/tarok", path: "/v1/tarok/", prefix: "Tarok",
		parts:  []string{"TarokPosition", "viewBody=TarokWorldsRequest:seat..rules"},
		limits: []string{"TarokSolveRequest.depth", "TarokWorldsRequest.worlds", "TarokComplexityRequest.playouts"},
	},
	{folder: "internal/service/records", path: "/v1/records/", prefix: "Record"},
}
