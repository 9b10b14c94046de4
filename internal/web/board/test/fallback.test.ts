import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { fallback } from '../src/shared/fallback'
import type { Solver } from '../src/shared/solver'

// A server of which the test says what it does with each path.
let server: (path: string, signal: AbortSignal) => Promise<Response>
let asked: string[] = []
globalThis.fetch = async (path, init) => {
  asked.push(String(path))
  return server(String(path), init!.signal!)
}
const json = (status: number) => new Response('{}', { status, headers: { 'Content-Type': 'application/json' } })
const gone = async () => {
  throw new TypeError('no connection')
}
const silent = (_: string, signal: AbortSignal) =>
  new Promise<Response>((_answer, fail) => signal.addEventListener('abort', () => fail(new Error('aborted'))))

let here = ''
Object.assign(globalThis, { localStorage: { getItem: (k: string) => (k === 'roem.here' ? here : null) } })

beforeEach(() => {
  asked = []
  here = ''
  mock.timers.reset()
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
})

const opened = () => {
  const told: boolean[] = []
  let inWorker = 0
  const worker: Solver = async () => {
    inWorker++
    return new Response('worker')
  }
  const solver = fallback(
    () => worker,
    (replaced) => told.push(replaced),
  )
  const ask = async (path = '/v1/klaverjas/solve', signal = new AbortController().signal) =>
    (await solver(path, { signal })).text()
  return { told, ask, inWorker: () => inWorker }
}
const settle = () => new Promise<void>((done) => setImmediate(done))

test('the worker answers while the server does not, and nobody waits for the server until it is there', async () => {
  const { told, ask } = opened()
  server = async () => json(200)
  assert.equal(await ask(), '{}')
  server = gone
  assert.equal(await ask(), 'worker')
  assert.deepEqual(told, [true])
  const before = asked.length
  assert.equal(await ask(), 'worker')
  assert.equal(asked.length, before) // it was asked a moment ago
  mock.timers.tick(11_000)
  server = silent
  assert.equal(await ask(), 'worker') // at once
  assert.deepEqual(asked.slice(before), ['/v1'])
  mock.timers.tick(11_000)
  server = async () => json(401) // it wants a key, but is there
  assert.equal(await ask(), 'worker')
  await settle()
  assert.deepEqual(told, [true, false])
  assert.equal(await ask(), '{}')
})

test('a page of what stands before the server is no answer, and a refusal of the server is one', async () => {
  const { told, ask } = opened()
  server = async () => json(503)
  assert.equal(await ask(), '{}')
  server = async () =>
    new Response('<h1>502 Bad Gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } })
  assert.equal(await ask(), 'worker')
  assert.deepEqual(told, [true])
})

test('a server that says nothing is left, and a search that takes long is not', async () => {
  const { told, ask } = opened()
  let answer = (_: Response): void => {}
  server = (path) => (path === '/v1' ? Promise.resolve(json(200)) : new Promise((done) => (answer = done)))
  const long = ask()
  for (let i = 0; i < 10; i++) {
    mock.timers.tick(5_000)
    await settle()
  }
  answer(json(200))
  assert.equal(await long, '{}')
  assert.ok(asked.filter((path) => path === '/v1').length >= 9)
  server = (path, signal) => (path === '/v1' ? gone() : silent(path, signal))
  const lost = ask()
  mock.timers.tick(5_000)
  assert.equal(await lost, 'worker')
  assert.deepEqual(told, [true])
})

test('what is aborted asks nobody else', async () => {
  const { told, ask, inWorker } = opened()
  server = silent
  const leaves = new AbortController()
  const asked = ask('/v1/klaverjas/solve', leaves.signal)
  leaves.abort()
  await assert.rejects(asked)
  await assert.rejects(ask('/v1/klaverjas/solve', leaves.signal))
  assert.deepEqual([told, inWorker()], [[], 0])
})

test('games are where they began', async () => {
  const { told, ask } = opened()
  here = 'abc def'
  server = gone
  assert.equal(await ask('/v1/klaverjas/sessions/def/play'), 'worker')
  await assert.rejects(ask('/v1/klaverjas/sessions/xyz/play'))
  assert.deepEqual(told, [])
})
