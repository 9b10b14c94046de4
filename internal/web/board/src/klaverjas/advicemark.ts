// What stands below a card that advice is about.

import type { Advice } from './api'
import type { Words } from './words'

type Advised = Advice['cards'][number]

/** Whether a card is not told apart from the best one: its cost may be nothing. */
const asGood = (a: Advised): boolean =>
  a.equal || (a.standard_errors !== undefined && a.cost < 2 * a.standard_errors.cost)

/** What stands below a card: a star, its cost in points, or that it is not told apart from the best. */
export function adviceMark(w: Words, advice: Advice, a: Advised): { text: string; said: string; tone: string } {
  const n = Math.round(a.cost)
  if (a.card === advice.card) return { text: '★', said: w.t('advised'), tone: 'v-best' }
  if (asGood(a)) return { text: '≈', said: w.t('closeTo'), tone: 'v-some' }
  return {
    text: w.t('losesValue', { n: Math.max(1, n) }),
    said: w.t('costsAbout', { n: Math.max(1, n) }),
    tone: n >= 20 ? 'v-much' : 'v-some',
  }
}
