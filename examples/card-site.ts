// A card site: a hand against the program with hints, its review, and the values of 200 deals as a job.
import type { components } from '../internal/web/board/src/contract'

type Schemas = components['schemas']
type Job = Schemas['Job']
const server = process.env['ROEM'] ?? 'http://localhost:8080'

/** Sends a GET, or a POST of a body, and returns the answer. */
async function call<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const headers = { 'Content-Type': 'application/json', Prefer: 'wait=20' }
  const response = await fetch(server + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = response.status === 204 ? {} : await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.detail), answer as Schemas['Problem'])
  return answer
}

/** Asks a question. An operation that takes longer than the client waits answers with a job, whose result is the answer. */
async function ask<T extends object>(path: string, body: object): Promise<T> {
  const answer = await call<T | Job>(path, body)
  return 'kind' in answer ? (await finished<{ result: T }>(answer)).result : answer
}

async function finished<J>(job: Job): Promise<J> {
  while (job.status === 'queued' || job.status === 'running') job = await call<Job>(job.links.self)
  return job as J
}

/** The events of a job, until it has ended. */
async function* events(job: Job): AsyncGenerator<Job> {
  const stream = await fetch(server + job.links.events)
  let text = ''
  for await (const bytes of stream.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (text + new TextDecoder().decode(bytes)).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
  }
}

const game = { trump: 'H', leader: 'W', seed: '7', players: { partner: 'simple', opponents: 'simple' } }
let hand = await call<Schemas['KlaverjasSession']>('/v1/klaverjas/sessions', game)
while (hand.state === 'playing') {
  const hint = await ask<Schemas['KlaverjasAdvice']>('/v1/klaverjas/advise', { ...hand.view, worlds: 20, seed: '1' })
  hand = await call(hand.links.self + '/play', { acts: hand.acts, card: hint.card })
}
console.log(`Trump hearts, ${hand.seat} and partner: ${hand.totals.NS} points.`)

const review = await ask<Schemas['KlaverjasReview']>('/v1/klaverjas/review', { ...hand.revealed, worlds: 40 })
for (const card of review.cards) console.log(`${card.card}: ${card.verdict}`)

const seeds = Array.from({ length: 200 }, (_, n) => '/v1/klaverjas/deals/random?seed=' + n)
const deals = await Promise.all(seeds.map((path) => call<Schemas['KlaverjasNumberedDeal']>(path)))
const request = { positions: deals.map((deal) => deal.position) }
const job = await call<Job>('/v1/jobs', { kind: 'klaverjas.solve_batch', request })
for await (const { progress } of events(job)) if (progress) console.log(`${progress.done} of ${progress.of} deals`)
const solved = (await finished<Schemas['KlaverjasSolveBatchJob']>(job)).result?.results ?? []
console.log(`The leader wins ${solved.filter((deal) => deal.ok && deal.won).length} of 200 deals.`)

const other = await call<Job>('/v1/jobs', { kind: 'klaverjas.match', request: { a: 'pimc', b: 'simple', deals: 1000 } })
await call(other.links.self, undefined, 'DELETE')
console.log(`The match is ${(await finished<Job>(other)).status}.`)
