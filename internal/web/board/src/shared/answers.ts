// Answers of the server, each kept under the key of its question. An answer for another position than the one shown is
// never shown.

import { useEffect, useState } from 'preact/hooks'
import { worker } from './base'
import { type Failure, type Job, type JobSummary, type Reply, call, follow, waited } from './api'
import { rememberJob } from './prefs'

/** What is known of an answer. */
export interface Answer<T> {
  key: string
  value?: T
  /** The job that the search has become. */
  job?: JobSummary
  failure?: Failure
  /** Seconds until the next try. */
  wait?: number
  cancelled?: boolean
  /** Stops the search. */
  cancel(): void
  /** Asks again after a failure. */
  retry(): void
}

/** The event after which every question that failed is asked again. */
export const retryAll = 'roem-retry'

/** Does something again that has failed, when the browser is online again or everything is asked again. */
export function useAgain(failed: unknown, again: () => void): void {
  useEffect(() => {
    if (!failed) return
    const events = ['online', retryAll]
    for (const event of events) addEventListener(event, again)
    return () => events.forEach((event) => removeEventListener(event, again))
  }, [failed])
}

const kept = new Map<string, unknown>()
const most = 3000

function keep(key: string, value: unknown): void {
  if (kept.size >= most) kept.delete(kept.keys().next().value!)
  kept.set(key, value)
}

// Searches that take longer than this become jobs, whose progress is shown.
const prefer = { Prefer: 'wait=1' }

/**
 * Asks until there is an answer, and tells what goes on. A search that takes longer becomes a job, which is cancelled
 * with the signal. Without a body the request is a GET.
 */
export async function ask<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  tell: (change: Partial<Answer<T>>) => void,
): Promise<void> {
  while (!signal.aborted) {
    const reply: Reply<T | Job> = await call<T | Job>(body === undefined ? 'GET' : 'POST', path, body, signal, prefer)
    if (reply.ok && reply.status === 200) return tell({ value: reply.body as T })
    if (reply.ok) {
      let job = reply.body as JobSummary
      rememberJob(job.id, location.hash)
      tell({ job })
      const leave = () => void call('DELETE', job.links.self, undefined, new AbortController().signal)
      signal.addEventListener('abort', leave)
      await follow(
        job.links.events,
        (j) => {
          job = j
          tell({ job })
        },
        signal,
      )
      signal.removeEventListener('abort', leave)
      if (signal.aborted) return
      const end = await call<Job>('GET', job.links.self, undefined, signal)
      if (!end.ok && end.failure.kind === 'offline' && worker) continue // who answers in place of the server is asked
      if (!end.ok) return tell({ failure: end.failure })
      if (end.body.status === 'succeeded') return tell({ value: end.body.result as T })
      if (end.body.status === 'cancelled') return tell({ cancelled: true })
      const problem = end.body.error as Extract<Failure, { kind: 'problem' }>['problem'] | null
      if (problem?.status) return tell({ failure: { kind: 'problem', status: problem.status, problem, retryAfter: 0 } })
      return tell({ cancelled: true })
    }
    const failure = reply.failure
    if (!(await waited(failure, signal, (wait) => tell({ failure, wait })))) return tell({ failure })
  }
}

/**
 * The answer to a question, asked when the key changes. An empty key asks nothing. The question of the key before is
 * stopped, also on the server.
 */
export function useAnswer<T>(key: string, path: string, body: () => unknown): Answer<T> {
  const [state, set] = useState<Partial<Answer<T>> & { key: string }>({ key: '' })
  const [tries, setTries] = useState(0)
  const [stop, setStop] = useState<AbortController | null>(null)
  const full = path + '|' + key
  useEffect(() => {
    if (key === '' || kept.has(full)) return
    const controller = new AbortController()
    setStop(controller)
    let now: Partial<Answer<T>> & { key: string } = { key: full }
    set(now)
    void ask<T>(path, body(), controller.signal, (change) => {
      if (change.value !== undefined) keep(full, change.value)
      now = { ...now, failure: undefined, wait: undefined, ...change }
      if (!controller.signal.aborted) set(now)
    })
    return () => controller.abort()
  }, [full, tries])
  useAgain(state.failure, () => setTries((n) => n + 1))
  const known = kept.get(full) as T | undefined
  return {
    ...(state.key === full ? state : {}),
    ...(known !== undefined ? { value: known, failure: undefined } : {}),
    key: full,
    cancel() {
      stop?.abort()
      set({ key: full, cancelled: true })
    },
    retry: () => setTries((n) => n + 1),
  }
}
