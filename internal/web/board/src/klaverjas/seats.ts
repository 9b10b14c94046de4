// The seats and the teams, and the hand of a seat in order.

import { type Card, type Suit, strength, suitOf } from '../shared/cards'

export type Seat = 'N' | 'E' | 'S' | 'W'
export type Team = 'NS' | 'EW'

export const seats: readonly Seat[] = ['N', 'E', 'S', 'W']
export const teams: readonly Team[] = ['NS', 'EW']

export const teamOf = (s: Seat): Team => (s === 'N' || s === 'S' ? 'NS' : 'EW')
export const next = (s: Seat, by = 1): Seat => seats[(seats.indexOf(s) + by) & 3]!
/**
 * Where a seat is at a table that is drawn with another seat at the bottom, as the seat that is there with South at the
 * bottom.
 */
export const placeOf = (s: Seat, bottom: Seat): Seat => next(s, 2 - seats.indexOf(bottom))
export const opponents = (t: Team): Team => (t === 'NS' ? 'EW' : 'NS')
export const other = (s: Seat): Seat => next(s, 2)

/**
 * The cards of a hand as a player holds them: trumps first, then the other suits; the strongest first. Before a trump is
 * known, null, no suit has the order of trumps.
 */
export function sorted(hand: readonly Card[], trump: Suit | null): Card[] {
  const plain = (['S', 'H', 'C', 'D'] as Suit[]).filter((s) => s !== trump)
  const order: Suit[] = trump === null ? plain : [trump, ...plain]
  return [...hand].sort((a, b) => {
    const d = order.indexOf(suitOf(a)) - order.indexOf(suitOf(b))
    return d !== 0 ? d : strength(b, trump) - strength(a, trump)
  })
}

/** What the seats are called in a text, in Dutch and English. */
export const seatNames: Record<string, Seat> = {
  N: 'N',
  NOORD: 'N',
  NORTH: 'N',
  O: 'E',
  E: 'E',
  OOST: 'E',
  EAST: 'E',
  Z: 'S',
  S: 'S',
  ZUID: 'S',
  SOUTH: 'S',
  W: 'W',
  WEST: 'W',
}
