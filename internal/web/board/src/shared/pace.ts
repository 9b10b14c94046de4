// How the calls and the cards of a game come to the table: what the reader does at once, what the others do one by one.

import { useEffect, useReducer, useRef } from 'preact/hooks'
import { type PaceName, pace } from './prefs'

// Milliseconds before the next call or card, and before the first card after the calls or a trick: by then the trick has
// been gathered, for which table.css has the times. A reader who wants less motion has the same pauses: nothing moves
// then, and the trick lies on the table.
const pauses: Record<PaceName, readonly [card: number, trick: number]> = {
  off: [0, 0],
  fast: [250, 700],
  normal: [650, 1600],
  slow: [1200, 2700],
}

export interface Pace {
  /** How many cards of the hand are shown. It is negative if not all of what was said before is. */
  at: number
  /** How many steps of the calls are shown. */
  calls: number
  /** Whether more calls or cards come by themselves. */
  coming: boolean
  /**
   * Shows all calls and a number of cards. More come by themselves if these are all that there are. A call or a card
   * that is on its way to the server counts.
   */
  show(n: number): void
  /**
   * Goes back or forth to a number of cards. moved is told where that is, unless the cards that are coming are only shown
   * at once.
   */
  go(to: number, moved: (n: number) => void): void
  /** The next hand is shown from its first card on, also if it is the first one of the page. */
  fresh(): void
}

/**
 * Shows the calls and then the cards of a hand with a pause after each, and a longer one after the calls and each trick. The
 * hand that the page finds is shown as it is, and so is the present one after an earlier one, which is shown from its
 * beginning. Where there are no tricks, everything is shown at once. first is the first step that can be gone back to: what
 * is before the first card has negative numbers. calls are the steps of the calls that come.
 */
export function usePace(
  hand: string,
  total: number,
  trick: number,
  { earlier = false, first = 0, calls = 0 } = {},
): Pace {
  const [, draw] = useReducer<number, void>((n) => n + 1, 0)
  // at counts calls and cards.
  const now = useRef({ hand: '', at: 99, follow: true, earlier: false }).current
  if (hand && (hand !== now.hand || earlier !== now.earlier)) {
    const at = earlier ? calls + first : now.hand && !now.earlier ? 0 : 99
    Object.assign(now, { hand, at, follow: !earlier, earlier })
  }
  const all = calls + total
  const done = trick === 0 && now.follow ? all : Math.min(now.at, all)
  const at = Math.max(first, done - calls)
  const coming = now.follow && done < all
  useEffect(() => {
    if (!coming) return
    const go = (n: number) => {
      now.at = n
      draw()
    }
    if (pace() === 'off') return go(all)
    const gathered = trick > 0 && done >= calls && done > 0 && at % trick === 0
    const timer = setTimeout(() => go(done + 1), pauses[pace()][gathered ? 1 : 0])
    return () => clearTimeout(timer)
  }, [hand, done, all, coming])
  const show = (n: number) => {
    now.at = calls + n
    now.follow = n >= total
    draw()
  }
  return {
    at,
    calls: Math.min(done, calls),
    coming,
    show,
    go(to, moved) {
      const n = Math.max(first, Math.min(to, total))
      if (n === at) return
      if (!coming || n < total) moved(n)
      show(n)
    },
    fresh() {
      now.hand ||= '-'
    },
  }
}
