// Package length says when a session ends: after a number of hands, or after the hand in which a total reaches a number of points.
package length

import "slices"

// MaxHands is the number of hands after which a session to a number of points ends, whatever the totals are. It bounds what is kept of a
// session.
const MaxHands = 50

// MaxTarget is the highest number of points that ends a session. At 162 points a hand, a total reaches it within MaxHands hands.
const MaxTarget = 4000

// Over reports whether a session has ended after a number of hands. hands is how many it has at most. If target is not 0, it also ends
// when one of the totals is at least target, however many others are.
func Over(played, hands, target int, totals ...int) bool {
	return played >= hands || target > 0 && slices.Max(totals) >= target
}
