// The rules of docs/reference/rules/belote.md: legal cards, tricks and points. The page plays with them while the server searches. A
// test compares them with the engine of the server.

import { type Card, type Suit, faceOf, strength, suitOf } from '../shared/cards'

export type Player = 'A' | 'B'
export const players: readonly Player[] = ['A', 'B']
export const opponent = (p: Player): Player => (p === 'A' ? 'B' : 'A')

/** The trump suit, or null for a hand without trump. */
export type Trump = Suit | null

/** A stack as it was dealt: the open card, and the card below it, or null where nobody has seen it. */
export type Stack = readonly [Card, Card | null]

/** A deal and its contract. */
export interface Setup {
  trump: Trump
  leader: Player
  declarer: Player
  /** The points with which the declarer makes the contract. */
  threshold: number
  stacks: Record<Player, readonly Stack[]>
  /** The suits of the deal, where not all of its cards are known. */
  suits?: readonly Suit[]
}

export interface Trick {
  leader: Player
  cards: readonly [Card, Card]
  winner: Player
  points: number
}

export interface Position {
  setup: Setup
  /** How many cards each stack has left: 2, 1 or 0. */
  left: Record<Player, readonly number[]>
  /** Who leads the trick on the table, or the next one. */
  leader: Player
  led: Card | null
  tricks: readonly Trick[]
  points: Record<Player, number>
  finished: boolean
}

const trumpPoints: Record<string, number> = { '9': 14, '10': 10, J: 20, Q: 3, K: 4, A: 11 }
const plainPoints: Record<string, number> = { '10': 10, J: 2, Q: 3, K: 4, A: 11 }
const lastTrick = 10

export function pointsOf(c: Card, trump: Trump): number {
  const face = faceOf(c)
  if (trump === null && face === 'A') return 19
  return (suitOf(c) === trump ? trumpPoints : plainPoints)[face] ?? 0
}

/** The cards of a deal that are known. */
export const cardsOf = (s: Setup): Card[] =>
  players.flatMap((p) => s.stacks[p].flatMap((x) => [...x])).filter((c) => c !== null)

/** Whether nobody has seen some of the cards. */
export const isUnseen = (s: Setup): boolean => players.some((p) => s.stacks[p].some(([, below]) => below === null))

/** The suits of a deal, in the order of the API. */
export function suitsOf(s: Setup): Suit[] {
  const has = new Set(s.suits ?? cardsOf(s).map(suitOf))
  return (['C', 'D', 'H', 'S'] as const).filter((x) => has.has(x))
}

/** How many cards a deal has. */
export const sizeOf = (s: Setup): number => 4 * s.stacks.A.length

/** The points of the whole hand: 72, 102, 132 and 162 with trump, 48, 86, 124 and 162 without. */
export const total = (suits: number, trump: Trump): number =>
  lastTrick + (trump === null ? 38 * suits : 32 + 30 * suits)

/** The points that make the contract if nothing else is agreed. */
export const defaultThreshold = (suits: number, trump: Trump): number => total(suits, trump) / 2 - 1

export const totalOf = (s: Setup): number => total(s.stacks.A.length / 2, s.trump)

export const turnOf = (p: Position): Player => (p.led === null ? p.leader : opponent(p.leader))

/** The open card of a stack; null if the stack is empty or nobody has seen the card. */
export const topOf = (p: Position, player: Player, stack: number): Card | null =>
  p.left[player][stack] === 2
    ? p.setup.stacks[player][stack]![0]
    : p.left[player][stack] === 1
      ? p.setup.stacks[player][stack]![1]
      : null

/** The open cards of a player, in the order of the stacks. */
export const upOf = (p: Position, player: Player): Card[] =>
  p.setup.stacks[player].map((_, i) => topOf(p, player, i)).filter((c) => c !== null)

export type Why = 'lead' | 'follow' | 'overtrump' | 'ruff' | 'any'

