// What one seat has seen of a hand: its eight cards and the cards played. The hidden mode knows no more.

import { type Card, wire } from '../shared/cards'
import { type Position, handOf, replay, turnOf } from './rules'
import { type Seat, next, seats } from './seats'
import { type Seen, type Shared, mayHave } from './url'

/** What a seat has seen of a deal: of the holders, only the holders of its own cards. */
export function seenOf({ setup, played, cursor, heard }: Shared, seat: Seat): Seen {
  return {
    setup: { ...setup, holders: [...setup.holders].map((h) => (h === seat ? h : '.')).join('') },
    played,
    cursor,
    seat,
    ...(heard && { heard }),
  }
}

/** The position at the cursor. The hands of the others are empty in it. */
export const positionSeen = ({ setup, played, cursor }: Seen): Position => replay(setup, played.slice(0, cursor))

/** The view as the API takes it, at the cursor. */
export function viewOf({ setup, seat, played, cursor }: Seen) {
  const { rules, trump, leader, declarer, holders } = setup
  return {
    rules,
    trump,
    leader,
    declarer,
    seat,
    hand: handOf(holders, seat).map(wire),
    played: played.slice(0, cursor).map(wire),
  }
}

/** How many cards each seat still holds. */
export function leftOf(p: Position): Record<Seat, number> {
  const inTrick = p.trick.cards.map((_, i) => next(p.trick.leader, i))
  return Object.fromEntries(seats.map((s) => [s, 8 - p.tricks.length - (inTrick.includes(s) ? 1 : 0)])) as Record<
    Seat,
    number
  >
}

export type SeenAction =
  | { type: 'set'; seen: Seen }
  | { type: 'play'; card: Card }
  | { type: 'go'; to: number }
  | { type: 'contract'; change: Partial<Omit<Seen['setup'], 'holders'>> }

/** The one function that changes what is seen. A card that the player to move cannot have played changes nothing. */
export function reduceSeen(s: Seen, a: SeenAction): Seen {
  switch (a.type) {
    case 'set':
      return a.seen
    case 'play': {
      const before = s.played.slice(0, s.cursor)
      if (s.played[s.cursor] === a.card) return { ...s, cursor: s.cursor + 1 }
      if (!mayHave(positionSeen(s), s.seat, a.card, before)) return s
      return { ...s, played: [...before, a.card], cursor: s.cursor + 1 }
    }
    case 'go':
      return { ...s, cursor: Math.max(0, Math.min(a.to, s.played.length)) }
    case 'contract':
      return keepSeen({ ...s, setup: { ...s.setup, ...a.change } }, s)
  }
}

// What was seen under another contract: the cards that may still have been played, and the calls if they led to it.
function keepSeen(after: Seen, before: Seen): Seen {
  const may = (cards: Card[], c: Card) => mayHave(replay(after.setup, cards), after.seat, c, cards)
  let n = 0
  while (n < before.played.length && may(before.played.slice(0, n), before.played[n]!)) n++
  const same = (['trump', 'leader', 'declarer'] as const).every((k) => after.setup[k] === before.setup[k])
  return {
    ...after,
    played: before.played.slice(0, n),
    cursor: Math.min(before.cursor, n),
    heard: same ? before.heard : undefined,
  }
}

/** Who is to play; none at the end. */
export const toPlay = (p: Position): Seat | null => (p.finished ? null : turnOf(p))
