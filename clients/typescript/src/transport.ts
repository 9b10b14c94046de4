// One call: its attempts, the waits between them, and its error.

import type { ErrorCode, Expected, Problem, ProblemType } from './contract/types.gen.js'

/** The options of one call. */
export interface Options {
  /** Ends the call. What the server has begun goes on. */
  signal?: AbortSignal
  /** The most milliseconds that the call takes, with all attempts and waits. */
  timeout?: number
  /**
   * The name of what the call creates, by default a new one. With the name of an earlier call, the answer is what that call created. A
   * session has a name only with a secret API key.
   */
  idempotencyKey?: string
}

/** The settings of a client. */
export interface Settings {
  /** The API key, if the server requires one. */
  key?: string
  /**
   * The most milliseconds that a call waits between its attempts, in all. Default 60,000, or 2,000 for a server that has never answered:
   * its address is probably wrong.
   */
  patience?: number
  /** The milliseconds after which an attempt without an answer counts as a broken connection. Default 60,000. */
  attempt?: number
  fetch?: typeof fetch
  /** Waits between two attempts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What an operation sends. */
export interface Sent {
  body?: unknown
  query?: object
  /** It creates something, so it has an idempotency key. */
  creates?: boolean
  /** Its answer can be a job, whose result is then the answer. */
  waits?: boolean
}

/** What the operations of the games ask with. */
export interface Calls {
  call<T>(method: string, path: string, sent: Sent, options?: Options): Promise<T>
  stream<T>(method: string, path: string, sent: Sent, options?: Options): AsyncGenerator<T, void, undefined>
}

/** What every error of the client is. */
export class RoemError extends Error {
  override name = 'RoemError'
}

/** The server could not be reached, or its answer was cut, until the client's patience ended; or what answers is not Roem. */
export class ConnectionError extends RoemError {
  override name = 'ConnectionError'
}

/** The job was cancelled, so it has no result. */
export class JobCancelled extends RoemError {
  override name = 'JobCancelled'
}

/** The server answered with a problem, or a job ended with one. `pointer` and `expected` come from the first of `errors`. */
export class ProblemDocument extends RoemError {
  override name = 'ProblemDocument'
  readonly status: number
  readonly type: ProblemType
  readonly requestId: string | undefined
  readonly code: ErrorCode | undefined
  readonly pointer: string | undefined
  readonly expected: Expected | undefined

  constructor(
    readonly problem: Problem,
    asked = '',
  ) {
    super((problem.detail || problem.title || 'an error without a detail') + (asked && ` (${asked})`))
    const first = problem.errors?.[0]
    this.status = problem.status
    this.type = problem.type
    this.requestId = problem.request_id
    this.code = problem.code
    this.pointer = first?.pointer
    this.expected = first?.expected
  }
}

// Attempts that can succeed later: a limit, a server that is busy or restarts, and what proxies say while there is no server.
const later = new Set([429, 502, 503, 504])

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const end = () => (clearTimeout(timer), fail(signal.reason))
    const timer = setTimeout(() => (signal.removeEventListener('abort', end), done()), ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** A name that no other call has. `crypto.randomUUID` is not there in pages without TLS. */
const name = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

/** The waits of one call. Each failure waits longer than the last, until the patience ends. */
export class Patience {
  private waited = 0
  private failures = 0

  constructor(
    private readonly most: () => number,
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<void>,
  ) {}

  /** Waits before the next attempt, at least as long as the server asks (in seconds), or throws the failure. */
  async next(failure: unknown, asked: number, signal: AbortSignal): Promise<void> {
    const backoff = Math.min(8000, 250 * 2 ** this.failures++)
    const ms = Math.max(backoff / 2, 1000 * asked) + (Math.random() * backoff) / 2
    if (this.waited + ms > this.most()) throw failure
    this.waited += ms
    await this.pause(ms, signal)
  }

  /** Something has succeeded. */
  reset(): void {
    this.waited = this.failures = 0
  }
}

type Request = RequestInit & { method: string; headers: Record<string, string> }

/** The form that an answer must have. */
export type Form = 'application/json' | 'text/event-stream'

export class Transport {
  readonly base: string
  /** The server has answered once, so that its address is right. */
  private reached = false
  readonly attempt: number

  constructor(
    url: string,
    private readonly settings: Settings,
  ) {
    if (!/^(https?:\/\/|\/|$)/.test(url) || (/^h/.test(url) && !URL.canParse(url)))
      throw new RangeError(`${url} is not the address of a server, such as http://localhost:8080`)
    this.base = url.replace(/\/+$/, '')
    this.attempt = settings.attempt ?? 60_000
  }

  patience = () =>
    new Patience(() => this.settings.patience ?? (this.reached ? 60_000 : 2_000), this.settings.pause ?? wait)

  /** The signal of a call: the signal of its options, and its timeout. */
  signal({ signal, timeout }: Options = {}): AbortSignal {
    const ends = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)]
    return AbortSignal.any(ends.filter((one) => one !== undefined))
  }