/** The cards that may be played, and the rule that restricts the choice. */
export function legalOf(p: Position): { cards: readonly Card[]; why: Why } {
  const { trump } = p.setup
  const up = p.finished ? [] : upOf(p, turnOf(p))
  const led = p.led
  if (led === null) return { cards: up, why: 'lead' }
  const same = up.filter((c) => suitOf(c) === suitOf(led))
  if (same.length > 0) {
    const higher = suitOf(led) === trump ? same.filter((c) => strength(c, trump) > strength(led, trump)) : []
    return higher.length > 0 ? { cards: higher, why: 'overtrump' } : { cards: same, why: 'follow' }
  }
  const trumps = up.filter((c) => suitOf(c) === trump)
  return trumps.length > 0 ? { cards: trumps, why: 'ruff' } : { cards: up, why: 'any' }
}

/** The stack of which the card below is turned next, if it is not known: after a trick first one of its leader. */
export function toTurn(p: Position): { player: Player; at: number } | null {
  const last = p.led === null ? p.tricks.at(-1) : undefined
  if (!last) return null
  for (const player of [last.leader, opponent(last.leader)]) {
    const at = p.setup.stacks[player].findIndex(([, below], i) => below === null && p.left[player][i] === 1)
    if (at >= 0) return { player, at }
  }
  return null
}

/** The deal with the card that was turned in a stack. */
export const turned = (s: Setup, { player, at }: { player: Player; at: number }, c: Card): Setup => ({
  ...s,
  stacks: { ...s.stacks, [player]: s.stacks[player].map((x, i) => (i === at ? [x[0], c] : x)) },
})

export type Refusal =
  'finished' | 'turning' | 'turn' | 'unseen' | 'covered' | 'played' | 'follow' | 'overtrump' | 'ruff'

/** Why a card may not be played; null if it may. */
export function refusal(p: Position, c: Card): Refusal | null {
  if (p.finished) return 'finished'
  if (toTurn(p)) return 'turning'
  const turn = turnOf(p)
  const stacks = p.setup.stacks[turn]
  const at = stacks.findIndex((s) => s.includes(c))
  if (at < 0) return p.setup.stacks[opponent(turn)].some((s) => s.includes(c)) ? 'turn' : 'unseen'
  if (topOf(p, turn, at) !== c) return p.left[turn][at] === 2 ? 'covered' : 'played'
  const { cards, why } = legalOf(p)
  return cards.includes(c) ? null : (why as Refusal)
}

export function start(setup: Setup): Position {
  const full = setup.stacks.A.map(() => 2)
  return {
    setup,
    left: { A: full, B: full },
    leader: setup.leader,
    led: null,
    tricks: [],
    points: { A: 0, B: 0 },
    finished: false,
  }
}

const beats = (c: Card, led: Card, trump: Trump): boolean =>
  suitOf(c) === suitOf(led) ? strength(c, trump) > strength(led, trump) : suitOf(c) === trump

/** The position after a legal card. */
export function play(p: Position, c: Card): Position {
  const { trump, stacks } = p.setup
  const turn = turnOf(p)
  const at = stacks[turn].findIndex((s) => s.includes(c))
  const after: Position = { ...p, left: { ...p.left, [turn]: p.left[turn].map((n, i) => (i === at ? n - 1 : n)) } }
  if (p.led === null) return { ...after, led: c }
  const winner = beats(c, p.led, trump) ? turn : p.leader
  const finished = 2 * p.tricks.length + 2 === sizeOf(p.setup)
  const points = pointsOf(p.led, trump) + pointsOf(c, trump) + (finished ? lastTrick : 0)
  return {
    ...after,
    leader: winner,
    led: null,
    finished,
    tricks: [...p.tricks, { leader: p.leader, cards: [p.led, c], winner, points }],
    points: { ...p.points, [winner]: p.points[winner] + points },
  }
}

/** The position after cards that are legal. */
export const replay = (setup: Setup, cards: readonly Card[]): Position => cards.reduce(play, start(setup))
