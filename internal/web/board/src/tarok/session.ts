// A game with the players of the server. The server keeps the deal: an answer has the cards that the player has seen, and all cards only when
// the hand is over. The browser keeps the id of the game and nothing else.

import { useEffect, useRef, useState } from 'preact/hooks'
import { retryAll } from '../answers'
import { type Failure, call, pause } from '../api'
import type { components } from '../contract'
import * as prefs from '../prefs'

export type Session = components['schemas']['TarokSession']
export type SessionRequest = components['schemas']['TarokSessionRequest']

export type Act = 'bid' | 'exchange' | 'announce' | 'play' | 'next'

export interface Game {
  session: Session | null
  /** Whether an answer is awaited. */
  busy: boolean
  failure: Failure | undefined
  /** Seconds until the next try. */
  wait: number | undefined
  /** What has happened to the game elsewhere. */
  news: '' | 'newsConflict' | 'newsGone'
  /** A refusal of an act, in the words of the server. */
  refused: string
  start(request: SessionRequest): void
  act(path: Act, more: object): void
  end(): void
  retry(): void
}

const base = '/v1/tarok/sessions'
const kept = 'tarok-game'
const idOf = (): string => prefs.stored(kept)?.hash ?? ''
const keep = (id: string): void => prefs.store({ hash: id, cuts: [] }, kept)

/** The game of this browser, read again when the page is loaded. told is called with each new answer, and with the one before it. */
export function useTarokGame(told: (after: Session, before: Session | null) => void): Game {
  const [session, put] = useState<Session | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const [wait, setWait] = useState<number | undefined>()
  const [news, setNews] = useState<Game['news']>('')
  const [refused, setRefused] = useState('')
  const now = useRef<Session | null>(null)
  const underWay = useRef(false)
  const last = useRef<(() => void) | null>(null)
  const alive = useRef(new AbortController())
  useEffect(() => () => alive.current.abort(), [])

  const show = (s: Session | null) => {
    const before = now.current
    now.current = s
    keep(s?.id ?? '')
    put(s)
    if (s) told(s, before)
  }
  // Sends a request until it is answered. A server that is busy is asked again after the time that it names; nothing has changed then.
  const send = async (method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<void> => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setFailure(undefined)
    setNews('')
    setRefused('')
    last.current = () => void send(method, path, body, more)
    const { signal } = alive.current
    while (!signal.aborted) {
      const reply = await call<Session>(method, path, body, signal, more)
      if (reply.ok) {
        show(reply.body)
        break
      }
      const f = reply.failure
      const status = f.kind === 'problem' ? f.status : 0
      if (f.kind === 'problem' && (status === 429 || status === 503)) {
        setFailure(f)
        for (let s = Math.max(1, f.retryAfter); s > 0 && !signal.aborted; s--) {
          setWait(s)
          await pause(1000, signal)
        }
        setWait(undefined)
        setFailure(undefined)
        continue
      }
      if (status === 409) {
        const read = await call<Session>('GET', `${base}/${idOf()}`, undefined, signal)
        setNews(read.ok ? 'newsConflict' : 'newsGone')
        show(read.ok ? read.body : null)
      } else if (status === 404) {
        setNews('newsGone')
        show(null)
      } else if (f.kind === 'problem' && status === 422) setRefused(f.problem.errors?.map((e) => e.detail).join(' ') ?? f.problem.detail)
      else if (f.kind !== 'aborted') setFailure(f)
      break
    }
    underWay.current = false
    setBusy(false)
  }
  useEffect(() => {
    if (idOf()) void send('GET', `${base}/${idOf()}`)
  }, [])
  const retry = () => last.current?.()
  useEffect(() => {
    if (!failure || wait !== undefined) return
    for (const event of ['online', retryAll]) addEventListener(event, retry)
    return () => ['online', retryAll].forEach((event) => removeEventListener(event, retry))
  }, [failure, wait])

  return {
    session, busy, failure, wait, news, refused, retry,
    start(request) {
      const before = idOf()
      if (before) void call('DELETE', `${base}/${before}`, undefined, new AbortController().signal)
      // The key makes it one game, also if the request is sent again because its answer was lost.
      void send('POST', base, request, { 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') })
    },
    act: (path, more) => void (session && send('POST', `${base}/${session.id}/${path}`, { acts: session.acts, ...more })),
    end() {
      const id = idOf()
      show(null)
      if (id) void call('DELETE', `${base}/${id}`, undefined, new AbortController().signal)
    },
  }
}