  /** Sends a request until it is answered, and returns the answer: undefined if it has no body. */
  async send<T>(method: string, path: string, sent: Sent, options: Options = {}): Promise<T> {
    const headers: Record<string, string> = {}
    if (sent.body !== undefined) headers['Content-Type'] = 'application/json'
    if (sent.waits) headers['Prefer'] = 'wait=20'
    if (sent.creates) headers['Idempotency-Key'] = options.idempotencyKey ?? name()
    const query = Object.entries(sent.query ?? {}).filter(([, value]) => value !== undefined)
    const url = query.length ? path + '?' + new URLSearchParams(query) : path
    const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }
    const signal = this.signal(options)
    return this.answered(url, { method, headers, ...body }, signal, 'application/json', async (response) => {
      const text = await response.text()
      return (text === '' ? undefined : JSON.parse(text)) as T
    })
  }

  // A link of a server below a path, such as http://host/roem, begins with the path.
  private address(url: string): string {
    const below = /^\w+:\/\/[^/]+(\/.+)$/.exec(this.base)?.[1]
    return (below && url.startsWith(below + '/') ? this.base.slice(0, -below.length) : this.base) + url
  }

  /** Fetches until there is an answer in this form that `read` has read and that is not to be tried again. */
  async answered<T>(
    path: string,
    init: Request,
    signal: AbortSignal,
    form: Form,
    read: (r: Response) => Promise<T>,
  ): Promise<T> {
    const url = this.address(path)
    const patience = this.patience()
    const { key } = this.settings
    const authorization: Record<string, string> = key === undefined ? {} : { Authorization: 'Bearer ' + key }
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      const ends = new AbortController()
      const timer = setTimeout(() => ends.abort(), this.attempt)
      let failure: RoemError
      let asked = 0
      try {
        const headers = { ...authorization, ...init.headers }
        const both = AbortSignal.any([signal, ends.signal])
        const response = await (this.settings.fetch ?? fetch)(url, {
          ...init,
          redirect: 'manual',
          headers,
          signal: both,
        })
        this.reached = true
        if (response.ok) {
          check(response, form, url)
          return await read(response)
        }
        failure = new ProblemDocument(await problem(response), `${init.method} ${url}`)
        asked = Number(response.headers.get('Retry-After')) || 0
        // The answer to an earlier attempt was lost, and that attempt deleted it.
        if (attempt > 0 && init.method === 'DELETE' && response.status === 404) return undefined as T
        if (!later.has(response.status)) throw failure
      } catch (error) {
        if (error instanceof RoemError) throw error
        signal.throwIfAborted()
        failure = new ConnectionError(`${url}: ${reason(error)}`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
      await patience.next(failure, asked, signal)
    }
  }
}

const contentType = (response: Response): string =>
  (response.headers.get('Content-Type') ?? '').replace(/;.*/, '').trim().toLowerCase()

/** Throws a ConnectionError if an answer does not have its form. */
function check(response: Response, form: Form, url: string): void {
  const given = contentType(response)
  if (given !== form && given !== '')
    throw new ConnectionError(`${url}: What answers there is not Roem. Its answer is ${given}, and not ${form}.`)
}

/** The problem of an answer. A proxy can answer without a problem document, and so does what is not Roem. */
async function problem(response: Response): Promise<Problem> {
  const text = await response.text()
  if (contentType(response) === 'application/problem+json') return JSON.parse(text) as Problem
  // A page is not told where a redirection leads, and gets the status 0.
  const title = response.statusText || (response.type === 'opaqueredirect' ? 'a redirection' : 'an error')
  const [first = ''] = contentType(response) === 'text/plain' ? text.trim().split('\n') : []
  const moved = response.headers.get('Location')
  const said = first ? `: ${first.slice(0, 200)}` : moved ? `, to ${moved}` : ''
  const detail = `The answer is ${response.status || ''} ${title}${said}. It does not come from Roem.`
  return { type: '/docs/errors#internal', code: 'internal', title, status: response.status, detail }
}

/** Why there is no answer, as a sentence. Node says it in the cause of an error; a browser does not say it. */
function reason(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const code = cause?.code ?? ''
  const said = cause?.message || String(error)
  if (code === 'ECONNREFUSED') return 'Nothing listens there. Is the server running?'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host is not found (${code}).`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `The server does not speak TLS as it should (${code}). Does its address begin with http://?`
  if (/CERT|LEAF_SIGNATURE|ALTNAME/.test(code)) return `The certificate of the server is not valid (${said}).`
  if ((error as Error).name === 'AbortError' || /TIMEOUT/.test(code)) return 'There was no answer in time.'
  const page = cause === undefined && typeof document === 'object'
  return `The server cannot be reached, or the connection broke (${said}).${page ? ' Does it list the origin of this page?' : ''}`
}
