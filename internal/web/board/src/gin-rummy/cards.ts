// The deck of Gin Rummy. A card is a number: 13 x suit + rank, in the orders C H S D and A 2 … K.

import type { Suit } from '../shared/cards'
import type { Deck } from '../shared/typed'

export type Card = number
export type Rank = 'A' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | 'J' | 'Q' | 'K'

export const suits: readonly Suit[] = ['C', 'H', 'S', 'D']
export const ranks: readonly Rank[] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']

export const suitOf = (c: Card): Suit => suits[Math.floor(c / 13)]!
export const rankOf = (c: Card): Rank => ranks[c % 13]!
export type CardName = `${Rank}${Suit}`
/** The card as the API writes it, such as 10H. */
export const wire = (c: Card): CardName => `${rankOf(c)}${suitOf(c)}`
/** A card of the API. */
export const cardOf = (text: string): Card =>
  13 * suits.indexOf(text.slice(-1) as Suit) + ranks.indexOf(text.slice(0, -1) as Rank)
export const pointsOf = (c: Card): number => Math.min(10, (c % 13) + 1)

export const deck52: Deck = { cards: [...Array(52).keys()], face: rankOf, suit: suitOf, more: (c) => [wire(c)] }

const [left, middle, right] = [23, 35, 47]
/** Where the pips of the faces are that the deck of 32 cards does not have. */
export const pips: Record<string, [number, number][]> = {
  '2': [
    [middle, 24],
    [middle, 74],
  ],
  '3': [
    [middle, 24],
    [middle, 49],
    [middle, 74],
  ],
  '4': [
    [left, 24],
    [left, 74],
    [right, 24],
    [right, 74],
  ],
  '5': [
    [left, 24],
    [left, 74],
    [right, 24],
    [right, 74],
    [middle, 49],
  ],
  '6': [
    [left, 24],
    [left, 49],
    [left, 74],
    [right, 24],
    [right, 49],
    [right, 74],
  ],
}
