// The worker in which Klaverjas is calculated in the browser: the program of clients/wasm. A page that has one loads this file.

import { site } from './base'
import { fallback } from './fallback'
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

/** The event that tells that the program is ready. */
export const ready = 'roem-ready'

// The program, compiled while the worker is still loaded. A site has it twice, since its server may compress nothing: as it is, and packed.
async function compiled(address: string, packed: boolean): Promise<WebAssembly.Module> {
  let response = await fetch(address)
  const coded = ['content-encoding', 'roem-unpacked'].some((name) => response.headers.get(name))
  if (packed && !coded) {
    void response.body?.cancel()
    const { ok, body } = await fetch(address + '.packed')
    response = new Response(ok ? body!.pipeThrough(new DecompressionStream('gzip')) : null, {
      headers: { 'Content-Type': 'application/wasm' },
    })
  }
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return response.headers.get('Content-Type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

// The ids of the games that are in this browser, the last one first.
const mostGames = 20
function remember(id: string): void {
  const ids = (read('here') ?? '').split(' ').filter((known) => known && known !== id)
  write('here', [id, ...ids.slice(0, mostGames - 1)].join(' '))
}

/** The solver of a worker, whose program is at an address. The files of a site are packed. */
export function open(program: string, packed = false): Solver {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let last = 0
  const address = new URL('klaverjas.wasm', new URL(program, import.meta.url)).href
  const module = compiled(address, packed).catch(() => null) // then the worker loads it, and says what is wrong
  const start = (): Worker => {
    const begun = new Worker(program, { type: 'module' })
    begun.onmessage = ({ data }: MessageEvent<Told>) => {
      if ('ready' in data) dispatchEvent(new Event(ready))
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
    begun.postMessage({ module: undefined }) // it comes
    void module.then((module) => begun.postMessage({ module }))
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

/** The solver of a page whose worker has its program at an address: on a site it answers everything. tell is told who answers. */
export function solver(program: string, tell: (replaced: boolean) => void): Solver {
  if (site) return open(program, site !== 'embed')
  let worker: Solver | undefined
  return fallback(() => (worker ??= open(program)), tell)
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
