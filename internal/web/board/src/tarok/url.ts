// A position as the fragment of the URL: #v=1&c=two&d=A&r=em20&h=ABBC...&g=3&x=C8CJ&s=kD0&p=<cards>&i=12. Fragments are
// not sent to servers, so that no log holds the cards.

import { fieldsOf } from '../shared/fields'
import { type Card, type Player, deck, parseCard, players, short, wire } from './cards'
import {
  type Contract,
  type Rules,
  type Setup,
  contracts,
  defaultRules,
  exchangeOf,
  groupsOf,
  play,
  refusal,
  start,
} from './rules'
import { type Bonus, type Said, type Shared, bonuses, discardsFit, kontras, silence } from './state'
import type { TarokText } from './words'

export type Read = { ok: true; shared: Shared } | { ok: false; error: TarokText }

const cardsText = (cards: readonly Card[]): string => cards.map(short).join('')

function saidText({ bonuses: said }: Said): string {
  return bonuses
    .flatMap((b) => (said[b] ? [b[0] + (said[b].by === 'declarer' ? 'D' : 'O') + kontras.indexOf(said[b].kontra)] : []))
    .join('')
}

// The rules that are not the default ones: l the declarer leads, e no emperor, r or n the difference rounded or not
// counted, m what a mond loses, v no kontra of a silent valat, p nothing for a defender's lost pagat.
function rulesText(r: Rules): string {
  return (
    (r.lead === 'declarer' ? 'l' : '') +
    (r.emperor ? '' : 'e') +
    { exact: '', rounded: 'r', none: 'n' }[r.difference] +
    (r.mond === defaultRules.mond ? '' : 'm' + r.mond) +
    (r.valat_kontra ? '' : 'v') +
    (r.defenders_pagat ? '' : 'p')
  )
}

function rulesOf(text: string): Rules | null {
  const m = /^(l?)(e?)([rn]?)(?:m(\d{1,3}))?(v?)(p?)$/.exec(text)
  const mond = m?.[4] === undefined ? defaultRules.mond : Number(m[4])
  if (!m || mond > 100) return null
  return {
    lead: m[1] ? 'declarer' : 'forehand',
    emperor: !m[2],
    difference: m[3] === 'r' ? 'rounded' : m[3] === 'n' ? 'none' : 'exact',
    mond,
    valat_kontra: !m[5],
    defenders_pagat: !m[6],
  }
}

/** The fragment of a position, with its #. */
export function fragment({ setup, said, played, cursor }: Shared): string {
  const holder = (c: Card): string =>
    players.find((p) => setup.hands[p].includes(c)) ?? String(setup.talon.indexOf(c) + 1)
  const parts = ['v=1', 'c=' + setup.contract]
  if (setup.contract !== 'klop') parts.push('d=' + setup.declarer)
  if (rulesText(setup.rules) !== '') parts.push('r=' + rulesText(setup.rules))
  parts.push('h=' + deck.map(holder).join(''))
  if (setup.group !== null) parts.push('g=' + (setup.group + 1))
  if (setup.discards.length > 0) parts.push('x=' + cardsText(setup.discards))
  if (said.kontra !== 'none') parts.push('k=' + kontras.indexOf(said.kontra))
  if (saidText(said) !== '') parts.push('s=' + saidText(said))
  if (played.length > 0) parts.push('p=' + cardsText(played))
  if (cursor !== played.length) parts.push('i=' + cursor)
  return '#' + parts.join('&')
}

type Fields = Map<string, string>
const names = ['v', 'c', 'd', 'r', 'h', 'g', 'x', 'k', 's', 'p', 'i']

const isText = (x: unknown): x is TarokText => Array.isArray(x) && typeof x[0] === 'string'

function cardsOf(fields: Fields, field: string, most: number): Card[] | TarokText {
  const text = fields.get(field) ?? ''
  if (text.length % 2 || text.length > 2 * most) return ['urlCards', { field, n: most }]
  const out: Card[] = []
  for (let k = 0; k < text.length; k += 2) {
    const c = parseCard(text.slice(k, k + 2))
    if (c === null) return ['urlNoCard', { text: text.slice(k, k + 2), n: k / 2 + 1, field }]
    out.push(c)
  }
  return out
}

