// The rules of docs/reference/rules/tarok.md with their options: the exchange, legal cards, tricks and points. The page plays with them
// while the server searches. A test compares them with the engine of the server.

import {
  type Card,
  type Player,
  type Suit,
  isKing,
  isTarok,
  next,
  pagat,
  players,
  sorted,
  suitOf,
  sum,
  trula,
} from './cards'

export const contracts = ['klop', 'three', 'two', 'one', 'beggar', 'zero'] as const
export type Contract = (typeof contracts)[number]

export const talonSize = 6
/** How many cards the declarer exchanges. */
export const exchangeOf = (c: Contract): number => ({ klop: 0, three: 3, two: 2, one: 1, beggar: 0, zero: 0 })[c]
export const groupsOf = (c: Contract): number => (exchangeOf(c) > 0 ? talonSize / exchangeOf(c) : 0)

/**
 * The options of the rules, as the API takes them. Only lead and emperor matter in the play, the others in the score.
 */
export interface Rules {
  lead: 'forehand' | 'declarer'
  emperor: boolean
  difference: 'exact' | 'rounded' | 'none'
  mond: number
  valat_kontra: boolean
  defenders_pagat: boolean
}
export const defaultRules: Rules = {
  lead: 'forehand',
  emperor: true,
  difference: 'exact',
  mond: 21,
  valat_kontra: true,
  defenders_pagat: true,
}
/** The options that are on or off. */
export const switches = ['emperor', 'valat_kontra', 'defenders_pagat'] as const

/** What is decided before the first card. */
export interface Setup {
  contract: Contract
  /** Without meaning in klop. */
  declarer: Player
  hands: Record<Player, readonly Card[]>
  talon: readonly Card[]
  /** The group of the talon that the declarer takes, from 0; null if none has been taken. */
  group: number | null
  discards: readonly Card[]
  rules: Rules
}

export type Phase = 'talon' | 'discard' | 'play' | 'finished'

export interface Trick {
  leader: Player
  cards: readonly Card[]
  winner: Player
  /** Thirds of a point, in klop with the card of the talon. */
  thirds: number
  /** In klop: the card of the talon that came with it. */
  gift?: Card
}

export interface Position {
  setup: Setup
  phase: Phase
  held: Record<Player, readonly Card[]>
  /** Who leads the trick on the table, or the next one. */
  leader: Player
  trick: readonly Card[]
  tricks: readonly Trick[]
  /** Thirds of a point won in tricks. */
  won: Record<Player, number>
}

/** The cards of a group of the talon. */
export function groupOf(s: Pick<Setup, 'contract' | 'talon'>, group: number): readonly Card[] {
  const n = exchangeOf(s.contract)
  return s.talon.slice(group * n, (group + 1) * n)
}
export const takenOf = (s: Setup): readonly Card[] => (s.group === null ? [] : groupOf(s, s.group))
/** The cards of the talon that nobody has taken. */
export const restOf = (s: Setup): readonly Card[] => s.talon.filter((c) => !takenOf(s).includes(c))

export function phaseOf(s: Setup): Exclude<Phase, 'finished'> {
  if (exchangeOf(s.contract) === 0) return 'play'
  return s.group === null ? 'talon' : s.discards.length < exchangeOf(s.contract) ? 'discard' : 'play'
}

/** The cards that may be discarded next from a hand. */
export function discardable(hand: readonly Card[]): Card[] {
  const free = hand.filter((c) => !isKing(c) && !trula.includes(c))
  const plain = free.filter((c) => !isTarok(c))
  return plain.length > 0 ? plain : free
}

/** Whether tricks are to be avoided. */
export const negative = (c: Contract): boolean => c === 'klop' || c === 'beggar'

const beats = (c: Card, best: Card): boolean => (suitOf(c) === suitOf(best) ? c > best : isTarok(c))

/** The place of the card that wins a trick, which may be incomplete but not empty. */
export function winnerOf(trick: readonly Card[], { emperor }: Rules): number {
  if (emperor && trick.length === 3 && trula.every((c) => trick.includes(c))) return trick.indexOf(pagat)
  let best = 0
  trick.forEach((c, i) => {
    if (beats(c, trick[best]!)) best = i
  })
  return best
}

export type Why = 'lead' | 'follow' | 'ruff' | 'head' | 'any'

