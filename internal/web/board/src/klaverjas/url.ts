// A position as the fragment of the URL: #v=1&t=S&l=S&d=NS&r=...&h=<who holds 7C to AS>&p=<cards>&i=12. Fragments are
// not sent to servers, so that no log holds the cards.

import { type Card, type Face, type Suit, faces, parseCard, short, suits, wire } from '../shared/cards'
import {
  type Position,
  type Rules,
  type Setup,
  complete,
  defaultRules,
  handOf,
  play,
  refusal,
  replay,
  start,
  turnOf,
} from './rules'
import { fieldsOf } from '../shared/fields'
import { gameHash } from '../shared/history'
import * as prefs from '../shared/prefs'
import type { Cut } from '../shared/variation'
import { type Seat, type Team, seats, teams, teamOf } from './seats'
import type { Text } from './words'

export interface Shared {
  setup: Setup
  played: Card[]
  cursor: number
  /** What a variation has cut off from the game, and the variation that was left last. */
  cuts?: Cut[]
  aside?: Cut | undefined
  /** How trump was chosen, as far as a seat has heard it. */
  heard?: Heard | undefined
}

export { gameHash as gameFragment } from '../shared/history'

export const flows = ['free', 'official', 'obliged', 'turned'] as const

/** A bidding that ended with the call of a seat, perhaps after all had passed. */
export interface Heard {
  flow: (typeof flows)[number]
  caller: Seat
  passed: boolean
}

/** What one seat has seen: its eight cards, whose holders alone the setup has, and the cards played. */
export interface Seen extends Shared {
  seat: Seat
}

/**
 * With a seat, the fragment has what the seat has seen; as a review it has all four hands, and the cards of the
 * seat are judged.
 */
export type Read = { ok: true; shared: Shared; seat?: Seat; review?: boolean } | { ok: false; error: Text }

/** The switches that differ from the defaults of the system, such as amsterdam,melds:0,pit:0/100. */
export function rulesText(rules: Rules): string {
  const d = defaultRules(rules.system)
  const out: string[] = []
  if (rules.system !== 'rotterdam') out.push(rules.system)
  if (rules.under_ruff !== d.under_ruff) out.push('under:' + rules.under_ruff)
  if (!rules.melds) out.push('melds:0')
  if (rules.nat_melds !== d.nat_melds) out.push('nat:' + rules.nat_melds)
  if (rules.pit.declarers !== d.pit.declarers || rules.pit.defenders !== d.pit.defenders) {
    out.push(`pit:${rules.pit.declarers}/${rules.pit.defenders}`)
  }
  for (const f of faces) if (rules.four_of_a_kind[f] !== 100) out.push(`four${f}:${rules.four_of_a_kind[f]}`)
  return out.join(',')
}

const bonus = (text: string): number | null => {
  const n = Number(text)
  return /^\d{1,4}$/.test(text) && n <= 1000 && n % 10 === 0 ? n : null
}

function parseRules(text: string): Rules | null {
  const items = text === '' ? [] : text.split(',')
  const system = items.includes('amsterdam') ? 'amsterdam' : 'rotterdam'
  const rules = defaultRules(system)
  for (const item of items) {
    const [name = '', value = ''] = item.split(':')
    const four = /^four(7|8|9|10|J|Q|K|A)$/.exec(name)
    if (name === 'amsterdam' && value === '') continue
    else if (name === 'under' && ['forced', 'forbidden', 'free'].includes(value))
      rules.under_ruff = value as Rules['under_ruff']
    else if (name === 'melds' && (value === '0' || value === '1')) rules.melds = value === '1'
    else if (name === 'nat' && (value === 'all' || value === 'defenders')) rules.nat_melds = value
    else if (name === 'pit') {
      const [a = '', b = ''] = value.split('/')
      const declarers = bonus(a)
      const defenders = bonus(b)
      if (declarers === null || defenders === null) return null
      rules.pit = { declarers, defenders }
    } else if (four) {
      const points = bonus(value)
      if (points === null) return null
      rules.four_of_a_kind[four[1] as Face] = points
    } else return null
  }
  return rules
}

/** The fragment of a position, with its #. With a seat it is of what the seat has seen, or of the review of its cards. */
export function fragment(
  { setup, played, cursor, cuts = [], aside, heard }: Shared,
  seat?: Seat,
  review = false,
): string {
  const rules = rulesText(setup.rules)
  const parts = [
    'v=1',
    't=' + setup.trump,
    'l=' + setup.leader,
    'd=' + setup.declarer,
    ...(rules ? ['r=' + rules] : []),
    ...(seat ? ['s=' + seat] : []),
    ...(review ? ['m=review'] : []),
    'h=' + setup.holders,
  ]
  if (played.length > 0) parts.push('p=' + played.map(short).join(''))
  if (cursor !== played.length) parts.push('i=' + cursor)
  if (cuts.length > 0 && !seat) parts.push('x=' + cuts.map(cutText).join(','))
  if (aside && !seat) parts.push('y=' + cutText(aside))
  if (heard && seat) parts.push('b=' + heard.flow + heard.caller + (heard.passed ? 'p' : ''))
  return '#' + parts.join('&')
}

const cutText = ({ at, tail }: Cut): string => `${at}.${tail.map(short).join('')}`

/**
 * Reads cards that another play of the deal has from a number of cards on: they are legal, and the first of them is
 * not the card of the play.
 */
