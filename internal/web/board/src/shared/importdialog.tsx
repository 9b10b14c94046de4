// Importing what a board shows: a record, a position as JSON, the number of a deal, or the address of a page.

import { useState } from 'preact/hooks'
import { call } from './api'
import { url } from './base'
import { Dialog } from './dialog'
import { failureText, useWords } from './frame'
import { problemText } from './problems'
import { leave, useOnce } from './once'
import { FileButton, type Hand, drops, readRecord } from './records'
import type { Words } from './words'

/** What was imported; the seed if the deal was drawn with one. */
export type Imported<S> = { ok: true; shared: S; seed?: string } | { ok: false; error: string }

type Body = Record<string, unknown>

/** How a game reads what is imported. */
export interface Importer<S> {
  game: string
  /** The fragment of an address. */
  address(hash: string): Imported<S>
  /** The number of a deal, or the seed with which it is drawn. */
  number(text: string): Promise<Imported<S>>
  /** A position, and the record that it is from. */
  position(value: Body, hand: Hand | undefined): Promise<Imported<S>>
}

/** Reads a record, or another text that is imported. A link has only a record. Several hands become a job. */
export async function readImport<S>(w: Words, of: Importer<S>, text: string, link = false): Promise<Imported<S>> {
  const record = await readRecord(w, text, of.game, link)
  if (!record.ok) return record
  if ('job' in record) return leave(url('/evening#' + record.job))
  const trimmed = record.text.trim()
  const hash = trimmed.indexOf('#')
  if (hash >= 0 && !trimmed.startsWith('{')) return of.address(trimmed.slice(hash))
  if (/^\d{1,20}$/.test(trimmed)) return of.number(trimmed)
  let value: Body
  try {
    value = JSON.parse(trimmed) as Body
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error()
  } catch {
    return { ok: false, error: w.t('importBad') }
  }
  // An answer, such as the answer of deals/random, holds its position.
  const inner = value['position']
  return of.position(typeof inner === 'object' && inner !== null ? (inner as Body) : value, record.hand)
}

/** Has the server check a position, of whose fields it gets those that it reads. */
export async function checked<T>(
  w: Words,
  path: string,
  value: Body,
  fields: readonly string[],
): Promise<{ ok: true; body: T } | { ok: false; error: string }> {
  const body = Object.fromEntries(fields.flatMap((k) => (value[k] === undefined ? [] : [[k, value[k]]])))
  const reply = await call<T>('POST', path, body, new AbortController().signal)
  if (reply.ok) return reply
  const { failure } = reply
  return { ok: false, error: failure.kind === 'problem' ? problemText(w, failure.problem) : failureText(w, failure) }
}

/** JSON on lines that can be read. */
export const json = (value: unknown): string => JSON.stringify(value).replace(/,"(?=\w+":)/g, ',\n"')

/** Asks for something to import. began is what it opens with. */
export function ImportDialog<S>({
  hint,
  began = '',
  read,
  close,
  use,
}: {
  hint: string
  began?: string
  read(text: string): Promise<Imported<S>>
  close(): void
  use(shared: S, seed?: string): void
}) {
  const w = useWords()
  const [text, set] = useState(began)
  const [error, setError] = useState('')
  const submit = useOnce(async () => {
    const got = await read(text)
    if (got.ok) use(got.shared, got.seed)
    else setError(got.error)
  })
  return (
    <Dialog title={w.t('importTitle')} id="import-dialog" close={close} wide>
      <form
        method="dialog"
        onSubmit={(e) => {
          e.preventDefault()
          submit()
        }}>
        <p class="hint" id="import-hint">
          {hint}
        </p>
        <label for="import-text">{w.t('importText')}</label>
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