/** The cards of a hand that may be played to a trick, and the rule that restricts the choice. */
export function legalFrom(
  { contract, rules }: Setup,
  hand: readonly Card[],
  trick: readonly Card[],
): { cards: readonly Card[]; why: Why } {
  let cards = hand
  let why: Why = trick.length === 0 ? 'lead' : 'any'
  const led: Suit | null = trick.length === 0 ? null : suitOf(trick[0]!)
  if (led !== null) {
    const same = hand.filter((c) => suitOf(c) === led)
    const taroks = hand.filter(isTarok)
    if (same.length > 0) [cards, why] = [same, 'follow']
    else if (taroks.length > 0) [cards, why] = [taroks, 'ruff']
  }
  if (!negative(contract)) return { cards, why }
  if (led !== null) {
    const heads = cards.filter((c) => winnerOf([...trick, c], rules) === trick.length)
    if (heads.length > 0 && heads.length < cards.length) [cards, why] = [heads, 'head']
  }
  const rest = cards.filter((c) => c !== pagat)
  if (rest.length > 0) cards = rest
  return { cards, why }
}

export const turnOf = (p: Position): Player =>
  p.phase === 'talon' || p.phase === 'discard' ? p.setup.declarer : next(p.leader, p.trick.length)

/** The cards that may be discarded or played now, and why not others. */
export function legalOf(p: Position): { cards: readonly Card[]; why: Why } {
  if (p.phase === 'discard') return { cards: discardable(p.held[p.setup.declarer]), why: 'any' }
  if (p.phase !== 'play') return { cards: [], why: 'any' }
  return legalFrom(p.setup, p.held[turnOf(p)], p.trick)
}

export type Refusal =
  'finished' | 'turn' | 'played' | 'follow' | 'ruff' | 'head' | 'pagat' | 'discard' | 'talon' | 'away'

/** Why a card may not be discarded or played; null if it may. */
export function refusal(p: Position, c: Card): Refusal | null {
  if (p.phase === 'finished') return 'finished'
  if (p.phase === 'talon') return 'talon'
  const turn = turnOf(p)
  if (!p.held[turn].includes(c)) {
    if (players.some((x) => p.held[x].includes(c))) return 'turn'
    return p.setup.discards.includes(c) || restOf(p.setup).includes(c) ? 'away' : 'played'
  }
  const { cards, why } = legalOf(p)
  if (cards.includes(c)) return null
  if (p.phase === 'discard') return 'discard'
  const first = p.trick[0]
  const follows = first !== undefined && !isTarok(first) && p.held[turn].some((x) => suitOf(x) === suitOf(first))
  return (c === pagat && !follows) || why === 'lead' || why === 'any' ? 'pagat' : why
}

export function start(setup: Setup): Position {
  const held = Object.fromEntries(
    players.map((p) => {
      const dealt = setup.hands[p]
      const hand =
        p === setup.declarer && setup.contract !== 'klop'
          ? [...dealt, ...takenOf(setup)].filter((c) => !setup.discards.includes(c))
          : dealt
      return [p, sorted(hand)]
    }),
  ) as Record<Player, Card[]>
  const { contract, declarer, rules } = setup
  const leader =
    contract === 'beggar' || contract === 'zero' || (rules.lead === 'declarer' && contract !== 'klop') ? declarer : 'A'
  return { setup, phase: phaseOf(setup), held, leader, trick: [], tricks: [], won: { A: 0, B: 0, C: 0 } }
}

/** The position after a legal card. */
export function play(p: Position, c: Card): Position {
  const turn = turnOf(p)
  const after: Position = {
    ...p,
    held: { ...p.held, [turn]: p.held[turn].filter((x) => x !== c) },
    trick: [...p.trick, c],
  }
  if (after.trick.length < 3) return after
  const winner = next(p.leader, winnerOf(after.trick, p.setup.rules))
  const gift = p.setup.contract === 'klop' ? p.setup.talon[p.tricks.length] : undefined
  const thirds = sum(after.trick) + (gift === undefined ? 0 : sum([gift]))
  const tricks = [
    ...p.tricks,
    { leader: p.leader, cards: after.trick, winner, thirds, ...(gift === undefined ? {} : { gift }) },
  ]
  const finished = tricks.length === 16 || (p.setup.contract === 'beggar' && winner === p.setup.declarer)
  return {
    ...after,
    phase: finished ? 'finished' : 'play',
    leader: winner,
    trick: [],
    tricks,
    won: { ...p.won, [winner]: p.won[winner] + thirds },
  }
}

/** The position after cards that are legal. */
export const replay = (setup: Setup, cards: readonly Card[]): Position => cards.reduce(play, start(setup))

/** The thirds of the declarer in tricks and discards. */
export const declarerThirds = (p: Position): number => p.won[p.setup.declarer] + sum(p.setup.discards)
/** The thirds of the opponents: their tricks, and the rest of the talon. */
export const opponentsThirds = (p: Position): number =>
  players.reduce((n, x) => n + (x === p.setup.declarer ? 0 : p.won[x]), 0) + sum(restOf(p.setup))
export const tricksOf = (p: Position, x: Player): number => p.tricks.filter((t) => t.winner === x).length
