// How the cards of a game come to the table: the own card at once, those of the others one by one.

import { useEffect, useReducer, useRef } from 'preact/hooks'
import { type PaceName, pace } from './prefs'

// Milliseconds before the next card, and before the first card after a trick: by then the trick has been gathered, for
// which table.css has the times.
const pauses: Record<PaceName, readonly [card: number, trick: number]> = {
  off: [0, 0],
  fast: [250, 700],
  normal: [650, 1600],
  slow: [1200, 2700],
}
const still = (): boolean => pace() === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches

export interface Pace {
  /** How many cards of the hand are shown. It is negative if not all of what was said before is. */
  at: number
  /** Whether more cards come by themselves. */
  coming: boolean
  /** Shows a number of cards. More come by themselves if these are all that there are. */
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
 * Shows the cards of a hand with a pause after each, and a longer one after each trick. The hand that the page finds is
 * shown as it is, and so is the present one after an earlier one, which is shown from its beginning. Where there are no
 * tricks, everything is shown at once. first is the first step that can be gone back to: what is before the first card
 * has negative numbers.
 */
export function usePace(hand: string, total: number, trick: number, { earlier = false, first = 0 } = {}): Pace {
  const [, draw] = useReducer<number, void>((n) => n + 1, 0)
  const now = useRef({ hand: '', at: 99, follow: true, earlier: false }).current
  if (hand && (hand !== now.hand || earlier !== now.earlier)) {
    const at = earlier ? first : now.hand && !now.earlier ? 0 : 99
    Object.assign(now, { hand, at, follow: !earlier, earlier })
  }
  const at = trick === 0 && now.follow ? total : Math.min(now.at, total)
  const coming = now.follow && at < total
  useEffect(() => {
    if (!coming) return
    const go = (n: number) => {
      now.at = n
      draw()
    }
    if (still()) return go(total)
    const timer = setTimeout(() => go(at + 1), pauses[pace()][at > 0 && trick > 0 && at % trick === 0 ? 1 : 0])
    return () => clearTimeout(timer)
  }, [hand, at, total, coming])
  const show = (n: number) => {
    now.at = n
    now.follow = n >= total
    draw()
  }
  return {
    at,
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
