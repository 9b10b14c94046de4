// A position as the fragment of the URL: #v=1&t=H&l=A&d=A&a=7S9STHJH...&b=...&p=<cards>&i=12. Fragments are not sent to
// servers, so that no log holds the cards.

import { type Card, type Suit, parseCard, short, suits as allSuits, wire } from '../shared/cards'
import { fieldsOf } from '../shared/fields'
import {
  type Player,
  type Setup,
  type Stack,
  defaultThreshold,
  isUnseen,
  players,
  refusal,
  suitsOf,
  totalOf,
} from './rules'
import { type Shared, positionAt } from './state'
import type { BeloteText } from './words'

export type Read = { ok: true; shared: Shared } | { ok: false; error: BeloteText }

const cardsText = (cards: readonly Card[]): string => cards.map(short).join('')

/** The fragment of a position, with its #. */
export function fragment({ setup, played, cursor, utility }: Shared): string {
  const of = (p: Player): string =>
    setup.stacks[p].flatMap((s) => s.map((c) => (c === null ? '..' : short(c)))).join('')
  const parts = ['v=1', 't=' + (setup.trump ?? 'N'), 'l=' + setup.leader, 'd=' + setup.declarer]
  if (setup.threshold !== defaultThreshold(setup.stacks.A.length / 2, setup.trump)) parts.push('c=' + setup.threshold)
  if (utility === 'contract') parts.push('u=contract')
  if (isUnseen(setup)) parts.push('s=' + suitsOf(setup).join(''))
  parts.push('a=' + of('A'), 'b=' + of('B'))
  if (played.length > 0) parts.push('p=' + cardsText(played))
  if (cursor !== played.length) parts.push('i=' + cursor)
  return '#' + parts.join('&')
}

/** Reads a fragment. An error says what is wrong with it. */
export function readFragment(hash: string): Read {
  const bad = (...error: BeloteText): Read => ({ ok: false, error })
  const fields = fieldsOf(hash, ['v', 't', 'l', 'd', 'c', 'u', 's', 'a', 'b', 'p', 'i'])
  if (Array.isArray(fields)) return { ok: false, error: fields }
  if (fields.get('v') !== '1') return bad('urlVersion')
  const trump = fields.get('t') === 'N' ? null : (fields.get('t') as Suit)
  if (trump !== null && !allSuits.includes(trump)) return bad('urlTrump')
  const leader = fields.get('l') as Player
  if (!players.includes(leader)) return bad('urlPlayer', { field: 'l' })
  const declarer = fields.get('d') as Player
  if (!players.includes(declarer)) return bad('urlPlayer', { field: 'd' })
  const utility = fields.get('u') ?? 'points'
  if (utility !== 'points' && utility !== 'contract') return bad('urlUtility')

  const seen = new Map<Card, string>()
  const stacks: Record<Player, Stack[]> = { A: [], B: [] }
  for (const p of players) {
    const field = p.toLowerCase()
    const text = fields.get(field) ?? ''
    if (text.length === 0 || text.length % 8 || text.length > 32) return bad('urlStacks', { field })
    for (let k = 0; k < text.length; k += 2) {
      if (k % 4 === 2 && text.startsWith('..', k)) {
        stacks[p].push([parseCard(text.slice(k - 2, k))!, null])
        continue
      }
      const c = parseCard(text.slice(k, k + 2))
      if (c === null) return bad('urlNoCard', { text: text.slice(k, k + 2), n: k / 2 + 1, field })
      if (seen.has(c)) return bad('urlTwice', { card: wire(c), field })
      seen.set(c, field)
      if (k % 4 === 2) stacks[p].push([parseCard(text.slice(k - 2, k))!, c])
    }
  }
  const setup: Setup = { trump, leader, declarer, threshold: 0, stacks }
  if (isUnseen(setup)) {
    const named = allSuits.filter((s) => fields.get('s')?.includes(s))
    if (suitsOf(setup).some((s) => !named.includes(s))) return bad('urlSuits')
    setup.suits = named
  }
  const suits = suitsOf(setup)
  if (stacks.A.length !== stacks.B.length || 2 * suits.length !== stacks.A.length) return bad('urlSuits')
  if (trump !== null && !suits.includes(trump)) return bad('urlNoTrump')
  const threshold = fields.get('c')
  setup.threshold = threshold === undefined ? defaultThreshold(suits.length, trump) : Number(threshold)
  if (
    threshold !== undefined &&
    !(/^\d{1,3}$/.test(threshold) && setup.threshold >= 1 && setup.threshold <= totalOf(setup))
  )
    return bad('urlThreshold', { n: totalOf(setup) })

  const played: Card[] = []
  const text = fields.get('p') ?? ''
  if (text.length % 2 || text.length > 64) return bad('urlPlayed')
  let position = positionAt({ setup, played }, 0)
  for (let k = 0; k < text.length; k += 2) {
    const c = parseCard(text.slice(k, k + 2))
    if (c === null) return bad('urlNoCard', { text: text.slice(k, k + 2), n: k / 2 + 1, field: 'p' })
    if (refusal(position, c) !== null) return bad('urlIllegal', { card: wire(c), n: k / 2 + 1 })
    played.push(c)
    position = positionAt({ setup, played }, k / 2 + 1)
  }
  const at = fields.get('i')
  const cursor = at === undefined ? played.length : Number(at)
  if (at !== undefined && !(/^\d{1,2}$/.test(at) && cursor <= played.length)) return bad('urlCursor')
  return { ok: true, shared: { setup, played, cursor, utility } }
}
