// What is read aloud after an act, and how a round ended in words.

import { cardOf } from './cards'
import type { Session, Event, Estimate } from './state'
import type { GinKey, GinWords } from './words'

const upper = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

export function eventText(w: GinWords, e: Event): string {
  return w.g(`e${upper(e.kind)}${upper(e.seat)}` as GinKey, {
    card: e.card === undefined ? '' : w.within(cardOf(e.card)),
  })
}

/** What the session waits for. */
export function askText(w: GinWords, s: Session): string {
  switch (s.state) {
    case 'draw':
      return w.g(s.legal_actions.includes('pass') ? 'askFirst' : 'askDraw')
    case 'discard':
      return w.g('askDiscard')
    case 'knock':
      return w.g('askKnock', { n: s.deadwood })
    case 'meld':
      return w.g('askMeld', { n: s.knock!.laid.deadwood })
    default:
      return resultText(w, s) + ' ' + scoreText(w, s)
  }
}

/** How the last round ended. */
export function resultText(w: GinWords, s: Session): string {
  const r = s.results[s.results.length - 1]
  if (!r) return ''
  if (r.result === 'void') return w.g('rVoid')
  return w.g(`r${upper(r.result)}${upper(r.knocker!)}` as GinKey, { n: r.points.A || r.points.B })
}

/** How the game stands. */
export function scoreText(w: GinWords, s: Session): string {
  const key = s.state !== 'over' ? 'soFar' : s.winner === 'A' ? 'won' : s.winner === 'B' ? 'lost' : 'drawnGame'
  return w.g(key, { me: s.totals.A, opp: s.totals.B })
}

export function likelyText(w: GinWords, e: Estimate): string {
  return w.g('likeliest', {
    cards: e.likely
      .slice(0, 5)
      .map((c) => `${w.within(cardOf(c))} ${Math.round(100 * e.probabilities[c]!)}\u00a0%`)
      .join(', '),
  })
}
