// Importing a deal, a position or a record.

import { parseCard, suits as allSuits } from '../shared/cards'
import type * as Schemas from '../contract'
import { failureText } from '../shared/frame'
import * as imports from '../shared/importdialog'
import { draw } from './dialogs'
import { type Player, type Trump, suitsOf } from './rules'
import { stacksOf } from './session'
import { type Shared, bodyOf, isDeal } from './state'
import { readFragment } from './url'
import type { BeloteWords } from './words'

const fields = ['trump', 'suits', 'leader', 'declarer', 'threshold', 'flip', 'stacks', 'played', 'worlds']

// Reads a position as JSON, the seed of a deal, or the address of this page. The server checks positions.
const importer = (w: BeloteWords, current: Shared): imports.Importer<Shared> => ({
  game: 'belote',
  address(hash) {
    const read = readFragment(hash)
    return read.ok ? read : { ok: false, error: w.t('urlBad', { error: w.b(...read.error) }) }
  },
  async number(text) {
    const { setup } = current
    const drawn = await draw(isDeal(setup) ? suitsOf(setup) : allSuits, setup.trump, text)
    return drawn.ok
      ? { ok: true, seed: drawn.seed, shared: { ...current, setup: drawn.setup, played: [], cursor: 0 } }
      : { ok: false, error: failureText(w, drawn.failure) }
  },
  async position(value) {
    // What has been seen of a deal is checked by asking for advice.
    const unseen = JSON.stringify(value['stacks'] ?? '').includes('null')
    const path = '/v1/belote/' + (unseen ? 'advise' : 'legal-moves')
    const asked = { ...value, worlds: unseen ? 2 : undefined }
    const reply = await imports.checked<Pick<Schemas.BeloteLegalMoves, 'rules'>>(w, path, asked, fields)
    if (!reply.ok) return reply
    // The server has read the position, so that its cards and players are good.
    const { trump, declarer, threshold } = reply.body.rules
    const played = ((value['played'] as string[] | undefined) ?? []).map((c) => parseCard(c)!)
    const leader = String(value['leader']).toUpperCase() as Player
    const named = (value['suits'] as string[] | undefined)?.join('').toUpperCase() ?? 'CDHS'
    const suits = allSuits.filter((s) => named.includes(s))
    const stacks = stacksOf(value['stacks'] as Parameters<typeof stacksOf>[0])
    const setup = { trump: trump as Trump, leader, declarer, threshold, stacks, ...(unseen ? { suits } : {}) }
    return { ok: true, shared: { ...current, setup, played, cursor: played.length } }
  },
})

/** Reads what is imported. A link has only a record. */
export const readImport = (w: BeloteWords, text: string, current: Shared, link = false) =>
  imports.readImport(w, importer(w, current), text, link)

export const importHint = (w: BeloteWords): string => w.b('importHint')
export const exported = (s: Shared): string => (isDeal(s.setup) ? imports.json(bodyOf(s)) : '')
