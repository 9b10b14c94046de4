// The client of Roem.

import { isJob, Job, type State } from './job.js'
import { answers } from './events.js'
import type { JobList, JobStatus, Version } from './contract/types.gen.js'
import { Belote, GinRummy, type Kinds, Klaverjas, Records, Tarok } from './operations.gen.js'
import { type Calls, type Options, type Sent, type Settings, Transport } from './transport.js'

export type * from './contract/types.gen.js'
export type { Kinds } from './operations.gen.js'
export type { Options, Settings } from './transport.js'
export { ConnectionError, JobCancelled, ProblemDocument, RoemError } from './transport.js'
export * from './helpers.js'
export { Job, type State } from './job.js'

/** A server of Roem. */
export class Roem implements Calls {
  private readonly transport: Transport

  readonly belote: Belote
  readonly ginRummy: GinRummy
  readonly klaverjas: Klaverjas
  readonly records: Records
  readonly tarok: Tarok

  /** The URL of the server. In a page of the server itself it is ''. */
  constructor(url = 'http://localhost:8080', settings: Settings = {}) {
    this.transport = new Transport(url, settings)
    this.belote = new Belote(this)
    this.ginRummy = new GinRummy(this)
    this.klaverjas = new Klaverjas(this)
    this.records = new Records(this)
    this.tarok = new Tarok(this)
  }

  /** Asks an operation. An answer that takes long becomes a job on the way; what is returned is the answer in both cases. */
  async call<T>(method: string, path: string, sent: Sent, options: Options = {}): Promise<T> {
    const { timeout: _, ...rest } = options
    const all = { ...rest, signal: this.transport.signal(options) }
    const answer = await this.transport.send<T | State<T>>(method, path, sent, all)
    return sent.waits && isJob(answer) ? new Job<T>(this.transport, answer).wait(all) : (answer as T)
  }

  /** Asks an operation for answers that become better, until the server has the last. The loop over them can end earlier. */
  stream<T>(method: string, path: string, sent: Sent, options?: Options): AsyncGenerator<T, void, undefined> {
    return answers(this.transport, method, path, sent, options)
  }

  /** The exact value of a Klaverjas deal: `klaverjas.solve`. */
  solve: Klaverjas['solve'] = (body, options) => this.klaverjas.solve(body, options)

  /** Starts a job, and does not wait for it. */
  async start<K extends keyof Kinds>(
    kind: K,
    request: Kinds[K]['request'],
    options?: Options,
  ): Promise<Job<Kinds[K]['result']>> {
    const state = await this.transport.send<State<Kinds[K]['result']>>(
      'POST',
      '/v1/jobs',
      { body: { kind, request }, creates: true },
      options,
    )
    return new Job(this.transport, state)
  }

  /** Finds a job again. The kind says of which type its result is: `roem.job<'klaverjas.solve'>(id)`. */
  async job<K extends keyof Kinds>(id: string, options?: Options): Promise<Job<Kinds[K]['result']>> {
    return new Job(this.transport, await this.transport.send('GET', '/v1/jobs/' + encodeURIComponent(id), {}, options))
  }

  /** The jobs of the client, newest first, or those with these ids. Without a secret API key the server lists those with ids only. */
  async *jobs(
    which: { ids?: readonly string[]; status?: JobStatus } = {},
    options: Options = {},
  ): AsyncGenerator<Job<unknown>, void, undefined> {
    const { timeout: _, ...rest } = options
    const all = { ...rest, signal: this.transport.signal(options) }
    let page: JobList | undefined
    do {
      const query = { id: which.ids?.join(','), status: which.status, page_token: page?.next_page_token }
      page = await this.transport.send<JobList>('GET', '/v1/jobs', { query }, all)
      for (const state of page.jobs) yield new Job<unknown>(this.transport, state)
    } while (page.next_page_token)
  }

  /** The versions of the server, of its solver and of its contract. */
  version(options?: Options): Promise<Version> {
    return this.transport.send('GET', '/version', {}, options)
  }
}
