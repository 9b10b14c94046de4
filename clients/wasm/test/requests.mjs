// The requests that are sent to the package and to a real server.

import { readFileSync } from 'node:fs'

const vectors = new URL('../../../testdata/vectors/', import.meta.url)
const lines = (name) =>
  readFileSync(new URL(name + '.jsonl', vectors), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const post = (name, body) => ({ method: 'POST', path: '/v1/klaverjas/' + name, body: JSON.stringify(body) })
const get = (name) => ({ method: 'GET', path: '/v1/klaverjas/' + name })

/** Every `step`th line of the vectors, as requests of every operation that they fit. */
export function ofVectors(step = 1) {
  const some = (name, at = 0) => lines(name).filter((_, i) => i % step === at % step)
  const out = []
  for (const name of [
    'rotterdam-deals',
    'amsterdam-deals',
    'rotterdam-positions',
    'amsterdam-positions',
    'variants-positions',
  ])
    for (const { position } of some(name)) {
      out.push(
        post('legal-moves', position),
        post('solve', { ...position, goal: 'win' }),
        post('solve', { ...position, goal: 'value' }),
      )
      const left = 32 - (position.played?.length ?? 0)
      if (left < 32) out.push(post('solve', { ...position, goal: 'moves' }), post('analyse', position))
      else out.push(post('deals/index', position))
    }
  for (const { position } of some('rotterdam-classes')) out.push(post('deals/index', position))
  for (const deal of some('hard-deals')) out.push(post('solve', { ...deal, goal: 'win' }))
  for (const { view } of some('knowledge')) {
    out.push(post('knowledge', view), post('worlds', { ...view, count: 3, seed: '1' }))
    if (view.played?.length >= 16) out.push(post('advise', { ...view, method: 'search', worlds: 4, seed: '5' }))
  }
  return out
}

/** Requests that need a model: the second program answers them. */
export function ofModels() {
  const { position } = lines('rotterdam-deals')[0]
  const { hands, ...dealt } = position
  const view = { ...dealt, seat: dealt.leader, hand: hands[dealt.leader] }
  const hand = ['JS', '9S', 'AS', '10S', 'AH', '10H', 'AC', 'AD']
  return [
    post('predict', position),
    post('hybrid', { ...position, route: 'doubt', min_confidence: 0.5 }),
    post('hand-strength', { hand, seat: 'N', leader: 'N', trump: 'S', method: 'network', seed: '1' }),
    post('bid', { flow: 'free', dealer: 'W', hand, seed: '1' }),
    post('advise', { ...view, method: 'playout', worlds: 20, seed: '5' }),
    post('advise', { ...view, method: 'belief', worlds: 4, seed: '5' }),
    post('knowledge', { ...view, level: 'belief' }),
    post('worlds', { ...view, method: 'belief', seed: '5' }),
    post('play', { count: 1, seed: '3' }),
  ]
}

/** Requests of the other operations. */
export function ofOthers() {
  const { position } = lines('rotterdam-deals')[0]
  const { trump, declarer, ...dealt } = position
  const { view } = lines('knowledge')[0]
  return [
    post('features', { positions: [position] }),
    post('solve/batch', { positions: [position, { ...position, trump: 'X' }] }),
    post('table', dealt),
    post('knowledge/check', { ...view, formula: 'K[N] holds(N, AS)' }),
    post('knowledge/card', { ...view, card: 'AS' }),
    get('deals/random?seed=7'),
    get('deals/7?trump=H&leader=N'),
    get('classes/17?seed=1'),
    get('puzzles?limit=3'),
    get('picture?v=1&t=H&l=N'),
    get('model'),
  ]
}

/** Numbers that look random, the same in every run. */
export function dice(seed) {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const wrong = [
  null,
  0,
  -1,
  1.5,
  1e30,
  '',
  'X',
  'AS',
  '10X',
  'ah',
  true,
  [],
  {},
  ['AS'],
  ['AS', 'AS'],
  { N: 1 },
  'N',
  'NS',
  '\ud800',
]

/** Requests of which most are wrong somewhere: valid ones with changes. */
export function bad(n) {
  const roll = dice(45)
  const valid = [
    ...ofVectors(40).filter(({ path }) => !/solve|analyse|advise/.test(path)),
    ...ofVectors(40).filter(({ body }) => JSON.parse(body).played?.length >= 20),
    ...ofOthers().filter(({ path, method }) => method === 'POST' && !/table|batch/.test(path)),
    post('bid', { flow: 'free', dealer: 'W', hand: ['AS'] }),
    post('review', { ...lines('rotterdam-positions')[0].position, worlds: 5 }),
    post('sessions', { target: 100, seed: '1' }),
  ]
  const out = []
  for (let i = 0; i < n; i++) {
    const from = valid[roll(valid.length)]
    const body = JSON.parse(from.body)
    let text
    const names = Object.keys(body)
    const name = names[roll(names.length)]
    switch (roll(8)) {
      case 0:
        delete body[name]
        break
      case 1:
      case 2:
        body[name] = wrong[roll(wrong.length)]
        break
      case 3:
        body[['extra', name + 's', name.slice(1), name.toUpperCase()][roll(4)]] = wrong[roll(wrong.length)]
        break
      case 4: {
        const lists = names.filter((one) => Array.isArray(body[one]) && body[one].length > 0)
        const list = lists.length ? body[lists[roll(lists.length)]] : undefined
        if (list) list[roll(list.length)] = wrong[roll(wrong.length)]
        else if (body.hands) body.hands[['N', 'E', 'S', 'W'][roll(4)]] = wrong[roll(wrong.length)]
        else body[name] = [body[name]]
        break
      }
      case 5: {
        text = JSON.stringify(body)
        const at = roll(text.length)
        text = [text.slice(0, at), text.slice(0, at) + '}' + text.slice(at), text.slice(0, at) + text.slice(at + 1)][
          roll(3)
        ]
        break
      }
      case 6:
        text = JSON.stringify(body).replace('{', `{"${name}":${JSON.stringify(wrong[roll(wrong.length)])},`)
        break
      default: {
        const hand = body.hands?.[['N', 'E', 'S', 'W'][roll(4)]] ?? body.hand
        if (hand?.length) hand[roll(hand.length)] = ['AS', '7D', '10H', 'JC'][roll(4)]
        else body.seat = 'Q'
      }
    }
    out.push({ ...from, body: text ?? JSON.stringify(body) })
  }
  out.push(
    get('deals/random?sead=1'),
    get('deals/x'),
    get('puzzles/none'),
    get('deals/random?seed=1&seed=2'),
    get('nothing'),
  )
  out.push(get('solve'), get('sessions/none'), { method: 'DELETE', path: '/v1/klaverjas/sessions/none' })
  return out
}

/**
 * The part of an answer that does not depend on the machine or the program that gives it. Sums of probabilities differ in the last digits: a
 * processor adds several numbers at once, and WebAssembly one after the other.
 */
export function comparable({ status, body }) {
  if (!body.startsWith('{')) return { status, body }
  const walk = (value) => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(12))
    if (value === null || typeof value !== 'object') return value
    const out = {}
    for (const [name, one] of Object.entries(value))
      if (!['elapsed_us', 'version', 'request_id', 'source', 'ms', 'ms_p90'].includes(name)) out[name] = walk(one)
    return out
  }
  return { status, body: walk(JSON.parse(body)) }
}

/** The codes of a problem. */
export function codes({ status, body }) {
  if (status < 400) return `${status}`
  const { code, errors = [] } = JSON.parse(body)
  return [status, code, ...errors.map((e) => `${e.pointer ?? e.parameter ?? ''}:${e.code}`)].join(' ')
}
