// Importing a deal, a position or a record.

import { useState } from 'preact/hooks'
import { call } from '../shared/api'
import { parseCard, suits as allSuits } from '../shared/cards'
import type * as Schemas from '../contract'
import { Dialog, failureText } from '../shared/frame'
import { problemText } from '../shared/problems'
import { FileButton, drops, readRecord } from '../shared/records'
import { draw } from './dialogs'
import { type Player, type Trump, suitsOf } from './rules'
import { stacksOf } from './session'
import { type Shared, bodyOf } from './state'
import { readFragment } from './url'
import { type BeloteWords, useBelote } from './words'

type LegalMoves = Schemas.BeloteLegalMoves

type Imported = { ok: true; shared: Shared; seed?: string } | { ok: false; error: string }

// Reads a position as JSON, the seed of a deal, or the address of this page. The server checks positions.
async function importText(w: BeloteWords, text: string, current: Shared): Promise<Imported> {
  const bad = (error: string): Imported => ({ ok: false, error })
  const trimmed = text.trim()
  const { setup } = current
  if (trimmed.includes('#') && !trimmed.startsWith('{')) {
    const read = readFragment(trimmed.slice(trimmed.indexOf('#')))
    return read.ok ? read : bad(w.t('urlBad', { error: w.b(...read.error) }))
  }
  if (/^\d{1,20}$/.test(trimmed)) {
    const suits = suitsOf(setup)
    const drawn = await draw(suits.length > 0 ? suits : allSuits, setup.trump, trimmed)
    return drawn.ok
      ? { ok: true, seed: drawn.seed, shared: { ...current, setup: drawn.setup, played: [], cursor: 0 } }
      : bad(failureText(w, drawn.failure))
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
  const fields = ['trump', 'suits', 'leader', 'declarer', 'threshold', 'flip', 'stacks', 'played']
  const body = Object.fromEntries(fields.flatMap((k) => (value[k] === undefined ? [] : [[k, value[k]]])))
  // What has been seen of a deal is checked by asking for advice.
  const unseen = JSON.stringify(body['stacks'] ?? '').includes('null')
  const reply = await call<Pick<LegalMoves, 'rules'>>(
    'POST',
    '/v1/belote/' + (unseen ? 'advise' : 'legal-moves'),
    unseen ? { ...body, worlds: 2 } : body,
    new AbortController().signal,
  )
  if (!reply.ok) return bad(reply.failure.kind === 'problem' ? problemText(w, reply.failure.problem) : w.t('offline'))
  // The server has read the position, so that its cards and players are good.
  const { trump, declarer, threshold } = reply.body.rules
  const played = ((value['played'] as string[] | undefined) ?? []).map((c) => parseCard(c)!)
  const leader = String(value['leader']).toUpperCase() as Player
  const named = (value['suits'] as string[] | undefined)?.join('').toUpperCase() ?? 'CDHS'
  const stacks = stacksOf(value['stacks'] as Parameters<typeof stacksOf>[0])
  return {
    ok: true,
    shared: {
      ...current,
      setup: {
        trump: trump as Trump,
        leader,
        declarer,
        threshold,
        stacks,
        ...(unseen ? { suits: allSuits.filter((s) => named.includes(s)) } : {}),
      },
      played,
      cursor: played.length,
    },
  }
}

/** Reads a record, or another text that is imported. A link has only a record. */
export async function readImport(w: BeloteWords, text: string, current: Shared, link = false): Promise<Imported> {
  const record = await readRecord(w, text, 'belote', link)
  if (!record.ok) return record
  return 'job' in record ? { ok: false, error: w.b('importBad') } : importText(w, record.text, current)
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
  const w = useBelote()
  const [text, set] = useState(() =>
    current.setup.stacks.A.length > 0 ? JSON.stringify(bodyOf(current)).replace(/,"(?=\w+":)/g, ',\n"') : '',
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
