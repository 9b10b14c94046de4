// The state of the page, and the one function that changes it. Everything else on the page is derived from it.

import { type Card, wire } from '../shared/cards'
import { type Cut, goTo, playOne } from '../shared/variation'
import { type Position, type Setup, defaultThreshold, play, refusal, replay, suitsOf } from './rules'

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
  | { type: 'deal'; shared: Shared; seed?: string }
  | { type: 'contract'; change: Partial<Omit<Setup, 'stacks'>> }
  | { type: 'utility'; utility: Utility }
  | { type: 'play'; cards: readonly Card[] }
  | { type: 'go'; to: number }

/** A deal that is not there yet. */
export const nothing: Setup = { trump: 'H', leader: 'A', declarer: 'A', threshold: 80, stacks: { A: [], B: [] } }

export const isDeal = (s: Setup): boolean => s.stacks.A.length > 0

/** The position at a number of cards of the state; at its cursor by default. */
export const positionOf = (s: Shared, at = s.cursor): Position => replay(s.setup, s.played.slice(0, at))

export function reduce(s: State, a: Action): State {
  switch (a.type) {
    case 'deal':
      return { ...a.shared, cuts: [], seed: a.seed ?? '' }
    case 'contract': {
      // Another trump makes other cards legal, so the play begins again. The threshold follows the total unless it was
      // chosen.
      const setup = { ...s.setup, ...a.change }
      if (a.change.trump !== undefined) setup.threshold = defaultThreshold(setup.stacks.A.length / 2, setup.trump)
      const keeps = a.change.trump === undefined && a.change.leader === undefined
      return keeps ? { ...s, setup } : { ...s, setup, played: [], cursor: 0, cuts: [] }
    }
    case 'utility':
      return { ...s, utility: a.utility }
    case 'play': {
      let position = positionOf(s)
      let after = s
      for (const c of a.cards) {
        if (refusal(position, c) !== null) break
        position = play(position, c)
        after = playOne(after, c)
      }
      return after
    }
    case 'go':
      return goTo(s, a.to)
  }
}

/** The position as the API takes it. */
export function bodyOf(s: Shared, at = s.cursor) {
  const { trump, leader, declarer, threshold, stacks } = s.setup
  const suits = suitsOf(s.setup)
  return {
    trump,
    suits,
    leader,
    declarer,
    threshold,
    stacks: { A: stacks.A.map((x) => x.map((c) => wire(c!))), B: stacks.B.map((x) => x.map((c) => wire(c!))) },
    played: s.played.slice(0, at).map(wire),
  }
}
