package klaverjas

import "roem/internal/service"

// A page has no commands.
var (
	solveFlags, predictFlags, hybridFlags, knowledgeFlags func(*service.FlagSet) service.Reader[*Game]
	checkFlags, cardModelFlags, playFlags                 func(*service.FlagSet) service.Reader[*Game]
)
