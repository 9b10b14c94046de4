// The program, and what it asks of the page: one instance of WebAssembly in one thread.

import 'wasm_exec' // of Go: it sets globalThis.Go
import type { Games } from './games.js'
import type { FromWorker, ToWorker } from './protocol.js'

/** What the program finds as globalThis.roem when it begins: see clients/wasm/program. */
interface Roem {
  ready(version: string): void
  fail(why: string): void
  answer(id: number, status: number, type: string, location: string, body: string): void
  cancelled(id: number): void
  failed(id: number, why: string): void
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

/** What the place where the program runs offers. */
export interface Place {
  /** The program, compiled. */
  program(): Promise<WebAssembly.Module>
  /** A file of weights. */
  network(name: string): Promise<Uint8Array>
  /** Where the games are that a page plays. */
  games: Games
  /** Calls a function after the messages that wait. */
  later(then: () => void): void
  send(message: FromWorker): void
}

/** Runs the program. What it returns takes the messages of the page. */
export function host(place: Place): (message: ToWorker) => void {
  let waiting: ToWorker[] | undefined = [] // until the program is ready
  let asked = new Set<number>()
  let roem: Roem | undefined
  let memory: WebAssembly.Memory | undefined

  const fail = (why: string) => {
    for (const id of asked) place.send({ id, failed: why })
    asked = new Set()
    waiting = []
    roem = undefined
    begun = false
  }
  const end = (id: number) => asked.delete(id)
  const made = (): Roem => ({
    ready: (version) => {
      place.send({ ready: true, version })
    },
    fail,
    answer: (id, status, type, location, body) => {
      if (!end(id)) return
      const headers: Record<string, string> = {}
      if (type) headers['content-type'] = type
      if (location) headers['location'] = location
      place.send({ id, status, headers, body })
    },
    cancelled: (id) => end(id) && place.send({ id, cancelled: true }),
    failed: (id, why) => end(id) && place.send({ id, failed: why }),
    progress: (id, done, of, nodes, lower, upper) =>
      asked.has(id) &&
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
    event: (id, event, data) => asked.has(id) && place.send({ id, event, data }),
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
  })

  let begun = false
  async function begin() {
    begun = true
    try {
      const module = await place.program()
      const go = new (globalThis as unknown as { Go: new () => Go }).Go()
      const instance = await WebAssembly.instantiate(module, go.importObject)
      memory = instance.exports['mem'] as WebAssembly.Memory
      const own = made()
      ;(globalThis as { roem?: Roem }).roem = own
      const ended = go.run(instance) // until the program waits for the first time
      delete (globalThis as { roem?: Roem }).roem
      ended.then(
        () => fail('the program has ended'),
        (error) => fail(String(error)),
      )
      roem = own
      const before = waiting ?? []
      waiting = undefined
      before.forEach(take)
    } catch (error) {
      fail(String(error))
    }
  }

  function take(message: ToWorker) {
    const { id } = message
    if (!begun) void begin()
    if (!roem) {
      if ('method' in message) asked.add(id)
      waiting?.push(message)
      return
    }
    if ('cancel' in message) return roem.cancel?.(id)
    if ('memory' in message) return place.send({ id, memory: memory?.buffer.byteLength ?? 0 })
    asked.add(id)
    const { body } = message
    roem.ask?.({ ...message, body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body) })
  }
  return take
}
