// What is on the table of a session or of a situation, from what one player has seen.

import type * as Schemas from '../contract'
import { type Card, type CardName, cardOf, pointsOf, wire } from './cards'

export type Session = Schemas.GinSession
export type SessionRequest = Schemas.GinSessionRequest
export type Round = Schemas.GinPosition
/** A situation, with the rule of lay-offs, which advice depends on. */
export type Situation = Schemas.GinView & { lay_offs?: LayOffs }
export type LayOffs = Schemas.GinLayOffsRule
export type Event = Schemas.GinEvent
export type Seat = Schemas.GinSeat
export type Kind = Schemas.GinSessionActionKind
export type Action = Schemas.GinAction
export type Estimate = Schemas.GinEstimate
export type Advice = Schemas.GinAdvice
export type Melds = Schemas.GinMelds
export type Laid = Schemas.GinLaid

/** The cards whose place is known, and how many are left in the stock. */
export interface Known {
  own: readonly Card[]
  /** The discards, the top one last. It is empty after the only one was taken. */
  pile: readonly Card[]
  /** Cards that the opponent took from the discards and has not discarded since. */
  kept: readonly Card[]
  stock: number
  /** The card just drawn, until the discard. */
  drawn: Card | null
}

export function knownOf(s: Situation): Known {
  const pile = [cardOf(s.upcard)]
  const kept = new Set<Card>()
  let stock = 31
  let drawn: Card | null = null
  for (const e of s.events) {
    const c = e.card === undefined ? null : cardOf(e.card)
    if (e.kind === 'take') {
      pile.pop()
      if (e.seat === 'B') kept.add(c!)
    } else if (e.kind === 'stock') stock--
    else if (e.kind === 'discard') {
      pile.push(c!)
      kept.delete(c!)
    }
    drawn = e.seat === 'A' && (e.kind === 'take' || e.kind === 'stock') ? c : null
  }
  return { own: s.hand.map(cardOf), pile, kept: [...kept], stock, drawn }
}

/** A situation as it was after a number of events. */
export function situationAt(s: Situation, n: number): Situation {
  if (n >= s.events.length) return s
  const hand = new Set(s.hand)
  for (const e of s.events.slice(n).reverse())
    if (e.seat === 'A' && e.card !== undefined) e.kind === 'discard' ? hand.add(e.card) : hand.delete(e.card)
  return { ...s, hand: [...hand], events: s.events.slice(0, n) }
}

/** A situation without the draw of the opponent whose discard is missing. */
export function beforeDraw(s: Situation): Situation {
  const last = s.events.at(-1)
  const drew = last?.seat === 'B' && (last.kind === 'take' || last.kind === 'stock')
  return drew ? { ...s, events: s.events.slice(0, -1) } : s
}

/** The hand of the opponent after a number of events of a round that is over. */
export function theirsAt({ hands, events }: Round, n: number): CardName[] {
  const hand = new Set(hands.B)
  for (const e of events.slice(0, n))
    if (e.seat === 'B' && e.card !== undefined) e.kind === 'discard' ? hand.delete(e.card) : hand.add(e.card)
  return [...hand]
}

/**
 * A situation after an act of the player whose outcome is known before the server answers: a discard, or the top
 * discard taken.
 */
export function afterOwn(s: Situation, { kind, card }: { kind?: Kind; card?: CardName }): Situation {
  const add = (hand: CardName[], kind: 'discard' | 'take', card: CardName): Situation => ({
    ...s,
    hand,
    events: [...s.events, { seat: 'A', kind, card }],
  })
  if (kind === 'discard')
    return add(
      s.hand.filter((c) => c !== card),
      kind,
      card!,
    )
  const top = knownOf(s).pile.at(-1)
  return kind === 'take' && top !== undefined ? add([...s.hand, wire(top)], kind, wire(top)) : s
}

/**
 * Whether it is for seat A to decide in a situation that was entered. After an own discard it is if the deadwood, which
 * the server tells, allows a knock.
 */
