package search

// The techniques of the search, each of which can be switched off to see what it brings: scripts/ablation.sh does that,
// and docs/search.md shows what it measured. Every value is right with any of them off. A constant costs nothing: the
// compiler drops the branches that are never taken.
const (
	// Remembering (pattern.go, table.go).
	usePatterns     = true // positions of one pattern answer for each other
	usePatternSlack = true // also where their cards differ in points or melds: the bounds are that much wider
	useOverflow     = true // a second bucket for patterns that fill their own
	useTableLead    = true // the lead that was best before is tried first
	usePatternLead  = true // for want of it, that of another position of the pattern
	useGrowth       = true // the table begins small enough for the processor's caches and grows by need

	// Leaving out (node.go, deal.go).
	useCounting      = true // counting what is left answers many questions
	useMeldHolders   = true // of melds, it counts those whose cards lie in different hands
	useMeldWinners   = true // and only for the sides that can win them
	useTopTrumps     = true // trumps above all of the other side's are not counted for that side
	useThinLead      = true // dominated leads are left out, where the trick is certain
	useThinFollow    = true // the same for second and third cards
	useThinLast      = true // the same for fourth cards
	useQuasiSymmetry = true // cards too close to one that failed are left out

	// Trying the best first (order.go).
	useLeadOrder   = true // leads in the order of what their trick should bring
	usePlainFirst  = true // plain winners are led before trumps
	useFollowOrder = true // other cards by who should win the trick
	useMeldsFirst  = true // cards that complete a meld first in a trick that is won, last in one that is lost
	useMeldCards   = true // while melds alone matter, the cards that can make them are led early, and spoilt by the declarers
	useMastersBack = true // plain aces and high trumps are thrown under a partner's trick last

	// Asking (driver.go).
	useDoubling   = true // a value is enclosed by doubled steps and halves
	useLastWindow = true // what remains of the window is settled by one search
	useMeldSums   = true // sums that no melds make are not asked for
)
