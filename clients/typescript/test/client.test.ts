import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import * as roem from '../src/index.js'
import { Stage } from './stage.js'

const hands: roem.KlaverjasSolveRequest['hands'] = {
  N: ['9C', '10C', '7D', '7H', '9H', '10H', '10S', 'AS'],
  E: ['8C', 'QC', 'KC', 'JD', 'KD', '8H', 'QH', 'AH'],
  S: ['7C', 'JC', 'AC', 'JH', 'KH', '7S', '9S', 'KS'],
  W: ['8D', '9D', '10D', 'QD', 'AD', '8S', 'JS', 'QS'],
}
const position = { trump: 'S', leader: 'S', hands } as const

let stage: Stage
let client: roem.Roem
const pauses: number[] = [] // the waits of hasty, in milliseconds

/** A client that does not really wait between attempts. */
const hasty = (settings: roem.Settings = {}) =>
  new roem.Roem(stage.url, { key: stage.key, pause: async (ms) => void pauses.push(ms), ...settings })

before(async () => {
  stage = await Stage.start()
  client = new roem.Roem(stage.url, { key: stage.key })
})
after(() => stage.end())
beforeEach(async () => {
  pauses.length = 0
  await stage.tell('/cut?every=0')
  await stage.tell('/refuse?times=0')
})

test('an answer is the same at once and as a job', async () => {
  const solution = await client.solve(position)
  assert.equal(solution.exact, true)
  const job = await client.start('klaverjas.solve', position)
  const result = await job.wait()
  assert.deepEqual([result.outcome, result.line], [solution.outcome, solution.line])
  const found = await client.job<'klaverjas.solve'>(job.id)
  assert.deepEqual((await found.wait()).line, solution.line)
  const match = await client.klaverjas.match({ a: 'simple', b: 'random', deals: 2, seed: '1' })
  assert.equal(match.deals, 2)
})

test('an error says what, where, what was expected, and which request', async () => {
  const twice: typeof hands = { ...hands, N: ['9C', '10C', '7D', '7H', '9H', '10H', '10S', 'KS'] }
  await assert.rejects(client.solve({ ...position, hands: twice }), (error) => {
    assert(error instanceof roem.ProblemDocument)
    assert.deepEqual([error.status, error.type], [422, '/docs/errors#impossible'])
    assert.deepEqual([error.code, error.pointer], ['card_twice', '/hands/S/7'])
    assert.match(error.requestId ?? '', /^\w+$/)
    return true
  })
  // @ts-expect-error there is no such suit
  await assert.rejects(client.solve({ ...position, trump: 'X' }), (error) => {
    assert(error instanceof roem.ProblemDocument)
    assert.deepEqual(
      [error.code, error.pointer, error.expected],
      ['not_a_suit', '/trump', { one_of: ['C', 'D', 'H', 'S'] }],
    )
    return true
  })
  await assert.rejects(client.job('nosuchjob'), { status: 404, type: '/docs/errors#no-such-job' })
})

for (const status of [429, 503])
  test(`an answer of ${status} is asked again when the server says`, async () => {
    await stage.tell(`/refuse?status=${status}&times=5&after=2`)
    const { requests } = await stage.counts()
    assert.equal((await hasty().solve(position)).exact, true)
    assert.equal((await stage.counts()).requests - requests, 6)
    assert.equal(pauses.length, 5)
    for (const ms of pauses) assert(ms >= 2000 && ms <= 6000, `${ms} ms for Retry-After: 2`)
  })

test('without Retry-After the waits grow, and end with the patience', async () => {
  await stage.tell('/refuse?status=503&times=1000')
  await assert.rejects(hasty({ patience: 20_000 }).solve(position), { status: 503 })
  for (const [i, ms] of pauses.entries()) {
    const most = Math.min(8000, 250 * 2 ** i)
    assert(ms >= most / 2 && ms <= most, `wait ${i} is ${ms} ms`)
  }
  const sum = pauses.reduce((a, b) => a + b, 0)
  assert(sum > 10_000 && sum <= 20_000, `${sum} ms`)
})

