// A game of Belote with a player of the server, and what of it is shown.

import { type Card, type Suit, parseCard } from '../shared/cards'
import type * as Schemas from '../contract'
import type { Player, Setup, Stack } from './rules'
import type { Shared } from './state'

export type Session = Schemas.BeloteSession
export type SessionRequest = Schemas.BeloteSessionRequest
export type Call = Suit | 'pass'

/** The tabs of a hand. */
export const tabs = ['modeHidden', 'advice', 'review'] as const

export const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)

/** Whether the present hand is over. */
export const isOver = (s: Session): boolean => s.state === 'hand_over' || s.state === 'over'

type Stacks = Record<Player, readonly (readonly (string | null)[])[]>

/** Stacks as the page has them. */
export const stacksOf = ({ A, B }: Stacks): Setup['stacks'] => {
  const list = (of: Stacks[Player]): Stack[] =>
    of.map(([top, below]) => [parseCard(top!)!, below ? parseCard(below)! : null])
  return { A: list(A), B: list(B) }
}

/** The present hand as far as it has been dealt and turned. While the cards are dealt, the client is the one to act. */
export function setupOf(s: Session): Setup {
  const { view, auction } = s
  if (view) {
    const { trump, leader, declarer, threshold, stacks } = view
    return { trump: trump as Suit | null, leader, declarer, threshold, stacks: stacksOf(stacks) }
  }
  const { A, B } = auction!.open
  const open = (list: readonly string[]) => list.map((c) => [c, null])
  return {
    trump: null,
    leader: s.seat,
    declarer: 'A',
    threshold: auction!.threshold,
    stacks: stacksOf({ A: open(A), B: open(B) }),
  }
}

/** The steps in which the calls of a hand are shown: each call, and the end of the bidding. */
export const callSteps = (s: Session): number => s.calls.length + (s.calls.length > 0 && s.state !== 'bidding' ? 1 : 0)

/** The session while the call of the computer is on its way: as it was, with the calls of n steps. */
export const whileCalled = (s: Session, old: Session | null, n: number): Session =>
  n < callSteps(s) && old?.id === s.id && old.number === s.number && old.state === 'bidding'
    ? { ...old, calls: s.calls.slice(0, n) }
    : s

/** A hand that is over, as the open mode shows it. */
export function wholeOf(s: Session): Shared | null {
  const r = s.revealed
  if (!r) return null
  return { setup: setupOf(s), played: cards(r.played), cursor: r.played.length, utility: 'points' }
}

/** The request for another game like this one. */
export const likeIt = (s: Session): SessionRequest => ({
  seat: s.results[0]?.seat ?? s.seat,
  players: s.players,
  hands: s.hands,
  suits: s.suits,
  trump: s.trump,
})
