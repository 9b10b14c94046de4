package search

// The techniques of the search. Each can be switched off to measure its effect:
// lab/docs/klaverjas/search.md lists the results. Every value is correct with any of them off. The switches are constants, so that the
// compiler removes the branches that are never taken.
const (
	// The transposition table (pattern.go, table.go).
	usePatterns     = true // positions of one pattern share bounds
	usePatternSlack = true // also if their cards differ in points or melds, with a margin
	useOverflow     = true // a second bucket for patterns that fill their own
	useTableLead    = true // the stored best lead is tried first
	usePatternLead  = true // if there is none, the move of another position of the pattern
	useGrowth       = true // the table starts small enough for the processor's caches and grows on demand

	// Pruning (node.go, deal.go).
	useCounting      = true // a count of the points left bounds the value
	useMeldHolders   = true // the count includes only melds whose cards are in different hands
	useMeldWinners   = true // and only for the sides that can win them
	useTopTrumps     = true // trumps above all of the other side's are not counted for that side
	useThinLead      = true // dominated leads are pruned if the winner of the trick is certain
	useThinFollow    = true // the same for second and third cards
	useThinLast      = true // the same for fourth cards
	useQuasiSymmetry = true // cards too close to one that failed are pruned

	// Move ordering (order.go).
	useLeadOrder   = true // leads are ordered by the expected result of their trick
	usePlainFirst  = true // plain winners are led before trumps
	useFollowOrder = true // other cards are ordered by the expected winner of the trick
	useMeldsFirst  = true // cards that complete a meld come first in a trick that is won, last in one that is lost
	useMeldCards   = true // in the game for melds, cards that can be in melds are led early, and discarded early by the declarers
	useMastersBack = true // plain aces and high trumps are discarded last in a partner's trick

	// The driver (driver.go).
	useDoubling   = true // the interval of a value is found by doubled steps and bisection
	useLastWindow = true // the last part of the interval is finished by one search
	useMeldSums   = true // sums that no melds make are skipped
)