test('a wrong address is said soon, and with its URL', async () => {
  const { closed, strangers, url } = stage
  for (const [address, error, said] of [
    [closed, roem.ConnectionError, 'Nothing listens there. Is the server running?'],
    ['http://no-such-host.invalid:8080', roem.ConnectionError, 'The host is not found'],
    [url.replace('http', 'https'), roem.ConnectionError, 'does not speak TLS'],
    [strangers + '/html', roem.ConnectionError, 'not Roem. Its answer is text/html'],
    [strangers + '/missing', roem.ProblemDocument, '404 Not Found. It does not come from Roem'],
    [strangers + '/moved', roem.ProblemDocument, '301 Moved Permanently, to https://elsewhere.invalid/'],
    [strangers + '/plain', roem.ProblemDocument, '400 Bad Request: Client sent an HTTP request to an HTTPS server'],
  ] as const) {
    pauses.length = 0
    const wrong = new roem.Roem(address, { pause: async (ms) => void pauses.push(ms) })
    await assert.rejects(wrong.solve(position), (thrown) => {
      assert(thrown instanceof error, String(thrown))
      assert(thrown.message.includes(said) && thrown.message.includes(address + '/v1/klaverjas/solve'), thrown.message)
      return true
    })
    const waited = pauses.reduce((a, b) => a + b, 0)
    assert(waited <= 2000, `${address}: ${waited} ms`)
  }
  for (const address of ['localhost:8080', 'http://', 'http://localhost:80a'])
    assert.throws(() => new roem.Roem(address), RangeError)
})

test('a server that has answered is waited for', async () => {
  let gone = false
  const reach: typeof fetch = (url, init) => fetch(gone ? stage.closed : (url as string), init)
  const waiting = hasty({ fetch: reach })
  await waiting.version()
  gone = true
  await assert.rejects(waiting.version(), roem.ConnectionError)
  const waited = pauses.reduce((a, b) => a + b, 0)
  assert(waited > 50_000 && waited <= 60_000, `${waited} ms`)
})

test('a refusal of the request is not tried again', async () => {
  const direct = new roem.Roem(stage.direct, { key: stage.key, pause: async (ms) => void pauses.push(ms) })
  const wrong = 1 as unknown as string
  for (const [text, status] of [
    ['x'.repeat(40_000_000), 413],
    [wrong, 400],
  ] as const)
    await assert.rejects(direct.records.convert({ text }), (thrown) => {
      assert(thrown instanceof roem.ProblemDocument, String(thrown))
      assert.equal(thrown.status, status)
      assert(thrown.message.includes(stage.direct + '/v1/records/convert'), thrown.message)
      return true
    })
  assert.deepEqual(pauses, [])
})

