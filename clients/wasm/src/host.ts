// The programs, and what they ask of the page: instances of WebAssembly in one thread. The small one answers what needs no model; the first
// request that needs more starts the whole one, which answers everything from then on.

import 'wasm_exec' // of Go: it sets globalThis.Go
import type { Games } from './games.js'
import type { FromWorker, Request, ToWorker } from './protocol.js'

/** What the program finds as globalThis.roem when it begins: see clients/wasm/program. */
interface Roem {
  ready(version: string): void
  fail(why: string): void
  answer(id: number, status: number, type: string, location: string, body: string): void
  cancelled(id: number): void
  failed(id: number, why: string): void
  elsewhere(id: number): void
  progress(id: number, done: number, of: number, nodes: number, lower?: number, upper?: number): void
  event(id: number, event: string, data: string): void
  later(then: () => void): void
  network(name: string, then: (bytes: Uint8Array | null, why: string) => void): void
  games(
    act: keyof Games,
    id: string,
    after: number,
    value: Uint8Array | undefined,
    then: (version: number, value: Uint8Array | null, why: string) => void,
  ): void
  ask?(request: object): void
  cancel?(id: number): void
}

interface Go {
  importObject: WebAssembly.Imports
  run(instance: WebAssembly.Instance): Promise<void>
}

/** The files of the programs: what needs no model, and everything. */
export type Name = keyof typeof fileOf
export const fileOf = { small: './klaverjas.wasm', whole: './networks/whole.wasm' }

/** What the place where the program runs offers. */
export interface Place {
  /** A program, compiled. */
  program(name: Name): Promise<WebAssembly.Module>
  /** A file of weights. */
  network(name: string): Promise<Uint8Array>
  /** Where the games are that a page plays. */
  games: Games
  /** Calls a function after the messages that wait. */
  later(then: () => void): void
  send(message: FromWorker): void
}

/** Runs the programs. What it returns takes the messages of the page. */
export function host(place: Place): (message: ToWorker) => void {
  const whole = new Program('whole', place)
  let small: Program | undefined = new Program('small', place, (request) => void whole.take(request))
  let before: Program | undefined // the small one, until it has answered what it was asked
  return (message) => {
    if (whole.ready && small) [before, small] = [small, undefined]
    if (before?.idle) before = undefined // and its memory can be given back
    if ('cancel' in message) {
      void small?.begin() // a page loads the program with it before it asks
      for (const one of [before, small, whole]) one?.cancel(message.id)
    } else if ('memory' in message) {
      const sum = [before, small, whole].reduce((all, one) => all + (one?.memory ?? 0), 0)
      place.send({ id: message.id, memory: sum })
    } else (small ?? whole).take(message)
  }
}

/** One program. It is loaded with its first message, and again after it has failed. */
class Program {
  private roem: Roem | undefined
  private instance: WebAssembly.Instance | undefined
  private readonly asked = new Map<number, Request>()

  constructor(
    private readonly name: Name,
    private readonly place: Place,
    private readonly elsewhere?: (request: Request) => void,
  ) {}

  get ready(): boolean {
    return this.roem !== undefined
  }

  /** It has answered everything. */
  get idle(): boolean {
    return this.asked.size === 0
  }

  /** The bytes of memory that it has. */
  get memory(): number {
    return (this.instance?.exports['mem'] as WebAssembly.Memory | undefined)?.buffer.byteLength ?? 0
  }

  take(request: Request): void {
    this.asked.set(request.id, request)
    if (this.roem) this.ask(request)
    else void this.begin()
  }

  cancel(id: number): void {
    if (this.roem) this.roem.cancel?.(id)
    else if (this.asked.delete(id)) this.place.send({ id, cancelled: true })
  }

  private ask(request: Request) {
    const { body } = request
    this.roem?.ask?.({ ...request, body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body) })
  }

  private loading: Promise<void> | undefined

  /** Loads the program, unless that has begun. */
  begin(): Promise<void> {
    return (this.loading ??= this.load().catch((error) => this.fail(String(error))))
  }

  private async load() {
    const module = await this.place.program(this.name)
    const go = new (globalThis as unknown as { Go: new () => Go }).Go()
    this.instance = await WebAssembly.instantiate(module, go.importObject)
    const own = this.made()
    ;(globalThis as { roem?: Roem }).roem = own
    const ended = go.run(this.instance) // until the program waits for the first time
    delete (globalThis as { roem?: Roem }).roem
    ended.then(
      () => this.fail('the program has ended'),
      (error) => this.fail(String(error)),
    )
    if (!this.loading) return // it has failed at once
    this.roem = own
    for (const request of this.asked.values()) this.ask(request)
  }

  /** There are no answers. The next request loads the program again. */
  private fail(why: string) {
    const before = [...this.asked.keys()]
    this.asked.clear()
    this.roem = this.instance = this.loading = undefined
    for (const id of before) this.place.send({ id, failed: why })
  }

  /** What the program finds of the page. A request that was passed on or has failed is answered by another. */
  private made(): Roem {
    const { place } = this
    const end = (id: number) => this.asked.delete(id)
    return {
      ready: (version) => place.send({ ready: true, version }),
      fail: (why) => this.fail(why),
      answer: (id, status, type, location, body) => {
        if (!end(id)) return
        const headers: Record<string, string> = {}
        if (type) headers['content-type'] = type
        if (location) headers['location'] = location
        place.send({ id, status, headers, body })
      },
      cancelled: (id) => end(id) && place.send({ id, cancelled: true }),
      failed: (id, why) => end(id) && place.send({ id, failed: why }),
      elsewhere: (id) => {
        const request = this.asked.get(id)
        if (request && end(id)) this.elsewhere?.(request)
      },
      progress: (id, done, of, nodes, lower, upper) =>
        this.asked.has(id) &&
        place.send({
          id,
          progress: {
            done,
            of,
            nodes,
            ...(lower === undefined ? {} : { lower }),
            ...(upper === undefined ? {} : { upper }),
          },
        }),
      event: (id, event, data) => this.asked.has(id) && place.send({ id, event, data }),
      later: (then) => place.later(then),
      network: (name, then) => {
        place.network(name).then(
          (bytes) => then(bytes, ''),
          (error) => then(null, String(error)),
        )
      },
      games: (act, id, after, value, then) => {
        const { games } = place
        const asked = act === 'write' ? games.write(id, after, value ?? new Uint8Array()) : games[act](id)
        asked.then(
          (kept) => then(kept.version, kept.value ?? null, ''),
          (error) => then(0, null, String(error)),
        )
      },
    }
  }
}