// Who holds each card: a letter for each card of the deck, or its place in the talon.
function dealOf(text: string): Pick<Setup, 'hands' | 'talon'> | TarokText {
  if (!/^[ABC1-6]{54}$/.test(text)) return ['urlHolders']
  const hands = { A: [], B: [], C: [] } as Record<Player, Card[]>
  const talon: Card[] = []
  deck.forEach((c, i) => {
    const to = text[i]!
    if (to in hands) hands[to as Player].push(c)
    else talon[Number(to) - 1] = c
  })
  const many = players.find((p) => hands[p].length !== 16)
  if (many) return ['urlHand', { player: many, n: hands[many].length }]
  if (talon.filter((c) => c !== undefined).length !== 6) return ['urlTalon']
  const none = players.find((p) => !hands[p].some((c) => c < 22))
  return none ? ['urlVoid', { player: none }] : { hands, talon }
}

function saidOf(fields: Fields, contract: Contract): Said | TarokText {
  const kontra = fields.get('k') ?? '0'
  if (!/^[0-4]$/.test(kontra) || (contract === 'klop' && kontra !== '0')) return ['urlKontra']
  const text = fields.get('s') ?? ''
  const said: Said['bonuses'] = {}
  if (!/^([ktpv][DO][0-4])*$/.test(text) || (text !== '' && exchangeOf(contract) === 0)) return ['urlSaid']
  for (const [one] of text.matchAll(/.../g)) {
    const b = bonuses.find((x) => x[0] === one[0]) as Bonus
    said[b] = { by: one[1] === 'D' ? 'declarer' : 'opponents', kontra: kontras[Number(one[2])]! }
  }
  return { kontra: kontras[Number(kontra)]!, bonuses: said }
}

/** Reads a fragment. An error says what is wrong with it. */
export function readFragment(hash: string): Read {
  const bad = (error: TarokText): Read => ({ ok: false, error })
  const fields = fieldsOf(hash, names)
  if (isText(fields)) return bad(fields)
  if (fields.get('v') !== '1') return bad(['urlVersion'])
  const contract = fields.get('c') as Contract
  if (!contracts.includes(contract)) return bad(['urlContract'])
  const declarer = (contract === 'klop' ? 'A' : fields.get('d')) as Player
  if (!players.includes(declarer)) return bad(['urlPlayer'])
  const rules = rulesOf(fields.get('r') ?? '')
  if (rules === null) return bad(['urlRules'])
  const deal = dealOf(fields.get('h') ?? '')
  if (isText(deal)) return bad(deal)
  const group = fields.get('g')
  const most = groupsOf(contract)
  if (group !== undefined && !(/^[1-6]$/.test(group) && Number(group) <= most)) return bad(['urlGroup', { n: most }])
  const discards = cardsOf(fields, 'x', exchangeOf(contract))
  if (isText(discards)) return bad(discards)
  const setup: Setup = {
    contract,
    declarer,
    rules,
    ...deal,
    group: group === undefined ? null : Number(group) - 1,
    discards,
  }
  if ((discards.length > 0 && setup.group === null) || !discardsFit(setup)) return bad(['urlDiscards'])
  const said = saidOf(fields, contract)
  if (isText(said)) return bad(said)
  const played = cardsOf(fields, 'p', 48)
  if (isText(played)) return bad(played)
  let position = start(setup)
  for (const [i, c] of played.entries()) {
    if (position.phase !== 'play' || refusal(position, c) !== null)
      return bad(['urlIllegal', { card: wire(c), n: i + 1 }])
    position = play(position, c)
  }
  const at = fields.get('i')
  const cursor = at === undefined ? played.length : Number(at)
  if (at !== undefined && !(/^\d{1,2}$/.test(at) && cursor <= played.length)) return bad(['urlCursor'])
  return { ok: true, shared: { setup, said: said ?? silence, played, cursor } }
}
