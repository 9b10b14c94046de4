// The rules of docs/reference/rules/klaverjas.md: legal cards, tricks, melds and the outcome. The board plays with them while the server
// searches. A test compares them with the engine of the server.

import { type Card, type Face, type Suit, faceOf, faces, parseCard, strength, suitOf } from '../shared/cards'
import { type Seat, type Team, next, opponents, other, seats, teamOf } from './seats'

export interface Rules {
  system: 'rotterdam' | 'amsterdam'
  under_ruff: 'forced' | 'forbidden' | 'free'
  melds: boolean
  four_of_a_kind: Record<Face, number>
  pit: { declarers: number; defenders: number }
  nat_melds: 'defenders' | 'all'
}

/** The default rules of a system. */
export function defaultRules(system: Rules['system'] = 'rotterdam'): Rules {
  return {
    system,
    under_ruff: system === 'rotterdam' ? 'forced' : 'forbidden',
    melds: true,
    four_of_a_kind: Object.fromEntries(faces.map((f) => [f, 100])) as Record<Face, number>,
    pit: { declarers: 100, defenders: 0 },
    nat_melds: 'defenders',
  }
}

/** A deal: who holds each card ('.' for nobody yet), the contract and the rules. */
export interface Setup {
  rules: Rules
  trump: Suit
  leader: Seat
  declarer: Team
  holders: string
}

export const complete = (holders: string): boolean => seats.every((s) => handOf(holders, s).length === 8)

export function handOf(holders: string, seat: Seat): Card[] {
  const out: Card[] = []
  for (let c = 0; c < 32; c++) if (holders[c] === seat) out.push(c)
  return out
}

export interface Trick {
  leader: Seat
  cards: Card[]
  winner: Seat
}

export interface FinishedTrick extends Trick {
  points: number
  melds: number
}

type Points = Record<Team, number>

export interface Position {
  setup: Setup
  held: Record<Seat, Card[]>
  trick: Trick
  tricks: FinishedTrick[]
  points: Points
  melds: Points
  taken: Points
  finished: boolean
}

export type Why = 'lead' | 'follow' | 'overtrump' | 'overruff' | 'ruff' | 'underruff' | 'any'
export type Refusal = Exclude<Why, 'lead' | 'any'> | 'turn' | 'played' | 'finished'

export const turnOf = (p: Position): Seat => next(p.trick.leader, p.trick.cards.length)

const trumpPoints: Record<Face, number> = { '7': 0, '8': 0, '9': 14, '10': 10, J: 20, Q: 3, K: 4, A: 11 }
const plainPoints: Record<Face, number> = { '7': 0, '8': 0, '9': 0, '10': 10, J: 2, Q: 3, K: 4, A: 11 }
export const lastTrick = 10
const allTricks = 162

export const pointsOf = (c: Card, trump: Suit): number => (suitOf(c) === trump ? trumpPoints : plainPoints)[faceOf(c)]

export function beats(b: Card, a: Card, trump: Suit): boolean {
  if (suitOf(a) === suitOf(b)) return strength(b, trump) > strength(a, trump)
  return suitOf(b) === trump
}

/** The cards of a hand that may be played to a trick, and the rule that restricts the choice. */
export function legalOf(
  rules: Rules,
  trump: Suit,
  trick: Trick,
  hand: readonly Card[],
): { cards: readonly Card[]; why: Why } {
  if (trick.cards.length === 0 || hand.length === 0) return { cards: hand, why: 'lead' }
  const led = suitOf(trick.cards[0]!)
  const highest = Math.max(-1, ...trick.cards.filter((c) => suitOf(c) === trump).map((c) => strength(c, trump)))
  const higher = (cards: readonly Card[]) => cards.filter((c) => strength(c, trump) > highest)
  const follow = hand.filter((c) => suitOf(c) === led)
  if (follow.length > 0) {
    if (led === trump) {
      const over = higher(follow)
      if (over.length > 0) return { cards: over, why: 'overtrump' }
    }
    return { cards: follow, why: 'follow' }
  }
  const ruffs = hand.filter((c) => suitOf(c) === trump)
  if (led === trump || ruffs.length === 0) return { cards: hand, why: 'any' }
  const over = higher(ruffs)
  const notUnder = hand.filter((c) => suitOf(c) !== trump || over.includes(c))
  const partner = trick.winner === other(next(trick.leader, trick.cards.length))
  if (rules.system === 'amsterdam' && partner) {
    return rules.under_ruff === 'forbidden' && notUnder.length > 0
      ? { cards: notUnder, why: 'underruff' }
      : { cards: hand, why: 'any' }
  }
  if (over.length > 0) return { cards: over, why: 'overruff' }
  if (rules.under_ruff === 'forbidden' && notUnder.length > 0) return { cards: notUnder, why: 'underruff' }
  if (rules.under_ruff === 'free') return { cards: hand, why: 'any' }
  return { cards: ruffs, why: 'ruff' }
}

