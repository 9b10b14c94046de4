// Where a card or an action stands beside the advised one: its mark on the table and in the table of the advice. The
// texts of the marks are loaded after the page.

import type { Standing } from '../contract'
import type { Words } from './words'

export interface Mark {
  text: string
  said: string
  tone: string
}

/** What advice says of a card or an action. error is the standard error of the cost, if it is known. */
export interface Stood {
  standing: Standing
  cost: number
  error: number | undefined
}

/**
 * A star, what it costs, between 0 and which cost it lies, or that it is as good as the best. From much on a cost stands
 * out. The unit follows each number.
 */
export function standingMark(w: Words, a: Stood, much = 20, unit = ''): Mark {
  const cost = Math.max(1, Math.round(a.cost))
  const n = w.number(cost) + unit
  switch (a.standing) {
    case 'best':
      return { text: '★', said: w.t('advised'), tone: 'v-best' }
    case 'as_good':
      return { text: '≈', said: w.t('closeTo'), tone: 'v-some' }
    case 'uncertain': {
      if (a.error === undefined) return { text: '?', said: w.t('costsUnknown'), tone: 'v-some' }
      const most = w.number(Math.round(a.cost + 2 * a.error)) + unit
      return { text: `0–${most}`, said: w.t('costsUpTo', { n: most }), tone: 'v-some' }
    }
    default:
      return {
        text: w.t('losesValue', { n }),
        said: w.t('costsAbout', { n }),
        tone: cost >= much ? 'v-much' : 'v-some',
      }
  }
}
