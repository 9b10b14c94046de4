// The 54 cards of tarok, numbered as by the engine of the server: taroks 1 to 22 are 0 to 21, and the suits begin at 24
// with eight cards each, from the lowest to the king.

import type * as Schemas from '../contract'
import { type Deck, readerOf } from '../shared/typed'

export type Card = number
export type CardName = Schemas.TarokCard
/** A suit, or T for the taroks. */
export type Suit = 'T' | 'H' | 'D' | 'S' | 'C'
export type Player = 'A' | 'B' | 'C'

export const players: readonly Player[] = ['A', 'B', 'C']
export const next = (p: Player, by = 1): Player => players[(players.indexOf(p) + by) % 3]!

export const pagat: Card = 0
export const mond: Card = 20
export const skis: Card = 21
export const trula: readonly Card[] = [pagat, mond, skis]

const order: readonly Suit[] = ['T', 'H', 'D', 'S', 'C']
export const symbols: Record<Suit, string> = { T: '', H: '♥', D: '♦', S: '♠', C: '♣' }
const red = ['4', '3', '2', '1', 'J', 'C', 'Q', 'K']
const black = ['7', '8', '9', '10', 'J', 'C', 'Q', 'K']
const ranksOf = (s: Suit): readonly string[] => (s === 'H' || s === 'D' ? red : black)

/** All cards in the order of the deck. */
export const deck: readonly Card[] = [...Array(22).keys(), ...[...Array(32).keys()].map((n) => n + 24)]

export const suitOf = (c: Card): Suit => (c < 24 ? 'T' : order[(c >> 3) - 2]!)
export const isTarok = (c: Card): boolean => c < 24
/** The number of a tarok, or the rank of another card: 4 3 2 1 or 7 8 9 10, then J C Q K. */
export const rankOf = (c: Card): string => (isTarok(c) ? String(c + 1) : ranksOf(suitOf(c))[c & 7]!)
export const isKing = (c: Card): boolean => !isTarok(c) && (c & 7) === 7

/** The card as the API writes it, such as T21, HK or S10. */
export const wire = (c: Card): CardName => (suitOf(c) + rankOf(c)) as CardName
/** The card in two characters, as in the fragment of the URL: 21 for tarok 21, HK, ST for the ten of spades. */
export const short = (c: Card): string =>
  isTarok(c) ? rankOf(c).padStart(2, '0') : suitOf(c) + (rankOf(c) === '10' ? 'T' : rankOf(c))

const byText = new Map<string, Card>(
  deck.flatMap((c): [string, Card][] => [
    [wire(c), c],
    [short(c), c],
  ]),
)

/** Reads a card as the API does, or in two characters, in any case. Null if it is none. */
export const parseCard = (text: string): Card | null => byText.get(text.toUpperCase()) ?? null

/** Reads cards that are typed. */
export const deck54: Deck = {
  cards: deck,
  face: rankOf,
  suit: suitOf,
  more: (c) => [wire(c), short(c), ...(isTarok(c) ? ['TAROK' + rankOf(c)] : [])],
}
export const readTarok = readerOf(deck54)

/** The value of a card in thirds of a point: three times its points less two. */
export function thirdsOf(c: Card): number {
  if (trula.includes(c)) return 13
  return isTarok(c) || (c & 7) < 4 ? 1 : [4, 7, 10, 13][(c & 7) - 4]!
}
export const sum = (cards: readonly Card[]): number => cards.reduce((n, c) => n + thirdsOf(c), 0)

/** Thirds of a point in points, such as 44⅔. */
export function points(thirds: number): string {
  const n = Math.abs(thirds)
  const part = ['', '⅓', '⅔'][n % 3]!
  return (thirds < 0 ? '−' : '') + (n >= 3 || part === '' ? Math.floor(n / 3) : '') + part
}
/** Thirds rounded to points. */
export const rounded = (thirds: number): number => Math.floor((thirds + 1) / 3)

const roman: [number, string][] = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
/** A number from 1 to 22 in Roman numerals. */
export function numeral(n: number): string {
  let out = ''
  for (const [value, text] of roman) for (; n >= value; n -= value) out += text
  return out
}

/** The cards of a hand as a player holds them: taroks first, then the suits; the highest first. */
export const sorted = (hand: readonly Card[]): Card[] => {
  const at = (c: Card): number => ['T', 'S', 'H', 'C', 'D'].indexOf(suitOf(c))
  return [...hand].sort((a, b) => at(a) - at(b) || b - a)
}