export function mayDecide(s: Situation, deadwood: number | undefined): boolean {
  const last = s.events[s.events.length - 1]
  if (!last) return s.starter === 'A'
  if (last.kind === 'take' || last.kind === 'stock') return last.seat === 'A'
  if (last.kind === 'discard' && last.seat === 'A') return deadwood !== undefined && deadwood <= 10
  return last.seat === 'B'
}

/** The cards of a hand that could be laid off on a meld: the fourth of a rank, or those that go on with a run. */
export function fitting(meld: readonly Card[], hand: readonly Card[]): Card[] {
  const [low, high] = [Math.min(...meld), Math.max(...meld)]
  if (low % 13 === high % 13) return hand.filter((c) => c % 13 === low % 13)
  const out: Card[] = []
  for (let c = low - 1; (c + 1) % 13 > 0 && hand.includes(c); c--) out.push(c)
  for (let c = high + 1; c % 13 > 0 && hand.includes(c); c++) out.push(c)
  return out
}

/** Some cards of a hand that lie together: a meld, or those outside melds. */
export interface Group {
  meld: boolean
  cards: Card[]
}

const byRank = (a: Card, b: Card): number => (a % 13) - (b % 13) || a - b

export function groupsOf(hand: readonly Card[], melds: readonly (readonly string[])[]): Group[] {
  const out: Group[] = melds
    .map((m) => ({ meld: true, cards: m.map(cardOf).filter((c) => hand.includes(c)) }))
    .filter((g) => g.cards.length > 0)
  const rest = hand.filter((c) => !out.some((g) => g.cards.includes(c))).sort(byRank)
  if (rest.length > 0) out.push({ meld: false, cards: rest })
  return out
}

/** The groups of cards that were laid down. */
export const laidGroups = (l: Laid): Group[] => groupsOf([...l.melds.flat(), ...l.unmelded].map(cardOf), l.melds)

export const sumOf = (cards: readonly Card[]): number => cards.reduce((n, c) => n + pointsOf(c), 0)

/** What an estimate would have been worth: how many of the ten cards were among the ten most probable, and their mean probability in per cent, by the
 * estimate and if every unseen card were equally likely. */
export function compare(e: Estimate, known: Known, hand: readonly CardName[]): { n: number; p: number; u: number } {
  const kept = known.kept.length
  const percent = (x: number) => Math.round(10 * x)
  return {
    n: hand.filter((c) => e.likely.includes(c)).length,
    p: percent(hand.reduce((sum, c) => sum + e.probabilities[c]!, 0)),
    u: percent(kept + ((10 - kept) * (10 - kept)) / e.unknown),
  }
}

/** Reads a situation from JSON. What the server does not take it says itself. */
export function readSituation(text: string): Situation | null {
  try {
    const v = JSON.parse(text) as Partial<Situation>
    if (typeof v.starter !== 'string' || typeof v.upcard !== 'string' || !Array.isArray(v.hand)) return null
    const { upcard, hand } = v
    // The page shows seat A. What seat B has seen is the same with the seats exchanged.
    const own = <S extends Seat>(seat: S): Seat =>
      v.seat === 'B' ? (seat === 'A' ? 'B' : seat === 'B' ? 'A' : seat) : seat
    const events = (Array.isArray(v.events) ? v.events : []).map((e) => ({ ...e, seat: own(e.seat) }))
    const situation: Situation = { seat: 'A', starter: own(v.starter), upcard, hand, events }
    return v.lay_offs === 'challenge' ? { ...situation, lay_offs: v.lay_offs } : situation
  } catch {
    return null
  }
}

/** A situation to begin with. */
export const exampleSituation: Situation = {
  seat: 'A',
  starter: 'B',
  upcard: '9D',
  hand: ['2C', '3C', '4C', '8C', 'QC', 'KH', 'AS', '7S', 'KS', 'JD', '5C'],
  events: [
    { seat: 'B', kind: 'take', card: '9D' },
    { seat: 'B', kind: 'discard', card: 'QS' },
    { seat: 'A', kind: 'stock', card: '5C' },
  ],
}
