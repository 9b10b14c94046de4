// What is watched, as the fragment of the address: the players, the rules, the deal or the seed, and the moment.

import { type Card, type Suit, parseCard, short, suits, wire } from '../shared/cards'
import { type Read } from '../shared/history'
import { type Rules, complete, defaultRules, replay, refusal, play, start } from '../klaverjas/rules'
import { type Seat, type Team, seats, teamOf, teams, next } from '../klaverjas/seats'
import type { WatchKey } from './words-en'

export const ruleNames = ['rotterdam', 'amsterdam', 'paper'] as const
export type RuleName = (typeof ruleNames)[number]

/** The kinds of players that can be chosen, without the levels for people. */
export const kinds = [
  'logical',
  'logical:rules',
  'logical:compat',
  'simple',
  'random',
  'policy',
  'playout:40',
  'mixture:40',
  'pimc:20',
  'belief:20',
  'open',
] as const

/** A hand that was entered. */
export interface Entered {
  trump: Suit
  leader: Seat
  declarer: Team
  holders: string
  played: Card[]
}

/** What is watched. The hand is drawn from the seed, unless one was entered. */
export interface Watched {
  players: Record<Seat, string>
  rules: RuleName
  /** Of a hand that is drawn; empty for any. */
  trump: Suit | ''
  dealer: Seat | ''
  entered: Entered | null
  /** How many cards of each hand lie open. */
  open: number
  from: string
  /** How many cards have been played at the moment that is shown. */
  at: number
  /** The card whose model is shown; null for the jack of trump. */
  card: Card | null
}

export const newSeed = (): string => String(crypto.getRandomValues(new Uint32Array(1))[0])

const everybody = (kind: string): Record<Seat, string> => ({ N: kind, E: kind, S: kind, W: kind })

/** What a first visit shows: four players of the paper under its rules, and a deal that nobody has seen. */
export const fresh = (): Watched => ({
  players: everybody('logical'),
  rules: 'rotterdam',
  trump: '',
  dealer: '',
  entered: null,
  open: 0,
  from: newSeed(),
  at: 0,
  card: null,
})

/** The rules of a name. Those of the paper are what its authors played. */
export function rulesOf(name: RuleName): Rules {
  if (name !== 'paper') return defaultRules(name)
  const rules = defaultRules('amsterdam')
  for (const face of Object.keys(rules.four_of_a_kind) as (keyof Rules['four_of_a_kind'])[])
    rules.four_of_a_kind[face] = 0
  return { ...rules, under_ruff: 'free', nat_melds: 'all', pit: { declarers: 100, defenders: 100 } }
}

/** The fragment without the moment: two with the same one show the same hand. */
export function handOf({ players, rules, trump, dealer, entered: e, open, from }: Watched): string {
  const parts = ['v=1']
  for (const s of seats) parts.push(s.toLowerCase() + '=' + players[s])
  if (rules !== 'rotterdam') parts.push('r=' + rules)
  if (e) parts.push('t=' + e.trump, 'l=' + e.leader, 'd=' + e.declarer, 'h=' + e.holders)
  else {
    if (trump) parts.push('t=' + trump)
    if (dealer) parts.push('g=' + dealer)
  }
  if (e && e.played.length > 0) parts.push('p=' + e.played.map(short).join(''))
  if (open > 0) parts.push('o=' + open)
  parts.push('k=' + from)
  return '#' + parts.join('&')
}

/** The fragment of what is watched, with its #. */
export const fragment = (x: Watched): string =>
  handOf(x) + (x.at > 0 ? '&i=' + x.at : '') + (x.card === null ? '' : '&c=' + wire(x.card))

const names = ['v', 'n', 'e', 's', 'w', 'r', 't', 'g', 'l', 'd', 'h', 'p', 'o', 'k', 'i', 'c']

/** A part of an address that cannot be read. */
export type Wrong = [WatchKey, { field: string }]

