// What stands below a card that advice is about.

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

/** What stands below a card: a star, its cost in points, between which costs it lies, or that it is as good as the best. */
export function adviceMark(w: Words, a: Advised): { text: string; said: string; tone: string } {
  const n = Math.max(1, Math.round(a.cost))
  switch (a.standing) {
    case 'best':
      return { text: '★', said: w.t('advised'), tone: 'v-best' }
    case 'as_good':
      return { text: '≈', said: w.t('closeTo'), tone: 'v-some' }
    case 'uncertain': {
      if (!a.standard_errors) return { text: '?', said: w.t('costsUnknown'), tone: 'v-some' }
      const n = w.number(Math.round(a.cost + 2 * a.standard_errors.cost))
      return { text: `0–${n}`, said: w.t('costsUpTo', { n }), tone: 'v-some' }
    }
    default:
      return { text: w.t('losesValue', { n }), said: w.t('costsAbout', { n }), tone: n >= 20 ? 'v-much' : 'v-some' }
  }
}
