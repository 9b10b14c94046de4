// What stands below a card that advice is about.

import { type Mark, standingMark } from '../shared/standing'
import type { Advice } from './api'
import type { Words } from './words'

type Advised = Advice['cards'][number]

/** The interval in which the cost lies, with 95 %. */
export function costBetween(w: Words, a: Advised): { from: string; to: string } {
  const se = a.standard_errors?.cost ?? 0
  const digits = a.cost + 2 * se < 10 ? 10 : 1 // a tenth of a point is told where it matters
  const format = (x: number) => w.number(Math.round(digits * Math.max(0, x)) / digits)
  return { from: format(a.cost - 2 * se), to: format(a.cost + 2 * se) }
}

/** What stands below a card. */
export const adviceMark = (w: Words, a: Advised): Mark =>
  standingMark(w, { standing: a.standing, cost: a.cost, error: a.standard_errors?.cost })
