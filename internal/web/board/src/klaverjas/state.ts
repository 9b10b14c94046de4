// The state of the board, and the one function that changes it. Everything else on the page is derived from it.

import type { Card } from '../shared/cards'
import { type Cut, fitting, goTo, keepFitting, playOne, swap } from '../shared/variation'
import { type Position, type Setup, complete, defaultRules, play, refusal, replay, start } from './rules'
import type { Seat } from './seats'
import { type Shared, rulesText } from './url'

export interface State extends Shared {
  mode: 'open'
  /** The seat whose hand has the keyboard. */
  seat: Seat
  cuts: Cut[]
  aside?: Cut | undefined
}

export type Action =
  | { type: 'deal'; setup: Setup; played?: Card[]; cursor?: number; cuts?: Cut[]; aside?: Cut | undefined }
  | { type: 'contract'; change: Partial<Omit<Setup, 'holders'>> }
  | { type: 'play'; cards: readonly Card[] }
  | { type: 'go'; to: number }
  | { type: 'swap' }

/** The position at a number of cards of the state; at its cursor by default. */
export const positionOf = (s: State, at = s.cursor): Position => replay(s.setup, s.played.slice(0, at))

export const emptySetup = (setup: Omit<Setup, 'holders'>): Setup => ({ ...setup, holders: '.'.repeat(32) })

export function initial(shared: Shared): State {
  return settle({ ...shared, cuts: shared.cuts ?? [], mode: 'open', seat: shared.setup.leader })
}

/** The state without a deal. */
export const blank = (): State =>
  initial({
    setup: emptySetup({ rules: defaultRules(), trump: 'S', leader: 'S', declarer: 'NS' }),
    played: [],
    cursor: 0,
  })

// The keyboard follows the player whose turn it is.
function settle(s: State): State {
  if (!complete(s.setup.holders)) return s
  const p = positionOf(s)
  const turn = p.trick.cards.length === 0 ? p.trick.leader : nextOf(p)
  return p.finished ? s : { ...s, seat: turn }
}

const nextOf = (p: Position): Seat =>
  (['N', 'E', 'S', 'W'] as const)[('NESW'.indexOf(p.trick.leader) + p.trick.cards.length) & 3]!

export function reduce(s: State, a: Action): State {
  switch (a.type) {
    case 'deal': {
      const played = a.played ?? []
      return settle({
        ...s,
        setup: a.setup,
        played,
        cursor: a.cursor ?? played.length,
        cuts: a.cuts ?? [],
        aside: a.aside,
        seat: a.setup.leader,
      })
    }
    case 'contract': {
      // Other rules make other cards legal: what still fits stays.
      const setup = { ...s.setup, ...a.change }
      const begin = start(setup)
      return settle({ ...keepFitting(s, (cards) => fitting(begin, cards, refusal, play)), setup, seat: setup.leader })
    }
    case 'play': {
      let position = positionOf(s)
      let after = s
      for (const c of a.cards) {
        if (refusal(position, c) !== null) break
        position = play(position, c)
        after = playOne(after, c)
      }
      return settle(after)
    }
    case 'go':
      return settle(goTo(s, a.to))
    case 'swap':
      return settle(swap(s))
  }
}

/** What identifies the position at the cursor. Every answer is kept under the key of its position. */
export function keyOf(s: State, at = s.cursor): string {
  const { setup } = s
  return [
    setup.holders,
    setup.trump + setup.leader + setup.declarer,
    rulesText(setup.rules),
    s.played.slice(0, at).join('.'),
  ].join('|')
}
