// The state of the page, and the one function that changes it. Everything else on the page is derived from it.

import { type Card, wire } from '../shared/cards'
import { type Cut, fitting, goTo, keepFitting, playOne } from '../shared/variation'
import {
  type Position,
  type Setup,
  defaultThreshold,
  isUnseen,
  refusal,
  replay,
  suitsOf,
  toTurn,
  turned,
} from './rules'
import { asSeen, unseenOf } from './seen'

/** What the players play for: the declarer's points, or the contract alone. */
export type Utility = 'points' | 'contract'

/** What the address holds. */
export interface Shared {
  setup: Setup
  played: Card[]
  cursor: number
  utility: Utility
}

export interface State extends Shared {
  cuts: Cut[]
  /** The seed that the deal was drawn with; empty where it was not drawn. */
  seed: string
}

export type Action =
  | { type: 'deal'; shared: Shared; seed?: string | undefined }
  | { type: 'contract'; change: Partial<Omit<Setup, 'stacks'>> }
  | { type: 'utility'; utility: Utility }
  | { type: 'play'; cards: readonly Card[] }
  | { type: 'turn'; card: Card }
  | { type: 'go'; to: number }

/** A deal that is not there yet. */
export const nothing: Setup = { trump: 'H', leader: 'A', declarer: 'A', threshold: 80, stacks: { A: [], B: [] } }

export const isDeal = (s: Setup): boolean => s.stacks.A.length > 0

/** The position at a number of cards of the state. Unseen cards are turned as they were. */
export function positionAt(s: Pick<Shared, 'setup' | 'played'>, at: number): Position {
  const played = s.played.slice(0, at)
  return replay(isUnseen(s.setup) ? asSeen(s.setup, played) : s.setup, played)
}

/** The position at the cursor, or at another number of cards. */
export const positionOf = (s: Shared, at = s.cursor): Position => positionAt(s, at)

/** The cards that can be the one that is turned next; none if it is known. */
export const turnable = (p: Position): Card[] => (toTurn(p) ? unseenOf(p.setup, suitsOf(p.setup)) : [])

// The state with the card that is turned next.
function turn(s: State, c: Card | undefined): State {
  const at = toTurn(positionOf(s))
  return at && c !== undefined ? turnLast({ ...s, setup: turned(s.setup, at, c) }) : s
}

// The last card that nobody has seen needs not be told.
function turnLast(s: State): State {
  const cards = turnable(positionOf(s))
  return cards.length === 1 ? turn(s, cards[0]) : s
}

export function reduce(s: State, a: Action): State {
  switch (a.type) {
    case 'deal':
      return { ...a.shared, cuts: [], seed: a.seed ?? '' }
    case 'contract': {
      // Another trump makes other cards legal: what still fits stays. The threshold follows the total unless it was
      // chosen.
      const setup = { ...s.setup, ...a.change }
      if (a.change.trump !== undefined) setup.threshold = defaultThreshold(setup.stacks.A.length / 2, setup.trump)
      const fit = (cards: readonly Card[]) =>
        fitting<Card[]>(
          [],
          cards,
          (before, c) => refusal(positionAt({ setup, played: before }, before.length), c),
          (before, c) => [...before, c],
        )
      return { ...keepFitting(s, fit), setup }
    }
    case 'utility':
      return { ...s, utility: a.utility }
    case 'play': {
      let after = s
      for (const c of a.cards) {
        if (refusal(positionOf(after), c) !== null) break
        after = turnLast(playOne(after, c))
      }
      return after
    }
    case 'turn':
      return turnable(positionOf(s)).includes(a.card) ? turn(s, a.card) : s
    case 'go':
      return goTo(s, a.to)
  }
}

/** The position as the API takes it. */
export function bodyOf(s: Shared, at = s.cursor) {
  const { trump, leader, declarer, threshold, stacks } = s.setup
  const suits = suitsOf(s.setup)
  const list = (of: readonly (Card | null)[]) => of.map((c) => (c === null ? null : wire(c)))
  return {
    trump,
    suits,
    leader,
    declarer,
    threshold,
    stacks: { A: stacks.A.map(list), B: stacks.B.map(list) },
    played: s.played.slice(0, at).map(wire),
  }
}
