// The package against a real server: the same answers and codes, in Node and in browsers; sizes, memory, and how a search stops.
//
// WASM_STEP=1 asks all vectors (10: each tenth); BROWSERS=chromium,firefox says in which browsers too.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, constants } from 'node:zlib'
import { inBrowser } from './browsers.mjs'
import { bad, codes, comparable, ofModels, ofOthers, ofVectors } from './requests.mjs'
import { startServer } from './server.mjs'

const folder = process.env.WASM_PACKAGE
const step = Number(process.env.WASM_STEP ?? 10)
const names = (process.env.BROWSERS ?? 'chromium,firefox').split(',').filter(Boolean)
const { klaverjas } = await import(folder + '/node.js')

let server
let native = [] // what the server answers to the requests, asked once
const requests = [...ofVectors(step), ...ofOthers(), ...ofModels()]
before(async () => {
  server = await startServer(process.env.ROEM_SERVER)
  for (const request of requests) {
    const at = performance.now()
    native.push({ ...(await server.ask(request)), ms: performance.now() - at })
  }
})
after(() => server.stop())

/** The time of a search in an answer. */
const searched = ({ body }) => (body.startsWith('{') ? (JSON.parse(body).stats?.elapsed_us ?? 0) : 0)

// The answers are the same, and so are the nodes. Returns how many times as long the searches of whole deals took.
function compare(place, answers) {
  const different = requests.filter((_, i) => !isDeepStrictEqual(comparable(answers[i]), comparable(native[i])))
  assert.deepEqual(different.slice(0, 3), [], `${place}: ${different.length} of ${requests.length} answers differ`)
  const dealt = ({ path, body }) => path.endsWith('/solve') && !JSON.parse(body).played?.length
  const solves = requests.map((_, i) => i).filter((i) => dealt(requests[i]))
  const sum = (list) => solves.reduce((all, i) => all + searched(list[i]), 0)
  return sum(answers) / sum(native)
}

test('Node: the same answers', async (t) => {
  const game = klaverjas()
  const answers = []
  for (const request of requests) answers.push(await game.local.request(request))
  t.diagnostic(`${requests.length} answers, searches ${compare('Node', answers).toFixed(2)} times as long as native`)
  game.close()
})

test('Node: the same codes', async () => {
  const game = klaverjas()
  const wrong = bad(step === 1 ? 1000 : 300)
  let refused = 0
  for (const request of wrong) {
    const [theirs, ours] = [codes(await server.ask(request)), codes(await game.local.request(request))]
    assert.equal(ours, theirs, `${request.method} ${request.path} ${request.body}`)
    if (!/^2/.test(theirs)) refused++
  }
  assert.ok(refused > wrong.length / 2, `only ${refused} of ${wrong.length} are wrong`)
  game.close()
})

const hard = readFileSync(new URL('../../../testdata/vectors/hard-deals.jsonl', import.meta.url), 'utf8').split('\n')
// Seconds of searches: what each card of a hand cost on what its player could know.
async function long() {
  const { body } = await reviewed({ body: hard[0] })
  return { method: 'POST', path: '/v1/klaverjas/review', body: JSON.parse(body) }
}
const legal = { method: 'POST', path: '/v1/klaverjas/legal-moves', body: JSON.parse(hard[0]) }

// There is one searcher. What waits for it is answered only after the search before it has ended.
test('a search stops', async () => {
  const review = await long()
  const worker = new Worker(folder + '/worker-node.js')
  const order = []
  const all = new Promise((done) =>
    worker.on('message', (m) => {
      if (m.id === 1 && m.progress && !order.includes('progress')) {
        order.push('progress')
        worker.postMessage({ id: 2, ...legal })
        worker.postMessage({ id: 1, cancel: true })
        worker.postMessage({
          id: 3,
          method: 'POST',
          path: '/v1/klaverjas/solve',
          body: { ...JSON.parse(hard[0]), goal: 'win' },
        })
      }
      if (m.cancelled) order.push(`cancelled ${m.id}`)
      if (m.status) order.push(`${m.status} ${m.id}`)
      if (m.id === 3) done()
    }),
  )
  worker.postMessage({ id: 1, ...review, progress: true })
  await all
  await worker.terminate()
  assert.deepEqual(order, ['progress', '200 2', 'cancelled 1', '200 3'])
})

// The second program is large: a page that only solves never loads it. From the first request that needs it on it answers everything.
test('the second program is loaded when it is first needed', async () => {
  const worker = new Worker(folder + '/worker-node.js')
  let begun = 0
  const answers = new Map()
  worker.on('message', (m) => {
    if (m.ready) begun++
    if (m.id) answers.get(m.id)?.(m)
  })
  let last = 0
  const ask = (request) =>
    new Promise((done) => {
      answers.set(++last, done)
      worker.postMessage({ id: last, ...request })
    })
  assert.equal((await ask({ ...legal })).status, 200)
  assert.equal((await ask({ ...legal, path: '/v1/klaverjas/solve', body: '{"trump": "X"}' })).status, 400)
  assert.equal(begun, 1)
  const more = ofModels()
  const id = last + 1
  const stopped = ask(more[0]) // it ends while its program is loaded
  worker.postMessage({ id, cancel: true })
  assert.ok((await stopped).cancelled)
  const both = await Promise.all([ask(more[0]), ask({ ...legal }), ask(more[3])])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(begun, 2)
  await ask({ ...legal })
  assert.ok((await ask({ memory: true })).memory > 0)
  await worker.terminate()
})