function parseCut(text: string, setup: Setup, played: readonly Card[]): Cut | null {
  const found = /^(\d{1,2})\.((?:\w\w){1,32})$/.exec(text)
  const at = Number(found?.[1])
  if (!found || at >= played.length) return null
  const tail: Card[] = []
  let position = replay(setup, played.slice(0, at))
  for (const name of found[2]!.match(/../g)!) {
    const c = parseCard(name)
    if (c === null || refusal(position, c) !== null) return null
    position = play(position, c)
    tail.push(c)
  }
  return tail[0] === played[at] ? null : { at, tail }
}

/**
 * Whether the player to move may have played the card, as far as it can be told without the server: it is legal, or was
 * not seen before.
 */
export const mayHave = (p: Position, seat: Seat, c: Card, played: readonly Card[]): boolean =>
  !p.finished && (turnOf(p) === seat ? refusal(p, c) === null : p.setup.holders[c] === '.' && !played.includes(c))

/** Reads a fragment. An error says what is wrong with it. */
export function readFragment(hash: string): Read {
  const bad = (key: Text[0], vars: Text[1] = {}): Read => ({ ok: false, error: [key, vars] })
  const fields = fieldsOf(hash, ['v', 't', 'l', 'd', 'r', 's', 'm', 'h', 'p', 'i', 'x', 'y', 'b'])
  if (Array.isArray(fields)) return { ok: false, error: fields }
  if (fields.get('v') !== '1') return bad('urlVersion')
  if ((fields.get('m') ?? 'review') !== 'review') return bad('urlUnknown', { field: 'm' })
  const trump = fields.get('t') as Suit
  if (!suits.includes(trump)) return bad('urlTrump')
  const leader = fields.get('l') as Seat
  if (!seats.includes(leader)) return bad('urlLeader')
  const declarer = fields.get('d') as Team
  if (!teams.includes(declarer)) return bad('urlDeclarer')
  const rules = parseRules(fields.get('r') ?? '')
  if (!rules) return bad('urlRules')
  const holders = fields.get('h') ?? ''
  if (!/^[NESW.]{32}$/.test(holders)) return bad('urlHolders')
  for (const s of seats) if ([...holders].filter((h) => h === s).length > 8) return bad('urlTooMany', { seat: s })
  const setup: Setup = { rules, trump, leader, declarer, holders }
  const seat = fields.get('s') as Seat | undefined
  if (seat !== undefined && !seats.includes(seat)) return bad('urlSeat')
  const review = seat !== undefined && fields.get('m') === 'review'
  if (review ? !complete(holders) : fields.has('m')) return bad('urlUnknown', { field: 'm' })
  const own = seat && !review
  if (own && ([...holders].some((h) => h !== seat && h !== '.') || handOf(holders, seat).length !== 8))
    return bad('urlOwn', { seat })
  const played: Card[] = []
  const text = fields.get('p') ?? ''
  if (text && (text.length % 2 || text.length > 64 || !(seat || complete(holders)))) return bad('urlPlayed')
  let position = start(setup)
  for (let k = 0; k < text.length; k += 2) {
    const c = parseCard(text.slice(k, k + 2))
    if (c === null) return bad('urlNoCard', { text: text.slice(k, k + 2), n: k / 2 + 1 })
    if (own ? !mayHave(position, seat, c, played) : refusal(position, c) !== null)
      return bad('urlIllegal', { card: wire(c), n: k / 2 + 1 })
    position = play(position, c)
    played.push(c)
  }
  const at = fields.get('i')
  const cursor = at === undefined ? played.length : Number(at)
  if (at !== undefined && !(/^\d{1,2}$/.test(at) && cursor <= played.length)) return bad('urlCursor')
  const others: Pick<Shared, 'cuts' | 'aside' | 'heard'> = {}
  for (const name of ['x', 'y']) {
    const text = fields.get(name)
    if (text === undefined) continue
    const cuts = text.split(',').map((one) => parseCut(one, setup, played))
    const inOrder = cuts.every((c, k) => c && (k === 0 || cuts[k - 1]!.at < c.at))
    if (seat || !inOrder || (name === 'x' ? cuts[cuts.length - 1]!.at >= cursor : cuts.length > 1))
      return bad('urlField', { field: `${name}=${text}`.slice(0, 20) })
    if (name === 'x') others.cuts = cuts as Cut[]
    else others.aside = cuts[0]!
  }
  const called = fields.get('b')
  if (called !== undefined) {
    const found = /^([a-z]+)([NESW])(p?)$/.exec(called)
    const heard = { flow: found?.[1] as Heard['flow'], caller: found?.[2] as Seat, passed: found?.[3] === 'p' }
    if (!seat || !flows.includes(heard.flow) || teamOf(heard.caller) !== declarer)
      return bad('urlField', { field: 'b=' + called.slice(0, 18) })
    others.heard = heard
  }
  return { ok: true, shared: { setup, played, cursor, ...others }, ...(seat ? { seat, review } : {}) }
}

/** Whether the address, or else the last visit, shows one seat with hidden cards. */
export function atHidden(): boolean {
  const hash = location.hash.length > 1 ? location.hash : (prefs.stored('board')?.hash ?? '')
  if (hash === gameHash) return true
  const read = readFragment(hash)
  return read.ok && read.seat !== undefined
}
