// Importing a deal, a position or a record.

import { call } from '../shared/api'
import { type Suit, parseCard } from '../shared/cards'
import { failureText } from '../shared/frame'
import * as imports from '../shared/importdialog'
import { problemText } from '../shared/problems'
import type { LegalMoves, NumberedDeal } from './api'
import { type Rules, type Setup, holdersOf } from './rules'
import { type Seat, teamOf } from './seats'
import { type Shared, readFragment } from './url'
import type { Words } from './words'

const fields = ['rules', 'trump', 'leader', 'declarer', 'hands', 'deal', 'played']

type Numbered = { ok: true; holders: string } | { ok: false; error: string }

async function dealAt(w: Words, index: string, trump: Suit, leader: Seat): Promise<Numbered> {
  const path = `/v1/klaverjas/deals/${index}?trump=${trump}&leader=${leader}`
  const reply = await call<NumberedDeal>('GET', path, undefined, new AbortController().signal)
  if (reply.ok) return { ok: true, holders: holdersOf(reply.body.position.hands) }
  const { failure } = reply
  return { ok: false, error: failure.kind === 'problem' ? problemText(w, failure.problem) : failureText(w, failure) }
}

// Reads a position as JSON, the number of a deal, or the address of a board. The server checks positions.
const importer = (w: Words, current: Setup): imports.Importer<Shared> => ({
  game: 'klaverjas',
  address(hash) {
    const read = readFragment(hash)
    return read.ok ? read : { ok: false, error: w.t('urlBad', { error: w.t(...read.error) }) }
  },
  async number(text) {
    const deal = await dealAt(w, text, current.trump, current.leader)
    return deal.ok
      ? { ok: true, shared: { setup: { ...current, holders: deal.holders }, played: [], cursor: 0 } }
      : deal
  },
  async position(value) {
    if (value['hands'] === undefined && value['deal'] === undefined) return { ok: false, error: w.t('importDeal') }
    const reply = await imports.checked<LegalMoves>(w, '/v1/klaverjas/legal-moves', value, fields)
    if (!reply.ok) return reply
    const { deal, rules } = reply.body
    const found = await dealAt(w, deal.index, deal.trump, deal.leader)
    if (!found.ok) return found
    const played = ((value['played'] as string[] | undefined) ?? []).map((c) => parseCard(c)!)
    const setup: Setup = {
      rules: rules as Rules,
      trump: deal.trump,
      leader: deal.leader,
      declarer: deal.declarer ?? teamOf(deal.leader),
      holders: found.holders,
    }
    return { ok: true, shared: { setup, played, cursor: played.length } }
  },
})

/** Reads what is imported. A link has only a record. */
export const readImport = (w: Words, text: string, { setup }: Pick<Shared, 'setup'>, link = false) =>
  imports.readImport(w, importer(w, setup), text, link)

export const importHint = (w: Words): string => w.t('importHint')
