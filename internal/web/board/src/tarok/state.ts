// The state of the page, and the one function that changes it. Everything else on the page is derived from it.

import { type Cut, fitting, goTo, keepFitting, playOne } from '../shared/variation'
import { type Card, type Player, wire } from './cards'
import {
  type Position,
  type Rules,
  type Setup,
  defaultRules,
  discardable,
  play,
  refusal,
  replay,
  start,
  takenOf,
} from './rules'

export const bonuses = ['kings', 'trula', 'pagat', 'valat'] as const
export type Bonus = (typeof bonuses)[number]
export const kontras = ['none', 'kontra', 're', 'sub', 'mort'] as const
export type Kontra = (typeof kontras)[number]
export type Side = 'declarer' | 'opponents'

/** What was said after the exchange. */
export interface Said {
  kontra: Kontra
  bonuses: Partial<Record<Bonus, { by: Side; kontra: Kontra }>>
}
export const silence: Said = { kontra: 'none', bonuses: {} }
export const isSilent = (s: Said): boolean => s.kontra === 'none' && Object.keys(s.bonuses).length === 0

/** What the address holds. */
export interface Shared {
  setup: Setup
  said: Said
  played: Card[]
  cursor: number
}

export interface State extends Shared {
  cuts: Cut[]
  /** The seed that the deal was drawn with; empty where it was not drawn. */
  seed: string
}

export type Action =
  | { type: 'deal'; shared: Shared; seed?: string | undefined }
  | { type: 'contract'; change: Partial<Pick<Setup, 'contract' | 'declarer'>> }
  | { type: 'rules'; rules: Rules }
  | { type: 'group'; group: number | null }
  | { type: 'discard'; card: Card }
  | { type: 'said'; said: Said }
  | { type: 'play'; cards: readonly Card[] }
  | { type: 'go'; to: number }

/** The position at a number of cards of the state; at its cursor by default. */
export const positionOf = (s: Shared, at = s.cursor): Position => replay(s.setup, s.played.slice(0, at))

const again = { played: [], cursor: 0, cuts: [] }

export function reduce(s: State, a: Action): State {
  switch (a.type) {
    case 'deal':
      return { ...a.shared, cuts: [], seed: a.seed ?? '' }
    case 'contract': {
      // Another contract has another exchange and other announcements.
      const setup = { ...s.setup, ...a.change, group: null, discards: [] }
      return { ...s, ...again, setup, said: silence }
    }
    case 'rules': {
      // Other rules make other cards legal: what still fits stays.
      const setup = { ...s.setup, rules: a.rules }
      const from = start(setup)
      return { ...keepFitting(s, (cards) => (from.phase === 'play' ? fitting(from, cards, refusal, play) : [])), setup }
    }
    case 'group':
      return { ...s, ...again, setup: { ...s.setup, group: a.group, discards: [] } }
    case 'discard': {
      const p = start(s.setup)
      if (p.phase !== 'discard' || refusal(p, a.card) !== null) return s
      return { ...s, setup: { ...s.setup, discards: [...s.setup.discards, a.card] } }
    }
    case 'said':
      return { ...s, said: a.said }
    case 'play': {
      let position = positionOf(s)
      let after = s
      for (const c of a.cards) {
        if (position.phase !== 'play' || refusal(position, c) !== null) break
        position = play(position, c)
        after = playOne(after, c)
      }
      return after
    }
    case 'go':
      return goTo(s, a.to)
  }
}

/** Whether discards may be made one after the other from what the declarer holds after taking the group. */
export function discardsFit(s: Setup): boolean {
  let hand: readonly Card[] = [...s.hands[s.declarer], ...takenOf(s)]
  for (const c of s.discards) {
    if (!discardable(hand).includes(c)) return false
    hand = hand.filter((x) => x !== c)
  }
  return true
}

const list = (cards: readonly Card[]): string[] => cards.map(wire)

const optional = Object.keys(defaultRules) as (keyof Rules)[]

/** The rules that are not the default ones. */
const otherRules = (r: Rules): Partial<Rules> =>
  Object.fromEntries(optional.filter((k) => r[k] !== defaultRules[k]).map((k) => [k, r[k]]))
export const isDefault = (r: Rules): boolean => Object.keys(otherRules(r)).length === 0

/** The position as the API takes it. */
export function bodyOf(s: Shared, at = s.cursor) {
  const { contract, declarer, hands, talon, group, discards, rules } = s.setup
  const of = (p: Player) => list(hands[p])
  return {
    hands: { A: of('A'), B: of('B'), C: of('C') },
    talon: list(talon),
    contract,
    ...(contract === 'klop' ? {} : { declarer }),
    ...(group === null ? {} : { group, discards: list(discards) }),
    ...(isDefault(rules) ? {} : { rules: otherRules(rules) }),
    ...(at > 0 ? { played: list(s.played.slice(0, at)) } : {}),
  }
}

/** What was said, as the API takes it with the position of a finished hand. */
export function saidBody({ kontra, bonuses: said }: Said) {
  return {
    ...(kontra === 'none' ? {} : { kontra }),
    ...(Object.keys(said).length === 0 ? {} : { announcements: said }),
  }
}
