// The client of Roem.

import { isJob, Job, type State } from './job.js'
import { Belote, GinRummy, type Kinds, Klaverjas, Tarok } from './operations.gen.js'
import { type Call, type Options, type Settings, Transport } from './transport.js'

export type * from './contract/types.gen.js'
export type { Kinds } from './operations.gen.js'
export type { Options, Settings } from './transport.js'
export { ConnectionError, JobCancelled, ProblemDocument, RoemError } from './transport.js'
export * from './helpers.js'
export { Job, type State } from './job.js'

/** A server of Roem. */
export class Roem {
  private readonly transport: Transport

  readonly belote: Belote
  readonly ginRummy: GinRummy
  readonly klaverjas: Klaverjas
  readonly tarok: Tarok

  /** The URL of the server. In a page of the server itself it is ''. */
  constructor(url = 'http://localhost:8080', settings: Settings = {}) {
    this.transport = new Transport(url, settings)
    this.belote = new Belote(this.call)
    this.ginRummy = new GinRummy(this.call)
    this.klaverjas = new Klaverjas(this.call)
    this.tarok = new Tarok(this.call)
  }

  /** Asks an operation. An answer that takes long becomes a job on the way; what is returned is the answer in both cases. */
  readonly call: Call = async <T>(
    method: string,
    path: string,
    sent: Parameters<Call>[2],
    options: Options = {},
  ): Promise<T> => {
    const { timeout: _, ...rest } = options
    const all = { ...rest, signal: this.transport.signal(options) }
    const answer = await this.transport.send<T | State<T>>(method, path, sent, all)
    return sent.waits && isJob(answer) ? new Job<T>(this.transport, answer).wait(all) : (answer as T)
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
}
