// Requests, and what is made of their answers. Their types are generated from the contract.

import type * as Schemas from '../contract'
import { load } from './files'
import { pause } from './pause'
import { send } from './solver'

export type Job = Schemas.Job
/** A job without its result, as it is in lists and events. */
export type JobSummary = Schemas.JobSummary
export type JobList = Schemas.JobList
export type Problem = Schemas.Problem

export type Failure =
  { kind: 'problem'; status: number; problem: Problem; retryAfter: number } | { kind: 'offline' } | { kind: 'aborted' }

export type Reply<T> = { ok: true; status: number; body: T } | { ok: false; failure: Failure }

/** Sends a request with a body, if it has one, and headers. */
export type Request = (
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
  headers: Record<string, string>,
) => Promise<Response>

const keyName = 'roem.key'

export const apiKey = (): string => sessionStorage.getItem(keyName) ?? ''
export const setApiKey = (key: string): void => sessionStorage.setItem(keyName, key)

/** Sends a request with the key of the page. It throws if there is no answer. */
const request: Request = (method, path, body, signal, headers) => {
  const key = apiKey()
  return send(path, {
    method,
    signal,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
      ...(key ? { Authorization: 'Bearer ' + key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
    const response = await request(method, path, body, signal, { Accept: 'application/json', ...more })
    const answer: unknown = await response.json()
    if (response.ok) return { ok: true, status: response.status, body: answer as T }
    const retryAfter = Number(response.headers.get('Retry-After') ?? 0)
    return { ok: false, failure: { kind: 'problem', status: response.status, problem: answer as Problem, retryAfter } }
  } catch {
    return { ok: false, failure: signal.aborted ? { kind: 'aborted' } : { kind: 'offline' } }
  }
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

// What reads streams of events is loaded in the background: nothing that a page shows first is one.
type Streams = typeof import('./streams')

/** Loads what reads streams. */
export const loadStreams = (): Promise<Streams> => load<Streams>('./streams.js')

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
  try {
    return await (await loadStreams()).refine(request, path, body, signal, tell)
  } catch {
    return { kind: signal.aborted ? 'aborted' : 'offline' }
  }
}

/** Follows a job until it has finished, and tells how it goes. */
export async function follow(path: string, tell: (job: JobSummary) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const streams = await loadStreams().catch(() => pause(2000, signal))
    if (streams) return streams.follow(request, path, tell, signal)
  }
}
