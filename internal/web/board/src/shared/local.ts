// The worker in which Klaverjas is calculated in the browser: the program of clients/wasm. A page loads this file when it needs the worker.

import { read, write } from './prefs'
import type { Solver } from './solver'

// What the worker tells of a request: how far it is, one of the answers that become better, the answer, or that there is none.
type Told = { id: number } & (
  | { progress: unknown }
  | { event: string; data: string }
  | { status: number; headers: Record<string, string>; body: string }
  | { failed: string }
  | { cancelled: true }
)

interface Waiting {
  /** Takes a message, and returns whether it is the last one. */
  take(told: Told): boolean
  fail(error: Error): void
}

// The ids of the games that are in this browser, the last one first.
const mostGames = 20
function remember(id: string): void {
  const ids = (read('here') ?? '').split(' ').filter((known) => known && known !== id)
  write('here', [id, ...ids.slice(0, mostGames - 1)].join(' '))
}

/** The solver of a worker, whose program is at an address. */
export function open(program: string): Solver {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let last = 0
  const start = (): Worker => {
    const begun = new Worker(program, { type: 'module' })
    begun.onmessage = ({ data }: MessageEvent<Told>) => {
      if (waiting.get(data.id)?.take(data)) waiting.delete(data.id)
    }
    // A worker that cannot be loaded, or has failed, answers nothing more. The next request starts another one.
    begun.onerror = (event) => {
      event.preventDefault()
      begun.terminate()
      if (worker === begun) worker = undefined
      for (const one of waiting.values()) one.fail(new Error(event.message))
      waiting.clear()
    }
    begun.postMessage({ id: 0, cancel: true }) // nothing is asked yet: it loads what it needs to answer
    return begun
  }
  worker = start()
  return (path, { method = 'GET', headers, body, signal }) =>
    new Promise((answered, failed) => {
      const id = ++last
      const events = new Headers(headers).get('Accept') === 'text/event-stream' ? new Stream(answered) : null
      const fail = (error: Error) => {
        signal.removeEventListener('abort', cancel)
        events?.fail(error)
        failed(error)
      }
      const cancel = () => {
        if (waiting.delete(id)) worker?.postMessage({ id, cancel: true })
        fail(new DOMException('', 'AbortError'))
      }
      if (signal.aborted) return cancel()
      signal.addEventListener('abort', cancel)
      waiting.set(id, {
        fail,
        take(told) {
          if ('progress' in told) return false
          if ('event' in told) {
            events?.tell(told.event, told.data)
            return false
          }
          if (!('status' in told)) {
            fail(new Error('failed' in told ? told.failed : 'cancelled'))
            return true
          }
          signal.removeEventListener('abort', cancel)
          if (told.status === 201) remember((JSON.parse(told.body) as { id: string }).id)
          if (!events?.end()) answered(new Response(told.body || null, told))
          return true
        },
      })
      worker ??= start()
      worker.postMessage({ id, method, path, body: body ?? undefined, events: events !== null })
    })
}

// A stream of events, as a server sends it. It begins with the first event.
class Stream {
  private to: ReadableStreamDefaultController<Uint8Array> | undefined
  private begun = false
  constructor(private readonly answered: (response: Response) => void) {}

  tell(event: string, data: string): void {
    if (!this.begun) {
      this.begun = true
      const body = new ReadableStream<Uint8Array>({
        start: (to) => void (this.to = to),
        cancel: () => void (this.to = undefined),
      })
      this.answered(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
    }
    this.to?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${data.trim()}\n\n`))
  }

  /** Ends the stream, and returns whether there was one. */
  end(): boolean {
    this.to?.close()
    return this.begun
  }

  fail(error: Error): void {
    this.to?.error(error)
  }
}
