import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../src/shared/local'
import { refine } from '../src/shared/streams'
import type { Request } from '../src/shared/api'

interface Sent {
  id: number
  path?: string
  body?: string
  events?: boolean
  cancel?: true
}

// A worker of which the test writes the answers.
class Stub {
  static all: Stub[] = []
  sent: Sent[] = []
  ended = false
  onmessage: (event: { data: object }) => void = () => {}
  onerror: (event: { message: string; preventDefault(): void }) => void = () => {}
  constructor(readonly program: string) {
    Stub.all.push(this)
  }
  postMessage(message: Sent): void {
    if (message.id > 0) this.sent.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  tell(told: object): void {
    this.onmessage({ data: told })
  }
}
const stored = new Map<string, string>()
Object.assign(globalThis, {
  Worker: Stub,
  localStorage: { getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => stored.set(k, v) },
})

const json = { 'content-type': 'application/json' }
const unending = new AbortController().signal
const opened = () => {
  const solver = open('/w.js')
  const send = (path: string, signal = unending, accept = 'application/json') =>
    solver(path, { method: 'POST', body: '{}', headers: { Accept: accept }, signal })
  return { send, solver }
}

test('one worker answers requests in any order', async () => {
  const { send } = opened()
  const [a, b] = [send('/a'), send('/b')]
  const worker = Stub.all.at(-1)!
  assert.equal(worker.program, '/w.js')
  assert.deepEqual(
    worker.sent.map((m) => [m.path, m.body, m.events]),
    [
      ['/a', '{}', false],
      ['/b', '{}', false],
    ],
  )
  const [first, second] = worker.sent
  worker.tell({ id: second!.id, status: 422, headers: { 'content-type': 'application/problem+json' }, body: '{"b":1}' })
  worker.tell({ id: first!.id, progress: { done: 1, of: 2, nodes: 3 } })
  worker.tell({ id: first!.id, status: 200, headers: json, body: '{"a":1}' })
  assert.deepEqual([(await a).status, await (await a).json()], [200, { a: 1 }])
  assert.deepEqual([(await b).status, await (await b).json()], [422, { b: 1 }])
})

test('a request that is aborted is cancelled in the worker', async () => {
  const { send } = opened()
  const leaves = new AbortController()
  const asked = send('/a', leaves.signal)
  const worker = Stub.all.at(-1)!
  leaves.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  assert.deepEqual(worker.sent.at(-1), { id: worker.sent[0]!.id, cancel: true })
  worker.tell({ id: worker.sent[0]!.id, cancelled: true })
  await assert.rejects(send('/b', leaves.signal), { name: 'AbortError' })
  assert.equal(worker.sent.length, 2)
})

test('a worker that fails fails its requests, and the next request starts another', async () => {
  const { send } = opened()
  const asked = send('/a')
  const worker = Stub.all.at(-1)!
  worker.onerror({ message: 'not found', preventDefault: () => {} })
  await assert.rejects(asked, /not found/)
  assert.ok(worker.ended)
  const again = send('/a')
  const other = Stub.all.at(-1)!
  assert.notEqual(other, worker)
  other.tell({ id: other.sent[0]!.id, failed: 'no network' })
  await assert.rejects(again, /no network/)
})

test('answers that become better come as the events of a server', async () => {
  const { solver } = opened()
  const request: Request = (method, path, body, signal, headers) =>
    solver(path, { method, body: JSON.stringify(body), headers, signal })
  const told: object[] = []
  const ended = refine<object>(request, '/advise', {}, unending, (answer) => told.push(answer))
  const worker = Stub.all.at(-1)!
  const { id, events } = worker.sent[0]!
  assert.equal(events, true)
  worker.tell({ id, event: 'advice', data: '{"n":1}\n' })
  worker.tell({ id, event: 'advice', data: '{"n":2}\n' })
  worker.tell({ id, event: 'finished', data: '{"reason":"time"}' })
  worker.tell({ id, status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' })
  assert.equal(await ended, null)
  assert.deepEqual(told, [{ n: 1 }, { n: 2 }])
  const refused = refine<object>(request, '/advise', {}, unending, () => assert.fail())
  worker.tell({ id: worker.sent.at(-1)!.id, status: 422, headers: json, body: '{"code":"bad"}' })
  assert.deepEqual(await refused, { kind: 'problem', status: 422, problem: { code: 'bad' }, retryAfter: 0 })
})

test('the games that begin in the worker are remembered', async () => {
  const { send } = opened()
  for (const game of ['one', 'two']) {
    const asked = send('/v1/klaverjas/sessions')
    const worker = Stub.all.at(-1)!
    worker.tell({ id: worker.sent.at(-1)!.id, status: 201, headers: json, body: JSON.stringify({ id: game }) })
    await asked
  }
  assert.equal(stored.get('roem.here'), 'two one')
})
