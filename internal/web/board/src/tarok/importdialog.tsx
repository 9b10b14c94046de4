// Importing a deal or a position.

import { useState } from 'preact/hooks'
import { call } from '../shared/api'
import type * as Schemas from '../contract'
import { Dialog, failureText } from '../shared/frame'
import { problemText } from '../shared/problems'
import { FileButton, type Hand, drops, readRecord } from '../shared/records'
import type { Player } from './cards'
import { type Deal, cardsOf, dealOf, draw } from './deal'
import { type Contract, type Rules, type Setup, defaultRules } from './rules'
import { type Kontra, type Said, type Shared, bodyOf, saidBody, silence } from './state'
import { readFragment } from './url'
import { type TarokWords, useTarok } from './words'

type LegalMoves = Schemas.TarokLegalMoves

type Imported = { ok: true; shared: Shared; seed?: string } | { ok: false; error: string }

// Reads a position or deal as JSON, the seed of a deal, or the address of this page. The server checks positions.
async function importText(w: TarokWords, text: string, current: Shared): Promise<Imported> {
  const bad = (error: string): Imported => ({ ok: false, error })
  const trimmed = text.trim()
  if (trimmed.includes('#') && !trimmed.startsWith('{')) {
    const read = readFragment(trimmed.slice(trimmed.indexOf('#')))
    return read.ok ? read : bad(w.t('urlBad', { error: w.b(...read.error) }))
  }
  const fresh = (deal: Pick<Setup, 'hands' | 'talon'>): Shared => ({
    setup: { ...current.setup, ...deal, group: null, discards: [] },
    said: silence,
    played: [],
    cursor: 0,
  })
  if (/^\d{1,20}$/.test(trimmed)) {
    const drawn = await draw(trimmed)
    return drawn.ok ? { ok: true, seed: drawn.seed, shared: fresh(drawn.deal) } : bad(failureText(w, drawn.failure))
  }
  let value: Record<string, unknown>
  try {
    value = JSON.parse(trimmed) as Record<string, unknown>
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error()
  } catch {
    return bad(w.b('importBad'))
  }
  // An answer, such as that of deals/random, holds its position.
  if (typeof value['position'] === 'object' && value['position'] !== null)
    value = value['position'] as Record<string, unknown>
  // A deal without a contract gets the one on the page.
  const { contract: now, declarer: who } = current.setup
  if (value['contract'] === undefined) value = { ...value, contract: now, ...(now === 'klop' ? {} : { declarer: who }) }
  const fields = ['hands', 'talon', 'contract', 'declarer', 'group', 'discards', 'played', 'rules']
  const body = Object.fromEntries(fields.flatMap((k) => (value[k] === undefined ? [] : [[k, value[k]]])))
  const reply = await call<LegalMoves>('POST', '/v1/tarok/legal-moves', body, new AbortController().signal)
  if (!reply.ok) return bad(reply.failure.kind === 'problem' ? problemText(w, reply.failure.problem) : w.t('offline'))
  // The server has read the position, so that its cards and players are good.
  const contract = value['contract'] as Contract
  const declarer = (contract === 'klop' ? 'A' : String(value['declarer']).toUpperCase()) as Player
  const played = cardsOf((value['played'] as string[] | undefined) ?? [])
  const group = (value['group'] as number | undefined) ?? null
  const { lead, emperor, difference, mond } = { ...defaultRules, ...(value['rules'] as Partial<Rules> | undefined) }
  const setup: Setup = {
    contract,
    declarer,
    rules: { lead, emperor, difference, mond },
    ...dealOf(value as unknown as Deal['position']),
    group,
    discards: cardsOf((value['discards'] as string[] | undefined) ?? []),
  }
  const said: Said = { kontra: (value['kontra'] as Kontra | undefined) ?? 'none', bonuses: {} }
  for (const [b, one] of Object.entries((value['announcements'] as Said['bonuses'] | undefined) ?? {}))
    said.bonuses[b as 'kings'] = { by: one.by, kontra: one.kontra ?? 'none' }
  return { ok: true, shared: { setup, said, played, cursor: played.length } }
}

// A record has what was said beside the position, and this import in it.
const withSaid = ({ text, hand }: { text: string; hand?: Hand }): string =>
  hand?.position
    ? JSON.stringify({ ...hand.position, kontra: hand['kontra'], announcements: hand['announcements'] })
    : text

/** Reads a record, or another text that is imported. A link has only a record. */
export async function readImport(w: TarokWords, text: string, current: Shared, link = false): Promise<Imported> {
  const record = await readRecord(w, text, 'tarok', link)
  if (!record.ok) return record
  return 'job' in record ? { ok: false, error: w.b('importBad') } : importText(w, withSaid(record), current)
}

export function ImportDialog({
  current,
  close,
  use,
}: {
  current: Shared
  close(): void
  use(s: Shared, seed?: string): void
}) {
  const w = useTarok()
  const [text, set] = useState(() =>
    JSON.stringify({ ...bodyOf(current), ...saidBody(current.said) }).replace(/,"(?=\w+":)/g, ',\n"'),
  )
  const [error, setError] = useState('')
  return (
    <Dialog title={w.b('importTitle')} id="import-dialog" close={close} wide>
      <form
        method="dialog"
        onSubmit={async (e) => {
          e.preventDefault()
          const read = await readImport(w, text, current)
          if (read.ok) use(read.shared, read.seed)
          else setError(read.error)
        }}>
        <p class="hint" id="import-hint">
          {w.b('importHint')}
        </p>
        <label for="import-text">{w.b('importText')}</label>
        <textarea
          id="import-text"
          rows={12}
          spellcheck={false}
          aria-describedby="import-hint import-error"
          aria-invalid={error !== ''}
          value={text}
          onInput={(e) => set(e.currentTarget.value)}
          {...drops(set)}
        />
        <p class="bad" id="import-error">
          {error}
        </p>
        <div class="row end">
          <FileButton set={set} />
          <button type="submit" class="main" id="import-do">
            {w.t('importDo')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
