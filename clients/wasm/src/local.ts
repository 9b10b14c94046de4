// What index.ts and node.ts share: the operations of Klaverjas, answered by a worker.

import { Klaverjas } from '../../typescript/src/operations.gen.js'
import {
  type Calls,
  type Options as CallOptions,
  ProblemDocument,
  RoemError,
  type Sent,
} from '../../typescript/src/transport.js'
import type { Answer, FromWorker, Progress, Request, ToWorker } from './protocol.js'

/** The options of one call. */
export interface Options extends CallOptions {
  /** Is told how far a search has come. */
  onProgress?: (progress: Progress['progress']) => void
}

/** A worker, as a page and Node have it. */
export interface Port {
  send(message: ToWorker): void
  close(): void
}

/** The worker could not be started, or it has ended. */
export class WorkerError extends RoemError {
  override name = 'WorkerError'
}

interface Waiting {
  answer(answer: Answer): void
  fail(error: unknown): void
  progress?: ((progress: Progress['progress']) => void) | undefined
  event?: ((name: string, data: string) => void) | undefined
}

/** Requests to a worker. */
export class Local implements Calls {
  private last = 0
  private readonly waiting = new Map<number, Waiting>()
  private readonly port: Port
  private closed: unknown

  constructor(open: (message: (m: FromWorker) => void, failed: (error: unknown) => void) => Port) {
    this.port = open(
      (message) => this.got(message),
      (error) => this.end(new WorkerError(`the worker has ended: ${String(error)}`, { cause: error })),
    )
  }

  /** Asks as a client asks a server. The answer has the status and the text. */
  async request(
    request: Omit<Request, 'id' | 'progress' | 'events'>,
    { signal, onProgress, onEvent }: Options & { onEvent?: (name: string, data: string) => void } = {},
  ): Promise<Answer> {
    signal?.throwIfAborted()
    if (this.closed) throw this.closed
    const id = ++this.last
    let abort: (() => void) | undefined
    try {
      return await new Promise<Answer>((answer, fail) => {
        this.waiting.set(id, { answer, fail, progress: onProgress, event: onEvent })
        abort = () => {
          this.port.send({ id, cancel: true })
          fail(signal?.reason)
        }
        signal?.addEventListener('abort', abort, { once: true })
        this.port.send({ ...request, id, progress: onProgress !== undefined, events: onEvent !== undefined })
      })
    } finally {
      if (abort) signal?.removeEventListener('abort', abort)
      this.waiting.delete(id)
    }
  }

  async call<T>(method: string, path: string, sent: Sent, options: Options = {}): Promise<T> {
    const answer = await this.request(requestOf(method, path, sent), { ...options, signal: signalOf(options) })
    return read<T>(answer, `${method} ${path}`)
  }

  async *stream<T>(
    method: string,
    path: string,
    sent: Sent,
    options: Options = {},
  ): AsyncGenerator<T, void, undefined> {
    const ended = new AbortController()
    const ready: T[] = []
    let wake = () => {}
    let failed: { error: unknown } | undefined
    let last = false
    void this.request(requestOf(method, path, sent), {
      ...options,
      signal: AbortSignal.any([ended.signal, signalOf(options)]),
      onEvent: (name, data) => {
        if (name !== 'finished') ready.push(JSON.parse(data) as T)
        wake()
      },
    })
      .then((answer) => answer.status >= 400 && read<T>(answer, `${method} ${path}`))
      .catch((error: unknown) => (failed = { error }))
      .finally(() => {
        last = true
        wake()
      })
    try {
      for (;;) {
        for (let one = ready.shift(); one !== undefined; one = ready.shift()) yield one
        if (failed) throw failed.error
        if (last) return
        await new Promise<void>((done) => (wake = done))
      }
    } finally {
      ended.abort()
    }
  }

  /** Ends the worker. Calls that wait fail. */
  close(): void {
    this.end(new WorkerError('the worker was closed'))
    this.port.close()
  }

  private end(error: unknown) {
    this.closed = error
    for (const one of this.waiting.values()) one.fail(error)
  }

  private got(message: FromWorker) {
    if (!('id' in message)) return
    const one = this.waiting.get(message.id)
    if (!one) return // it was aborted
    if ('progress' in message) one.progress?.(message.progress)
    else if ('event' in message) one.event?.(message.event, message.data)
    else if ('status' in message) one.answer(message)
    else one.fail(new WorkerError('failed' in message ? message.failed : 'cancelled'))
  }
}

function signalOf({ signal, timeout }: CallOptions): AbortSignal {
  const ends = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)]
  return AbortSignal.any(ends.filter((one) => one !== undefined))
}

function requestOf(method: string, path: string, { body, query }: Sent): Omit<Request, 'id'> {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return {
    method: method as Request['method'],
    path: given.length ? `${path}?${new URLSearchParams(given)}` : path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

function read<T>(answer: Answer, asked: string): T {
  const value: unknown = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(answer.body) : answer.body
  if (answer.status >= 400) throw new ProblemDocument(value as ConstructorParameters<typeof ProblemDocument>[0], asked)
  return (answer.body === '' ? undefined : value) as T
}

/** The operations of Klaverjas that need no server, as the client of a server has them. */
export class LocalKlaverjas extends Klaverjas {
  constructor(readonly local: Local) {
    super(local)
  }

  /** Ends the worker. Calls that wait fail. */
  close(): void {
    this.local.close()
  }
}
