// Streams of server-sent events. A page loads this file in the background.

import type { Failure, JobSummary, Problem, Request } from './api'
import { worker } from './base'
import { pause } from './pause'

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
  request: Request,
  path: string,
  body: unknown,
  signal: AbortSignal,
  tell: (answer: T) => void,
): Promise<Failure | null> {
  let answered = false
  try {
    const response = await request('POST', path, body, signal, { Accept: 'text/event-stream' })
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
 * Follows a job until it has finished. A stream that is cut is opened again after the event that came
 * last; 204 means that there are no more. EventSource cannot send an API key, so the stream is read with fetch. A page whose worker can answer
 * in place of the server waits for it three times, and any other as long as it takes.
 */
export async function follow(
  request: Request,
  path: string,
  tell: (job: JobSummary) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = ''
  let wait = 2000
  let lost = 0
  while (!signal.aborted) {
    try {
      const response = await request('GET', path, undefined, signal, {
        Accept: 'text/event-stream',
        ...(last ? { 'Last-Event-ID': last } : {}),
      })
      lost = 0
      if (response.status === 204 || response.status === 404) return
      if (response.ok && response.body) {
        let finished = false
        await readEvents(response.body, (event) => {
          if (event.has('retry')) wait = Number(event.get('retry')) || wait
          if (event.has('id')) last = event.get('id')!
          if (event.has('data')) tell(JSON.parse(event.get('data')!) as JobSummary)
          finished = event.get('event') === 'finished'
          return !finished
        })
        if (finished) return
      } else {
        wait = Math.max(wait, 1000 * Number(response.headers.get('Retry-After') ?? 0))
      }
    } catch {
      if (signal.aborted || (worker && ++lost === 3)) return
    }
    await pause(wait, signal)
  }
}
