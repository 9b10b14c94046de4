// Records of hands: written of what a page shows, and read from a text, from a file that is chosen, or one that is dropped.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type * as Schemas from '../contract'
import { type Job, type Reply, call } from './api'
import { type Said, failureText, useWords } from './frame'
import { linkOf, recordHash } from './history'
import * as prefs from './prefs'
import { problemText } from './problems'
import type { Words } from './words'
import { unanswered } from './solver'

/** A hand as JSON: of the fields those that pages read. */
export interface Hand {
  game: string
  position?: Record<string, unknown>
  deal?: Record<string, unknown>
  [field: string]: unknown
}

type Conversion = Omit<Schemas.RecordConversion, 'records'> & { records: Hand[] }

const convert = (text: string, form: 'text' | 'json'): Promise<Reply<Conversion>> =>
  call<Conversion>('POST', '/v1/records/convert', { text, form }, new AbortController().signal)

/** Whether a text is a record, and not another thing that pages import. */
export const isRecord = (text: string): boolean =>
  /^\s*(\[\s*[\p{L}_]|roem1:|[%;]|[NESW]:\S*\/)/u.test(text) || /^\s*[[{][^]*"(game|TroefKleur)"\s*:/.test(text)

/** What a page imports: a text for its own import, or the job that reviews several hands. */
export type Read = { ok: true; text: string; hand?: Hand } | { ok: true; job: string } | { ok: false; error: string }

/** Reads the record in a text. Any other text is returned as it is, unless a link has only a record. */
export async function readRecord(w: Words, text: string, game: string, link = false): Promise<Read> {
  if (!link && !isRecord(text)) return { ok: true, text }
  const read = await convert(text, 'json')
  if (!read.ok)
    return {
      ok: false,
      error: read.failure.kind === 'problem' ? problemText(w, read.failure.problem) : w.t(unanswered),
    }
  const hands = read.body.records
  const hand = hands[0]!
  if (hand.game !== game) return { ok: false, error: w.t('recordOther', { game: hand.game }) }
  if (!link && hands.length > 1 && game === 'klaverjas') return startEvening(w, text)
  return { ok: true, text: JSON.stringify(hand.position ?? hand.deal ?? {}), hand }
}

/** Has the server review several hands of Klaverjas at once. */
export async function startEvening(
  w: Words,
  text: string,
): Promise<{ ok: true; job: string } | { ok: false; error: string }> {
  const request = { kind: 'klaverjas.evening', request: { text } }
  const reply = await call<Job>('POST', '/v1/jobs', request, new AbortController().signal)
  if (!reply.ok)
    return {
      ok: false,
      error: reply.failure.kind === 'problem' ? problemText(w, reply.failure.problem) : w.t(unanswered),
    }
  prefs.rememberJob(reply.body.id, '')
  return { ok: true, job: reply.body.id }
}

// The text of the record in an address.
function linked(hash: string): string {
  const text = hash.slice(recordHash.length)
  try {
    return decodeURIComponent(text)
  } catch {
    return text // the server says what is wrong with it
  }
}

/** Opens the record in the address of the page, or says what is wrong with it. */
export function LinkedRecord<R extends { ok: true }>(p: {
  read(text: string): Promise<R | { ok: false; error: string }>
  use(read: R): void
  children?: ComponentChildren
}) {
  const w = useWords()
  const [error, setError] = useState('')
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  useEffect(() => {
    if (!hash.startsWith(recordHash)) return
    let here = true
    setError('')
    void p.read(linked(hash)).then((read) => {
      if (!here) return
      if (read.ok) p.use(read)
      else setError(read.error)
    })
    return () => {
      here = false
    }
  }, [hash, w])
  return error ? (
    <p class="notice bad" id="url-error">
      {w.t('urlBad', { error })} {p.children}
    </p>
  ) : null
}

function download(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A session of which hands are over. number is the number of the hand that is shown, which is over. */
export interface Recorded {
  links: { self: string }
  number: number
  results: readonly unknown[]
}

/** The text of the record of a hand. */
export const recordOf = (hand: Hand): Promise<Reply<{ text: string }>> => convert(JSON.stringify(hand), 'text')

/** The text of the record of the hand of a session, or of all its hands that are over. */
export async function recordOfSession(s: Recorded, all: boolean): Promise<Reply<{ text: string }>> {
  const read = await call<Conversion>('GET', s.links.self + '/records', undefined, new AbortController().signal)
  return !read.ok || all ? read : recordOf(read.body.records[s.number - 1]!)
}

/** Whether the device has a share sheet. */
export const canSend = typeof (navigator as { share?: unknown }).share === 'function'

/** Hands a link to the share sheet of the device, where there is one. */
export const sendLink = (url: string): void => void navigator.share({ title: document.title, url }).catch(() => {}) // the reader has chosen nobody

/** Copies or downloads the record of a hand, or downloads all hands where there are several. */
export function RecordButtons({
  text,
  several = false,
  link = false,
  say,
}: {
  /** Whether a link to the hand is offered: of a hand that no address holds. */
  link?: boolean
  text(all: boolean): Promise<Reply<{ text: string }>>
  several?: boolean
  say(text: Said): void
}) {
  const w = useWords()
  const write = async (all: boolean, use: (text: string) => void) => {
    const read = await text(all)
    if (read.ok) use(read.body.text)
    else say((w) => failureText(w, read.failure))
  }
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => say((w) => w.t('recordCopied')),
      () => download(text, 'hand.roem'),
    )
  const linkTo = (text: string) => {
    const link = linkOf(recordHash + encodeURIComponent(text), w.lang)
    if (canSend) return sendLink(link)
    void navigator.clipboard.writeText(link).then(() => say((w) => w.t('linkCopied')))
  }
  return (
    <>
      {link && <p class="hint">{w.t('shareHint')}</p>}
      {link && (canSend || navigator.clipboard) && (
        <div class="row end">
          <button type="button" class="main" id="record-link" onClick={() => void write(false, linkTo)}>
            {w.t(canSend ? 'linkSend' : 'linkCopy')}
          </button>
        </div>
      )}
      <h3>{w.t('record')}</h3>
      <p class="hint">{w.t('recordHint')}</p>
      <div class="row end">
        {several && (
          <button
            type="button"
            id="record-all"
            onClick={() => void write(true, (text) => download(text, 'hands.roem'))}>
            {w.t('recordAll')}
          </button>
        )}
        {navigator.clipboard && (
          <button type="button" id="record-copy" onClick={() => void write(false, copy)}>
            {w.t('recordCopy')}
          </button>
        )}
        <button
          type="button"
          id="record-download"
          onClick={() => void write(false, (text) => download(text, 'hand.roem'))}>
          {w.t('recordDownload')}
        </button>
      </div>
    </>
  )
}

const mostBytes = 1_000_000

const readFile = (file: File | undefined, set: (text: string) => void): void => {
  if (file && file.size <= mostBytes) void file.text().then(set)
}

/** Chooses a file, whose text is set. */
export function FileButton({ set }: { set(text: string): void }) {
  const w = useWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        id="import-file"
        hidden
        onChange={(e) => {
          readFile(e.currentTarget.files?.[0], set)
          e.currentTarget.value = ''
        }}
      />
      <button type="button" id="import-choose" onClick={() => input.current!.click()}>
        {w.t('recordFile')}
      </button>
    </>
  )
}

/** What a field does with a file that is dropped on it. */
export const drops = (set: (text: string) => void) => ({
  onDragOver: (e: DragEvent) => e.preventDefault(),
  onDrop: (e: DragEvent) => {
    const file = e.dataTransfer?.files[0]
    if (!file) return
    e.preventDefault()
    readFile(file, set)
  },
})
