// What a player thinks, in the language of the page.

import { parseCard } from '../shared/cards'
import type { Thought } from './model'
import { kinds } from './url'
import type { Words } from './words'

const levels = ['beginner', 'casual', 'club', 'strong', 'master'] as const

/** The kinds and levels that can be chosen, in the order of the choice. */
export const choices = [...kinds, ...levels] as const

/** A kind of player by name; one without a name as it is written. */
export function playerName(w: Words, kind: string): string {
  const known = choices.find((k) => k === kind)
  return known ? w.p(`k_${known}`) : kind
}

const tenths = (w: Words, n: number): string => w.number(Math.round(10 * n) / 10)

/** One reason of a player for its card. */
export function thoughtText(w: Words, t: Thought): string {
  const name = (card: string | undefined) => (card === undefined ? '' : w.brief(parseCard(card)!))
  const points = Math.round(10 * (t.points ?? 0)) / 10
  return (
    w.p(`t_${t.code}`, {
      card: name(t.card),
      points: w.signed(points),
      chance: Math.round(100 * (t.chance ?? 0)),
      worlds: w.number(t.worlds ?? 0),
    }) +
    (t.next === undefined
      ? ''
      : ' ' +
        (t.code === 'learned_card'
          ? w.p('t_next_chance', { next: name(t.next), chance: Math.round(100 * (t.next_chance ?? 0)) })
          : w.p('t_next_cost', { next: name(t.next), cost: tenths(w, t.cost ?? 0) })))
  )
}