/** A meld, with the name that the API has for it. */
export interface Meld {
  kind: 'three_in_sequence' | 'four_in_sequence' | 'trump_marriage' | 'four_of_a_kind'
  points: number
}

/** The melds of four cards that fell together. */
export function meldsIn(rules: Rules, cards: readonly Card[], trump: Suit): Meld[] {
  if (!rules.melds) return []
  const four = cards.every((c) => faceOf(c) === faceOf(cards[0]!)) ? rules.four_of_a_kind[faceOf(cards[0]!)] : 0
  if (four) return [{ kind: 'four_of_a_kind', points: four }]
  const out: Meld[] = []
  const has = (c: Card) => cards.includes(c)
  for (const c of cards) {
    if ((c & 7) > 0 && has(c - 1)) continue
    let run = 1
    while ((c & 7) + run < 8 && has(c + run)) run++
    if (run === 3) out.push({ kind: 'three_in_sequence', points: 20 })
    if (run === 4) out.push({ kind: 'four_in_sequence', points: 50 })
  }
  if (['K', 'Q'].every((f) => cards.some((c) => suitOf(c) === trump && faceOf(c) === f)))
    out.push({ kind: 'trump_marriage', points: 20 })
  return out
}

export function start(setup: Setup): Position {
  return {
    setup,
    held: Object.fromEntries(seats.map((s) => [s, handOf(setup.holders, s)])) as Record<Seat, Card[]>,
    trick: { leader: setup.leader, cards: [], winner: setup.leader },
    tricks: [],
    points: { NS: 0, EW: 0 },
    melds: { NS: 0, EW: 0 },
    taken: { NS: 0, EW: 0 },
    finished: false,
  }
}

/** Why the card may not be played; null if it may. */
export function refusal(p: Position, c: Card): Refusal | null {
  if (p.finished) return 'finished'
  const seat = turnOf(p)
  if (p.setup.holders[c] !== seat) return 'turn'
  if (!p.held[seat].includes(c)) return 'played'
  const { cards, why } = legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[seat])
  return cards.includes(c) ? null : (why as Refusal)
}

/** The position after a legal card. */
export function play(p: Position, c: Card): Position {
  const { trump, rules } = p.setup
  const seat = turnOf(p)
  const cards = [...p.trick.cards, c]
  const winning = p.trick.cards[(seats.indexOf(p.trick.winner) - seats.indexOf(p.trick.leader)) & 3]
  const winner = winning === undefined || beats(c, winning, trump) ? seat : p.trick.winner
  const after: Position = {
    ...p,
    held: { ...p.held, [seat]: p.held[seat].filter((x) => x !== c) },
    trick: { leader: p.trick.leader, cards, winner },
  }
  if (cards.length < 4) return after
  const team = teamOf(winner)
  const last = p.tricks.length === 7
  const points = cards.reduce((sum, x) => sum + pointsOf(x, trump), last ? lastTrick : 0)
  let melds = meldsIn(rules, cards, trump).reduce((sum, m) => sum + m.points, 0)
  after.taken = { ...p.taken, [team]: p.taken[team] + 1 }
  after.tricks = [...p.tricks, { leader: p.trick.leader, cards, winner, points, melds }]
  melds += pitOf(after) ?? 0
  after.tricks[p.tricks.length]!.melds = melds
  after.points = { ...p.points, [team]: p.points[team] + points }
  after.melds = { ...p.melds, [team]: p.melds[team] + melds }
  after.trick = { leader: winner, cards: [], winner }
  after.finished = last
  return after
}

/** The position after cards that are legal. */
export const replay = (setup: Setup, cards: readonly Card[]): Position => cards.reduce(play, start(setup))

export const totalOf = (p: Position, t: Team): number => p.points[t] + p.melds[t]

/** The outcome of the points made so far, from the declarers' side. */
export function outcomeOf(p: Position): number {
  const d = p.setup.declarer
  const e = opponents(d)
  const lead = totalOf(p, d) - totalOf(p, e)
  if (lead > 0) return lead
  return -(allTricks + p.melds[e] + (p.setup.rules.nat_melds === 'all' ? p.melds[d] : 0))
}

/** The points of the pit, if the hand is over and a team has taken every trick. */
export function pitOf(p: Position): number | null {
  const last = p.tricks[7]
  if (!last || p.taken[opponents(teamOf(last.winner))] > 0) return null
  const { pit } = p.setup.rules
  return teamOf(last.winner) === p.setup.declarer ? pit.declarers : pit.defenders
}

/** Who holds each card, from the hands of an answer of the API. */
export function holdersOf(hands: Record<Seat, readonly string[]>): string {
  const out = Array<string>(32).fill('.')
  for (const s of seats) for (const text of hands[s]) out[parseCard(text)!] = s
  return out.join('')
}