test('an aborted call fails with its reason', async () => {
  const game = klaverjas()
  const ends = new AbortController()
  const { body } = await long()
  await assert.rejects(
    game.review(body, { signal: ends.signal, onProgress: () => ends.abort() }),
    (error) => error === ends.signal.reason,
  )
  assert.equal((await game.legalMoves(legal.body)).turn, JSON.parse(hard[0]).leader)
  game.close()
})

// Phones end pages that have more.
test('the memory after many searches', async (t) => {
  const worker = new Worker(folder + '/worker-node.js')
  const solves = requests.filter(({ path }) => path.endsWith('/solve'))
  const many = step === 1 ? 1000 : 100
  const memory = (after) =>
    new Promise((done) => {
      worker.on('message', (m) => m.id === many + after && m.memory && done(m.memory))
      worker.postMessage({ id: many + after, memory: true })
    })
  const answered = (from) =>
    new Promise((done) => {
      let left = many
      const count = (m) => m.status && --left === 0 && (worker.off('message', count), done())
      worker.on('message', count)
      for (let i = 0; i < many; i++) worker.postMessage({ id: from + i, ...solves[i % solves.length] })
    })
  await answered(0)
  const first = await memory(1)
  await answered(0)
  const second = await memory(2)
  await worker.terminate()
  t.diagnostic(
    `${(first / 2 ** 20).toFixed(1)} MB after ${many} solves, ${(second / 2 ** 20).toFixed(1)} MB after as many more`,
  )
  assert.ok(second <= 64 * 2 ** 20, `${second} bytes`)
})

test('a problem has its code', async () => {
  const game = klaverjas()
  await assert.rejects(game.solve({ trump: 'X' }), (error) => error.name === 'ProblemDocument' && error.status === 400)
  game.close()
})

test('a whole hand against the computer, whose cards are not shown', async () => {
  const game = klaverjas()
  let session = await game
    .createSession({ seed: '1', players: { partner: 'rules', opponents: 'rules' } })
    .catch(() => game.createSession({ seed: '1' }))
  for (let turns = 0; session.state === 'playing' && turns < 8; turns++) {
    assert.ok(!('hands' in session.view))
    session = await game.sessionPlay(session.id, { card: session.legal[0], acts: session.acts })
  }
  assert.notEqual(session.state, 'playing')
  game.close()
})

const limits = JSON.parse(readFileSync(new URL('../limits.json', import.meta.url), 'utf8'))

// Brotli takes half a minute: without STEP=1 the size before it says enough.
test('no program is larger than it was', (t) => {
  for (const [name, limit] of Object.entries(limits)) {
    const file = readFileSync(folder + '/' + name)
    assert.ok(file.length <= limit.bytes, `${name}: ${file.length} bytes, and the limit is ${limit.bytes}`)
    if (step > 1) continue
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
    const size = brotliCompressSync(file, { params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 } }).length
    t.diagnostic(`${name}: ${file.length} bytes, ${size} with Brotli`)
    assert.ok(size <= limit.brotli, `${name}: ${size} bytes with Brotli, and the limit is ${limit.brotli}`)
  }
})

for (const name of names)
  test(`${name}: the same answers`, async (t) => {
    const first = { ...legal, body: JSON.stringify(legal.body) }
    const whole = requests.find(({ path, body }) => path.endsWith('/analyse') && JSON.parse(body).played.length > 20)
    const review = await reviewed(whole)
    const got = await inBrowser(name, folder, { requests, first, review }, 600_000)
    assert.equal(got.error, undefined)
    const ratio = compare(name, got.answers)
    const ms = (x) => `${x.toFixed(0)} ms`
    const half = got.reviews.sort((a, b) => a - b)[2]
    t.diagnostic(
      `searches ${ratio.toFixed(2)} times as long as native, first answer ${ms(got.cold)} cold and ${ms(got.warm)} cached, ` +
        `an open hand analysed in ${ms(half)}`,
    )
  })

/** The request for what every card of a whole hand cost: the position played to its end on a best line. */
async function reviewed({ body }) {
  const position = JSON.parse(body)
  const dealt = { ...position, played: [] }
  const solution = await server.ask({
    method: 'POST',
    path: '/v1/klaverjas/solve',
    body: JSON.stringify({ ...dealt, goal: 'value' }),
  })
  return {
    method: 'POST',
    path: '/v1/klaverjas/analyse',
    body: JSON.stringify({ ...dealt, played: JSON.parse(solution.body).line }),
  }
}