/** Reads a fragment. The error names the first part that is wrong. */
export function readFragment(hash: string): Read<Watched, Wrong> {
  const out = fresh()
  const bad = (field: string): Read<Watched, Wrong> => ({
    ok: false,
    error: ['urlPart', { field: field.slice(0, 24) }],
  })
  const fields = new Map<string, string>()
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [name = '', value = ''] = part.split('=')
    if (!names.includes(name) || fields.has(name)) return bad(part)
    fields.set(name, decodeURIComponent(value.replace(/%(?![0-9a-fA-F]{2})/g, '%25')))
  }
  const take = <T>(name: string, read: (text: string) => T | undefined, use: (value: T) => void): boolean => {
    const text = fields.get(name)
    if (text === undefined) return true
    const value = read(text)
    if (value !== undefined) use(value)
    return value !== undefined
  }
  const one =
    <T extends string>(list: readonly T[]) =>
    (text: string): T | undefined =>
      list.find((x) => x === text)
  const whole = (most: number) => (text: string) =>
    /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined
  const card = (text: string) => parseCard(text) ?? undefined
  if (fields.get('v') !== '1') return bad('v=' + (fields.get('v') ?? ''))
  const e = { holders: '', played: [] as Card[] } as unknown as Entered
  let wrong = ''
  const need = (name: string, ok: boolean) => void (ok || (wrong ||= `${name}=${fields.get(name) ?? ''}`))
  for (const s of seats)
    need(
      s.toLowerCase(),
      take(
        s.toLowerCase(),
        (text) => (/^[a-z]{1,16}(:[a-z0-9]{1,6})?$/.test(text) ? text : undefined),
        (kind) => (out.players[s] = kind),
      ),
    )
  need(
    'r',
    take('r', one(ruleNames), (x) => (out.rules = x)),
  )
  need(
    't',
    take('t', one(suits), (x) => (out.trump = e.trump = x)),
  )
  need(
    'g',
    take('g', one(seats), (x) => (out.dealer = x)),
  )
  need(
    'l',
    take('l', one(seats), (x) => (e.leader = x)),
  )
  need(
    'o',
    take('o', whole(7), (x) => (out.open = x)),
  )
  need(
    'k',
    take(
      'k',
      (text) => (/^\d{1,20}$/.test(text) ? text : undefined),
      (x) => (out.from = x),
    ),
  )
  need(
    'i',
    take('i', whole(32), (x) => (out.at = x)),
  )
  need(
    'c',
    take('c', card, (x) => (out.card = x)),
  )
  need(
    'h',
    take(
      'h',
      (text) => (/^[NESW]{32}$/.test(text) && complete(text) ? text : undefined),
      (x) => (e.holders = x),
    ),
  )
  if (wrong) return bad(wrong)
  if (!e.holders) return ['l', 'd', 'p'].some((n) => fields.has(n)) ? bad('h=') : { ok: true, shared: out }
  if (!e.trump) return bad('t=')
  if (!e.leader) return bad('l=')
  e.declarer = teamOf(e.leader)
  need(
    'd',
    take('d', one(teams), (x) => (e.declarer = x)),
  )
  need(
    'p',
    take(
      'p',
      (text) => readPlayed(text, out.rules, e),
      (x) => (e.played = x),
    ),
  )
  if (wrong) return bad(wrong)
  return { ok: true, shared: { ...out, trump: '', dealer: '', entered: e } }
}

// Reads the cards that were played before the players took over.
function readPlayed(text: string, rules: RuleName, e: Entered): Card[] | undefined {
  const played: Card[] = []
  let position = start({ ...e, rules: rulesOf(rules) })
  for (const name of text.match(/../g) ?? []) {
    const c = parseCard(name)
    if (c === null || refusal(position, c) !== null) return undefined
    position = play(position, c)
    played.push(c)
  }
  return text.length % 2 ? undefined : played
}

/** The request to the server for a hand. */
export function bodyOf(x: Watched): object {
  const { entered: e } = x
  return {
    rules: rulesOf(x.rules),
    players: x.players,
    possibles: 'rules',
    seed: x.from,
    ...(x.open > 0 ? { open: x.open } : {}),
    ...(e
      ? {
          trump: e.trump,
          leader: e.leader,
          declarer: e.declarer,
          hands: Object.fromEntries(
            seats.map((s) => [s, [...e.holders].flatMap((h, c) => (h === s ? [wire(c as Card)] : []))]),
          ),
          ...(e.played.length > 0 ? { played: e.played.map(wire) } : {}),
        }
      : { ...(x.trump ? { trump: x.trump } : {}), ...(x.dealer ? { leader: next(x.dealer) } : {}) }),
  }
}

/** Replays no more cards than there are. */
export const shownAt = (setup: Parameters<typeof replay>[0], cards: readonly Card[], at: number) =>
  replay(setup, cards.slice(0, at))
