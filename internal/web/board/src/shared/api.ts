// Requests to the server. Their types are generated from the contract.

import type * as Schemas from '../contract'
import { url } from './base'

export type Job = Schemas.Job
export type JobList = Schemas.JobList
export type Problem = Schemas.Problem

export type Failure =
  { kind: 'problem'; status: number; problem: Problem; retryAfter: number } | { kind: 'offline' } | { kind: 'aborted' }

export type Reply<T> = { ok: true; status: number; body: T } | { ok: false; failure: Failure }

const keyName = 'roem.key'

export const apiKey = (): string => sessionStorage.getItem(keyName) ?? ''
export const setApiKey = (key: string): void => sessionStorage.setItem(keyName, key)

function headers(more: Record<string, string>): Record<string, string> {
  const key = apiKey()
  return key ? { ...more, Authorization: 'Bearer ' + key } : more
}

/** Waits for a time, or until the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}

/** Sends one request. It does not throw. */
export async function call<T>(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
  more: Record<string, string> = {},
): Promise<Reply<T>> {
  try {
    const response = await fetch(url(path), {
      method,
      signal,
      headers: headers({
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...more,
      }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return { ok: true, status: response.status, body: answer as T }
    const retryAfter = Number(response.headers.get('Retry-After') ?? 0)
    return { ok: false, failure: { kind: 'problem', status: response.status, problem: answer as Problem, retryAfter } }
  } catch {
    return { ok: false, failure: signal.aborted ? { kind: 'aborted' } : { kind: 'offline' } }
  }
}

// Reads server-sent events until their end, or until tell returns that no more are wanted.
async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tell: (event: ReadonlyMap<string, string>) => boolean,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = new Map<string, string>()
      for (const line of text.slice(0, end).split('\n')) {
        const colon = line.indexOf(':')
        if (colon > 0) event.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
      }
      text = text.slice(end + 2)
      if (!tell(event)) return reader.cancel()
    }
  }
}

/**
 * Asks a question whose answer becomes better, and tells each answer. It returns when no better one follows, or why there
 * is no answer. It does not throw.
 */
export async function refine<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  tell: (answer: T) => void,
): Promise<Failure | null> {
  let answered = false
  try {
    const response = await fetch(url(path), {
      method: 'POST',
      signal,
      headers: headers({ Accept: 'text/event-stream', 'Content-Type': 'application/json' }),
      body: JSON.stringify(body),
    })
    if (!response.ok || !response.body) {
      const retryAfter = Number(response.headers.get('Retry-After') ?? 0)
      return { kind: 'problem', status: response.status, problem: (await response.json()) as Problem, retryAfter }
    }
    await readEvents(response.body, (event) => {
      if (event.get('event') !== 'advice') return event.get('event') !== 'finished'
      answered = true
      tell(JSON.parse(event.get('data')!) as T)
      return true
    })
  } catch {
    if (signal.aborted) return { kind: 'aborted' }
  }
  return answered ? null : { kind: 'offline' }
}

/**
 * Waits as long as a server says that is busy, and tells the seconds that are left. Whether it may be asked again: after other failures it is not.
 */
export async function waited(f: Failure, signal: AbortSignal, tell: (seconds: number) => void): Promise<boolean> {
  if (f.kind !== 'problem' || (f.status !== 429 && f.status !== 503)) return false
  for (let s = Math.max(1, f.retryAfter); s > 0 && !signal.aborted; s--) {
    tell(s)
    await pause(1000, signal)
  }
  return true
}

/**
 * Follows a job until it has finished, and returns it. A stream that is cut is opened again after the event that came
 * last; 204 means that there are no more. EventSource cannot send an API key, so the stream is read with fetch.
 */
export async function follow(path: string, tell: (job: Job) => void, signal: AbortSignal): Promise<void> {
  let last = ''
  let wait = 2000
  while (!signal.aborted) {
    try {
      const response = await fetch(url(path), {
        signal,
        headers: headers({ Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) }),
        cache: 'no-store',
      })
      if (response.status === 204 || response.status === 404) return
      if (response.ok && response.body) {
        let finished = false
        await readEvents(response.body, (event) => {
          if (event.has('retry')) wait = Number(event.get('retry')) || wait
          if (event.has('id')) last = event.get('id')!
          if (event.has('data')) tell(JSON.parse(event.get('data')!) as Job)
          finished = event.get('event') === 'finished'
          return !finished
        })
        if (finished) return
      } else {
        wait = Math.max(wait, 1000 * Number(response.headers.get('Retry-After') ?? 0))
      }
    } catch {
      if (signal.aborted) return
    }
    await pause(wait, signal)
  }
}