test('every operation of the contract has a method', async () => {
  interface Operation {
    responses: Record<string, { content?: object }>
    'x-not-in-clients'?: string
  }
  const contract = JSON.parse(await readFile('api/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const expected = new Set<string>()
  for (const [path, item] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(item))
      for (const form of Object.keys(operation.responses['200']?.content ?? { 'application/json': {} }))
        if (!operation['x-not-in-clients'])
          expected.add(`${form} ${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`)

  const asked = new Set<string>()
  const answer = async (url: unknown, init?: RequestInit) => {
    const { Accept: form = 'application/json' } = init!.headers as Record<string, string>
    const { pathname } = new URL(url as string)
    const events = form === 'text/event-stream' || pathname.endsWith('/events')
    asked.add(`${events ? 'text/event-stream' : form} ${init!.method} ${pathname}`)
    return events
      ? new Response(null, { status: 204 })
      : Response.json({ jobs: [{ id: 'x', status: 'queued' }], id: 'x' })
  }
  const all = new roem.Roem('http://localhost', { fetch: answer as typeof fetch })
  for (const game of [all.belote, all.ginRummy, all.klaverjas, all.records, all.tarok]) {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(game)).filter((name) => name !== 'constructor')
    for (const name of methods) {
      const method = (game as unknown as Record<string, (...given: string[]) => unknown>)[name]!
      const answered = method.call(game, 'x', 'x')
      if (Symbol.asyncIterator in (answered as object))
        for await (const _ of answered as AsyncIterable<unknown>) assert.fail('an answer of nothing')
      else await answered
    }
  }
  const job = await all.start('klaverjas.solve', position)
  await all.job('x')
  for await (const listed of all.jobs()) assert.equal(listed.id, 'x')
  await Promise.all([all.version(), job.token()])
  for await (const _ of job.events()) assert.fail('an event of nothing')
  await job.cancel()
  assert.deepEqual([...asked].sort(), [...expected].sort())
})

test('jobs are listed', async () => {
  const one = (seed: number) =>
    client.start('klaverjas.match', { a: 'simple', b: 'random', deals: 1, seed: String(100 + seed) })
  const ids: string[] = []
  for (let n = 0; n < 21; n++) ids.unshift((await one(n)).id)
  const list = async (which?: Parameters<roem.Roem['jobs']>[0]) => {
    const listed: string[] = []
    for await (const { id } of client.jobs(which)) listed.push(id)
    return listed
  }
  assert.deepEqual(
    (await list()).filter((id) => ids.includes(id)),
    ids,
  )
  assert.deepEqual((await list({ ids: [ids[3]!, ids[7]!] })).sort(), [ids[3]!, ids[7]!].sort())
  assert.deepEqual(await list({ ids: [ids[3]!], status: 'cancelled' }), [])
  for (const id of ids) await (await client.job(id)).wait()
})

test('advice comes as a stream', async () => {
  const played = ['KH', '8S', '7H', '8H', 'JS', '10S', 'KD', '7S', 'QS', 'AS', 'JD', '9S'] as roem.Card[]
  const view = { trump: 'S', leader: 'S', seat: 'S', hand: hands.S!, played, worlds: 400, seed: '1' } as const
  const used: number[] = []
  for await (const advice of client.klaverjas.adviseStream(view)) used.push(advice.worlds!.used)
  assert.equal(used[0], 100)
  assert.deepEqual(
    used,
    [...new Set(used)].sort((a, b) => a - b),
  )
  for await (const _ of client.klaverjas.adviseStream(view)) break // a loop can end when the answer is good enough
  const all = async (with_: roem.Roem, trump = 'S') => {
    for await (const _ of with_.klaverjas.adviseStream({ ...view, trump } as roem.KlaverjasAdviseRequest)) continue
  }
  await assert.rejects(all(client, 'X'), roem.ProblemDocument)
  await stage.tell('/cut?every=1')
  await assert.rejects(all(hasty()), /broken before its end/)
})

test('what creates a session is read as getSession too', async () => {
  const { id } = await client.klaverjas.createSession({})
  assert.deepEqual(await client.klaverjas.getSession(id), await client.klaverjas.session(id))
  await client.klaverjas.endSession(id)
})

test('a call ends with its signal, and after its timeout', async () => {
  const nap = { a: 'pimc:100', b: 'pimc:100', deals: 200, seed: '1' } as const
  const job = await client.start('klaverjas.match', nap)
  await assert.rejects(job.wait({ timeout: 50 }), { name: 'TimeoutError' })
  const ends = new AbortController()
  await assert.rejects(
    async () => {
      for await (const _ of job.events({ signal: ends.signal })) ends.abort()
    },
    { name: 'AbortError' },
  )
  await job.cancel()
  assert.equal(job.state.status, 'cancelled')
  await assert.rejects(job.wait(), roem.JobCancelled)
})

const positions = async (with_: roem.Roem, n: number, trump = 'H') => {
  const seeds = Array.from({ length: n }, (_, seed) => roem.index(seed))
  const deals = await Promise.all(seeds.map((seed) => with_.klaverjas.randomDeal({ seed, trump, leader: 'N' })))
  return deals.map((deal) => deal.position)
}

const outcomes = async (job: roem.Job<roem.KlaverjasSolveBatch>) =>
  (await job.wait()).results.map((result) => (result.ok ? result.outcome : result.error.detail))

for (const [status, n] of [
  [429, 20],
  [503, 21],
] as const)
  test(`${status} for ten seconds: the same results, and one job`, async () => {
    const asked = await positions(client, n)
    const expected = await Promise.all(asked.map(async (one) => (await client.solve(one)).outcome))
    const { jobs } = await stage.counts()
    let waited = 0
    const pause = async (ms: number) => {
      waited += ms
      if (waited >= 10_000) await stage.tell('/refuse?times=0')
    }
    await stage.tell(`/refuse?status=${status}&times=1000`)
    const job = await hasty({ pause, patience: 20_000 }).start('klaverjas.solve_batch', { positions: asked })
    assert.deepEqual(await outcomes(job), expected)
    assert.equal((await stage.counts()).jobs, jobs + 1)
    assert(waited >= 10_000, `${waited} ms`)
  })

test('an answer in three is cut: the same results, and nothing is done twice', async () => {
  const game = { trump: 'H', leader: 'W', seed: '7', players: { partner: 'simple', opponents: 'simple' } } as const
  const play = async (with_: roem.Roem) => {
    const answers: unknown[] = []
    let hand = await with_.klaverjas.createSession(game)
    while (hand.state === 'playing') {
      const { cards } = await with_.klaverjas.advise({ ...hand.view!, worlds: 4, seed: '1' })
      answers.push(cards)
      hand = await with_.klaverjas.sessionPlay(hand.id, { acts: hand.acts, card: cards[0]!.card })
    }
    const job = await with_.start('klaverjas.solve_batch', { positions: await positions(with_, 200) })
    let last: roem.State<unknown> | undefined
    for await (const state of job.events()) last = state
    assert.equal(last?.status, 'succeeded')
    return [...answers, await outcomes(job), hand.totals, hand.acts]
  }
  const before = await stage.counts()
  const whole = await play(client)
  const between = await stage.counts()
  await stage.tell('/cut?every=3')
  const cut = await play(hasty())
  const after = await stage.counts()
  assert.deepEqual(cut, whole)
  assert(after.cut >= 50, `${after.cut} answers were cut`)
  assert.deepEqual([between.jobs - before.jobs, after.jobs - between.jobs], [1, 1])
  assert.deepEqual([between.sessions - before.sessions, after.sessions - between.sessions], [1, 1])
})

test('an answer in three is cut: what is created and ended, is created and ended once', async () => {
  const { sessions } = await stage.counts()
  await stage.tell('/cut?every=3')
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push((await hasty().klaverjas.createSession({})).id)
  assert.equal((await stage.counts()).sessions, sessions + 6)
  for (const id of ids) await hasty().klaverjas.endSession(id)
  assert.equal((await stage.counts()).sessions, sessions)
})

/** A job that does not end while a test runs. */
const endless = { a: 'pimc:100', b: 'pimc:100', deals: 2000 } as const

test('a stream that breaks goes on after the event that came last', async (t) => {
  const job = await hasty().start('klaverjas.match', { ...endless, seed: '3' })
  t.after(() => job.cancel())
  await stage.tell('/cut?every=1')
  await stage.streams()
  const seen: string[] = []
  for await (const state of job.events()) {
    if (seen.push(state.status) === 4) {
      await stage.tell('/cut?every=0')
      await job.cancel()
    }
  }
  assert.equal(seen.at(-1), 'cancelled')
  const streams = await stage.streams()
  assert(streams.length >= 4, `${streams.length} streams`)
  const last = streams.flatMap(({ sent }) => sent.slice(-1))
  assert.deepEqual(
    streams.map(({ after }) => after),
    ['', ...last.slice(0, -1)],
  )
  assert.equal(new Set(streams.flatMap(({ sent }) => sent)).size, seen.length) // each event came once
})

test('the server is killed while a job runs, and started again: its stream goes on', async (t) => {
  const job = await client.start('klaverjas.match', { ...endless, seed: '4' })
  t.after(() => job.cancel())
  const attempts = new Set<number>()
  for await (const state of job.events()) {
    if (state.status === 'running' && !attempts.has(state.attempts)) {
      attempts.add(state.attempts)
      await (state.attempts === 1 ? stage.tell('/restart') : job.cancel())
    }
  }
  assert.deepEqual([...attempts], [1, 2])
  const found = await client.job(job.id)
  await assert.rejects(found.wait(), roem.JobCancelled)
})

test('a job that a restart has interrupted has the results that it would have had', async () => {
  const asked = await positions(client, 400, 'S') // the server knows no results
  const job = await client.start('klaverjas.solve_batch', { positions: asked })
  for await (const { status } of job.events()) if (status === 'running') break
  await stage.tell('/restart')
  const results = await outcomes(job)
  assert.deepEqual([results.length, job.state.attempts], [400, 2])
  for (const i of [0, 200, 399]) assert.equal(results[i], (await client.solve(asked[i]!)).outcome)
})

test('helpers', () => {
  assert.deepEqual(
    [roem.outcomeFor('NS', 52, 'NS'), roem.outcomeFor('E', 52, 'NS'), roem.outcomeFor('W', -200, 'EW')],
    [52, -52, -200],
  )
  assert(Object.is(roem.outcomeFor('EW', 0, 'NS'), 0))
  assert.deepEqual(
    [roem.teamOf('S'), roem.seatAfter('W'), roem.seatAfter('N', 2), roem.seatAfter('N', -1)],
    ['NS', 'N', 'S', 'W'],
  )
  assert.deepEqual(roem.seating('S', ['Ann', 'Bob', 'Cas', 'Dee']), { N: 'Cas', E: 'Dee', S: 'Ann', W: 'Bob' })
  assert.equal(roem.index(99561092450390999n), '99561092450390999')
  assert.equal(roem.index('007'), '7')
  assert.throws(() => roem.index(99561092450390999), RangeError)
  assert.throws(() => roem.index(-1), RangeError)
})

test('an index of a deal goes to the server and back without losing a digit', async () => {
  const { deal } = await client.klaverjas.dealAt(roem.index(99561092450390998n), { trump: 'H', leader: 'N' })
  assert.equal(deal.index, '99561092450390998')
})
