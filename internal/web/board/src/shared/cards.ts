// The pack of 32 cards. A card is a number: 8 x suit + face, in the orders C D H S and 7 8 9 10 J Q K A.

export type Card = number
export type Suit = 'C' | 'D' | 'H' | 'S'
export type Face = '7' | '8' | '9' | '10' | 'J' | 'Q' | 'K' | 'A'

export const suits: readonly Suit[] = ['C', 'D', 'H', 'S']
export const faces: readonly Face[] = ['7', '8', '9', '10', 'J', 'Q', 'K', 'A']
export const symbols: Record<Suit, string> = { C: '♣', D: '♦', H: '♥', S: '♠' }

export const suitOf = (c: Card): Suit => suits[c >> 3]!
export const faceOf = (c: Card): Face => faces[c & 7]!

export type CardName = `${Face}${Suit}`
/** The card as the API writes it, such as 10H. */
export const wire = (c: Card): CardName => `${faceOf(c)}${suitOf(c)}`

/** The card in two characters, as in the fragment of the URL: TH for the ten of hearts. */
export const short = (c: Card): string => (faceOf(c) === '10' ? 'T' : faceOf(c)) + suitOf(c)

const bySymbol: Record<string, Suit> = {
  '♣': 'C',
  '♦': 'D',
  '♥': 'H',
  '♠': 'S',
  '♧': 'C',
  '♢': 'D',
  '♡': 'H',
  '♤': 'S',
}

// Reads a suit letter or symbol in any case.
function parseSuit(text: string): Suit | null {
  const s = text.trim().toUpperCase().replace('\uFE0F', '')
  return bySymbol[s] ?? (suits.includes(s as Suit) ? (s as Suit) : null)
}

/** Reads a card as the API does, in any case, with T for the ten and suit symbols. Null if it is none. */
export function parseCard(text: string): Card | null {
  const m = /^(7|8|9|10|T|J|Q|K|A)([CDHS♣♦♥♠♧♢♡♤])\uFE0F?$/u.exec(text.trim().toUpperCase())
  if (!m) return null
  const suit = parseSuit(m[2]!)
  if (!suit) return null
  return 8 * suits.indexOf(suit) + faces.indexOf((m[1] === 'T' ? '10' : m[1]) as Face)
}

const trumpOrder: readonly Face[] = ['7', '8', 'Q', 'K', '10', 'A', '9', 'J']
const plainOrder: readonly Face[] = ['7', '8', '9', 'J', 'Q', 'K', '10', 'A']

/** How strong the card is within its suit, 0 to 7. Without a trump suit it is null. */
export function strength(c: Card, trump: Suit | null): number {
  return (suitOf(c) === trump ? trumpOrder : plainOrder).indexOf(faceOf(c))
}
