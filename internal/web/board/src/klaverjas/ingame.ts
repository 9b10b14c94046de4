// What a seat has seen of a game with the players of the server, and of a hand that is followed.

import { type Card, parseCard } from '../shared/cards'
import * as prefs from '../shared/prefs'
import type { Session } from './api'
import { type Setup, complete, defaultRules } from './rules'
import { type Seat, next, seats, teamOf } from './seats'
import { seenOf } from './seen'
import { emptySetup } from './state'
import { type Seen, type Shared, gameFragment, readFragment, rulesText } from './url'
import type { Key } from './words'

/** The tabs of a hand with hidden cards. */
export const tabs = ['holders', 'advice', 'review', 'sheet'] as const

export const flowKey = (flow: string): Key => `flow_${flow}` as Key

/** A game as it was at a step of its hand: before the first card, with the calls up to there. */
export const toldAt = (s: Session, step: number): Session =>
  step < 0 ? { ...s, state: 'bidding', calls: s.calls.slice(0, step), called_by: undefined } : s

/** A game while the calls of the others come one by one: in the bidding, after n calls. */
export function whileCalled(s: Session, n: number): Session {
  if (n >= s.calls.length) return s
  const { auction, called_by, view, ...rest } = s
  return { ...rest, state: 'bidding', calls: s.calls.slice(0, n) }
}

/** What is seen before there is a hand. */
export const nothing: Seen = {
  setup: emptySetup({ rules: defaultRules(), trump: 'S', leader: 'S', declarer: 'NS' }),
  played: [],
  cursor: 0,
  seat: 'S',
}

/** Where the hidden mode begins: at the address, or where the last visit ended. */
export function begin(): { seen: Seen; playing: boolean; review?: boolean | undefined } {
  const hash = location.hash.length > 1 ? location.hash : (prefs.stored('board')?.hash ?? '')
  const read = hash === gameFragment ? null : readFragment(hash)
  return read?.ok && read.seat
    ? { seen: seenOf(read.shared, read.seat), playing: false, review: read.review }
    : { seen: nothing, playing: true }
}

/** The cards of the hand so far, with the one that was sent to the server. */
export const playedIn = (s: Session, sent?: string): Card[] =>
  [...((s.revealed ?? s.view)?.played ?? []), ...(sent ? [sent] : [])].map((c) => parseCard(c)!)

/** What the seat of a game has seen; all cards when the hand is over and its last card has been shown. */
export function seenIn(s: Session, played: Card[], cursor: number, coming = false): Seen {
  const from = s.revealed ?? s.view
  const hands: Partial<Record<Seat, readonly string[]>> = (!coming && s.revealed?.hands) || {
    [s.seat]: s.revealed?.hands[s.seat] ?? s.view?.hand ?? s.held,
  }
  const holders = Array<string>(32).fill('.')
  for (const seat of seats) for (const c of hands[seat] ?? []) holders[parseCard(c)!] = seat
  const setup: Setup = {
    rules: s.rules,
    trump: from?.trump ?? 'S',
    leader: from?.leader ?? s.leader,
    declarer: from?.declarer ?? teamOf(s.leader),
    holders: holders.join(''),
  }
  return { setup, played, cursor, seat: s.seat }
}

/**
 * The bidding as advise takes it. There is none for other rules than the defaults, for which the server has no model of
 * the bidding.
 */
export function heard(session: Session): object {
  const a = session.auction
  if (!a || !['', 'amsterdam'].includes(rulesText(session.rules))) return {}
  const { flow, dealer, calls, turned, again } = a
  return { bidding: { flow, dealer, calls, turned, again } }
}

/** The same of a hand that is followed at a real table. */
export function heardOf({ setup, heard }: Seen): object {
  if (!heard || !['', 'amsterdam'].includes(rulesText(setup.rules))) return {}
  const { flow, caller, passed } = heard
  const { leader, trump } = setup
  const dealer = next(leader, 3)
  const first = flow === 'official' ? dealer : leader
  const passes = ((seats.indexOf(caller) - seats.indexOf(first)) & 3) + (passed ? 4 : 0)
  const calls = [...Array<string>(passes).fill('pass'), trump]
  return { bidding: { flow, dealer, calls, ...(flow === 'turned' ? { turned: [trump] } : {}) } }
}

/** Whether a deal, whose cards are all known, is the deal of which a seat has seen its hand. */
export const sameDeal = (known: Shared, own: Seen): boolean =>
  complete(known.setup.holders) &&
  known.setup.leader === own.setup.leader &&
  known.setup.trump === own.setup.trump &&
  [...own.setup.holders].every((h, c) => h === '.' || known.setup.holders[c] === h)

export const sameHand = (known: Shared, own: Seen): boolean =>
  sameDeal(known, own) && known.played.join() === own.played.join()

/** The bidding as the server takes it, which advises under the usual rules of a system only. */
export const bidAsked = <A extends { rules: { system: 'rotterdam' | 'amsterdam' } }>(auction: A): A => ({
  ...auction,
  rules: defaultRules(auction.rules.system),
})
