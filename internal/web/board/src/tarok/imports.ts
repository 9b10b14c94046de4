// Importing a deal or a position.

import { failureText } from '../shared/frame'
import * as imports from '../shared/importdialog'
import type { Player } from './cards'
import { type Deal, cardsOf, dealOf, draw } from './deal'
import { type Contract, type Rules, type Setup, defaultRules } from './rules'
import { type Kontra, type Said, type Shared, bodyOf, saidBody, silence } from './state'
import { readFragment } from './url'
import type { TarokWords } from './words'

const fields = ['hands', 'talon', 'contract', 'declarer', 'group', 'discards', 'played', 'rules']

// Reads a position or deal as JSON, the seed of a deal, or the address of this page. The server checks positions.
const importer = (w: TarokWords, current: Shared): imports.Importer<Shared> => ({
  game: 'tarok',
  address(hash) {
    const read = readFragment(hash)
    return read.ok ? read : { ok: false, error: w.t('urlBad', { error: w.b(...read.error) }) }
  },
  async number(text) {
    const drawn = await draw(text)
    if (!drawn.ok) return { ok: false, error: failureText(w, drawn.failure) }
    const setup: Setup = { ...current.setup, ...drawn.deal, group: null, discards: [] }
    return { ok: true, seed: drawn.seed, shared: { setup, said: silence, played: [], cursor: 0 } }
  },
  async position(given, hand) {
    // A deal without a contract gets the one on the page.
    const { contract: now, declarer: who } = current.setup
    const value =
      given['contract'] === undefined
        ? { ...given, contract: now, ...(now === 'klop' ? {} : { declarer: who }) }
        : given
    const reply = await imports.checked(w, '/v1/tarok/legal-moves', value, fields)
    if (!reply.ok) return reply
    // The server has read the position, so that its cards and players are good.
    const contract = value['contract'] as Contract
    const declarer = (contract === 'klop' ? 'A' : String(value['declarer']).toUpperCase()) as Player
    const played = cardsOf((value['played'] as string[] | undefined) ?? [])
    const group = (value['group'] as number | undefined) ?? null
    const rules = { ...defaultRules, ...(value['rules'] as (Partial<Rules> & { bidding?: string }) | undefined) }
    delete rules.bidding
    const setup: Setup = {
      contract,
      declarer,
      rules,
      ...dealOf(value as unknown as Deal['position']),
      group,
      discards: cardsOf((value['discards'] as string[] | undefined) ?? []),
    }
    // A record has what was said beside the position, and what the page exports in it.
    const { kontra, announcements } = (hand ?? value) as { kontra?: Kontra; announcements?: Said['bonuses'] }
    const said: Said = { kontra: kontra ?? 'none', bonuses: {} }
    for (const [b, one] of Object.entries(announcements ?? {}))
      said.bonuses[b as 'kings'] = { by: one.by, kontra: one.kontra ?? 'none' }
    return { ok: true, shared: { setup, said, played, cursor: played.length } }
  },
})

/** Reads what is imported. A link has only a record. */
export const readImport = (w: TarokWords, text: string, current: Shared, link = false) =>
  imports.readImport(w, importer(w, current), text, link)

export const importHint = (w: TarokWords): string => w.b('importHint')
export const exported = (s: Shared): string => imports.json({ ...bodyOf(s), ...saidBody(s.said) })
