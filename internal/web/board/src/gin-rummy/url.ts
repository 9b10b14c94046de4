// The situation in the address of the page: #v=1&s=b&u=9D&h=2C3C4C&e=bt9DbdQS, and &l=c with the fixed order of lay-offs. docs/project/board.md describes it.

import { type Card, type CardName, ranks, suits } from './cards'
import type { Suit } from '../shared/cards'
import type { Event, Situation } from './state'

const faces = 'A23456789TJQK'
const kinds: Record<string, Event['kind']> = { p: 'pass', t: 'take', s: 'stock', d: 'discard' }
const seats: Record<string, Event['seat']> = { a: 'A', b: 'B' }

// The card of the API in two characters, or null for what is no card.
function brief(text: string): string | null {
  const suit = text.slice(-1).toUpperCase()
  const rank = text.slice(0, -1).toUpperCase()
  const at = ranks.indexOf((rank === 'T' ? '10' : rank) as (typeof ranks)[number])
  return at < 0 || !suits.includes(suit as (typeof suits)[number]) ? null : faces[at] + suit
}
const whole = (two: string): CardName => `${ranks[faces.indexOf(two[0]!) as Card]!}${two[1] as Suit}`

/** The address of a situation, or null for one that no address can hold: the server refuses it. */
export function fragment(s: Situation): string | null {
  const letter = <T>(of: Record<string, T>, value: T) => Object.keys(of).find((k) => of[k] === value)
  const events = s.events.map((e) => {
    const [p, a, c] = [
      letter(seats, e.seat),
      letter(kinds, e.kind as Event['kind']),
      e.card === undefined ? '' : brief(e.card),
    ]
    return p === undefined || a === undefined || c === null ? null : p + a + c
  })
  const parts = [letter(seats, s.starter), brief(s.upcard), ...s.hand.map(brief), ...events]
  if (parts.some((x) => x === null || x === undefined)) return null
  return `#v=1&s=${parts[0]}&u=${parts[1]}&h=${s.hand.map(brief).join('')}&e=${events.join('')}${s.lay_offs === 'challenge' ? '&l=c' : ''}`
}

/** Reads an address. It is null for one without a situation. */
export function readFragment(hash: string): Situation | null {
  const card = '[A2-9TJQK][CHSD]'
  const read = new RegExp(
    `^#v=1&s=([ab])&u=(${card})&h=((?:${card}){10,11})&e=((?:[ab][ptsd](?:${card})?){0,1200})(&l=c)?$`,
  ).exec(hash)
  if (!read) return null
  const events = [...read[4]!.matchAll(new RegExp(`([ab])([ptsd])(${card})?`, 'g'))]
  return {
    seat: 'A',
    starter: seats[read[1]!]!,
    upcard: whole(read[2]!),
    hand: read[3]!.match(/../g)!.map(whole),
    events: events.map(([, seat, kind, card]) => ({
      seat: seats[seat!]!,
      kind: kinds[kind!]!,
      ...(card ? { card: whole(card) } : {}),
    })),
    ...(read[5] ? { lay_offs: 'challenge' } : {}),
  }
}
