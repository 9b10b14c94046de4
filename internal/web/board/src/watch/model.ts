// The S5 model of one card at one moment, from what the answer says that all and each seat hold for possible.

import { type Card, wire } from '../shared/cards'
import type * as Schemas from '../contract'
import type { CardModelStep } from '../klaverjas/api'
import { type Seat, seats } from '../klaverjas/seats'

export type Play = Schemas.KlaverjasPlay
export type PlayedHand = Schemas.KlaverjasPlayHand
export type PlayedCard = Schemas.KlaverjasPlayedCard
export type Possibles = Schemas.KlaverjasPossibles
export type Thought = Schemas.KlaverjasThought

/** The possibles when a number of cards have been played, or undefined before the players took over. */
export const possiblesAt = (hand: PlayedHand, at: number): Possibles | undefined => {
  const n = at - hand.before.length
  return n === 0 ? hand.possibles : hand.played[n - 1]?.possibles
}

/** The model of a card. holder was dealt it; a card that has been played has one world. */
export function modelOf(possibles: Possibles, c: Card, holder: Seat, played: boolean, number: number): CardModelStep {
  const name = wire(c)
  const who = (may: Record<Seat, readonly string[]>): Seat[] =>
    played ? [holder] : seats.filter((s) => may[s].includes(name))
  const worlds = who(possibles.public)
  const seat = (s: Seat) => ({
    classes: [worlds.filter((x) => x === s), worlds.filter((x) => x !== s)].filter((group) => group.length > 0),
    possible: who(possibles.seats[s].may),
  })
  return { number, worlds, actual: holder, seats: { N: seat('N'), E: seat('E'), S: seat('S'), W: seat('W') } }
}
