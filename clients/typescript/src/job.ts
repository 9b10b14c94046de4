import type { Job as AnyJob, JobState, JobToken } from './contract/types.gen.js'
import { open } from './events.js'
import { ConnectionError, JobCancelled, type Options, ProblemDocument, type Transport } from './transport.js'

/** What the server says of a job, with its result if it has succeeded. */
export type State<R> = JobState & { kind: AnyJob['kind']; result?: R }

/** Whether an answer is a job, and not what was asked for. */
export const isJob = (answer: unknown): answer is State<never> =>
  typeof answer === 'object' && answer !== null && 'links' in answer && 'events' in (answer.links as object)

/** A job. Its id finds it again, also after a restart of this program or of the server: `roem.job(id)`. */
export class Job<R> {
  constructor(
    private readonly transport: Transport,
    /** The job as it was last seen. */
    public state: State<R>,
  ) {}

  private get path(): string {
    return '/v1/jobs/' + encodeURIComponent(this.id)
  }

  get id(): string {
    return this.state.id
  }

  get finished(): boolean {
    return this.state.status !== 'queued' && this.state.status !== 'running'
  }

  /** Waits until the job has ended, and returns its result. It throws the problem of a job that failed, and JobCancelled. */
  async wait(options: Options = {}): Promise<R> {
    const { timeout: _, ...rest } = options
    const all = { ...rest, signal: this.transport.signal(options) }
    while (!this.finished || (this.state.status === 'succeeded' && this.state.result === undefined))
      this.state = await this.transport.send('GET', this.path, { query: { wait: 20 } }, all)
    if (this.state.status === 'succeeded') return this.state.result as R
    if (this.state.error) throw new ProblemDocument(this.state.error)
    throw new JobCancelled(`The job ${this.id} was cancelled.`)
  }

  /** Cancels the job. One that has finished stays as it is. */
  async cancel(options?: Options): Promise<void> {
    this.state = await this.transport.send('DELETE', this.path, {}, options)
  }

  /** A token with which a page can follow the job without an API key, for some minutes. */
  token(options?: Options): Promise<JobToken> {
    return this.transport.send('POST', this.path + '/token', {}, options)
  }

  /** The job after each change, until it has ended. A stream that breaks is opened again, after the event that came last. */
  async *events(options: Options = {}): AsyncGenerator<State<R>, void, undefined> {
    const signal = this.transport.signal(options)
    const patience = this.transport.patience()
    let last = ''
    for (;;) {
      const headers: Record<string, string> = last ? { 'Last-Event-ID': last } : {}
      const events = await open(this.transport, this.path + '/events', { method: 'GET', headers }, signal)
      if (!events) return
      let cause: unknown
      try {
        for await (const event of events) {
          patience.reset()
          last = event.id
          this.state = JSON.parse(event.data) as State<R>
          yield this.state
          if (event.name === 'finished') return
        }
      } catch (error) {
        signal.throwIfAborted()
        cause = error
      }
      await patience.next(new ConnectionError('The stream of events breaks again and again.', { cause }), 0, signal)
    }
  }
}
