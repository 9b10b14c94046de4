// The address of the page of puzzles, and what the browser keeps of the answers.

import assert from 'node:assert/strict'
import test from 'node:test'
import { first, rated } from '../src/puzzles/glicko'
import { type Kept, answered, nextOf, readKept, saw } from '../src/puzzles/kept'
import { type Tries, progressOf } from '../src/puzzles/solving'
import { type Where, addressOf, queryOf, readWhere } from '../src/puzzles/where'

const nowhere: Where = { cards: '', level: '', theme: '', id: '', date: '' }

test('an address is read as it was written', () => {
  for (const where of [
    nowhere,
    { ...nowhere, cards: 'hidden', level: 'strong', theme: 'last_trick', id: '24kftt' },
    { ...nowhere, date: '2026-12-05' },
  ] as Where[])
    assert.deepEqual(readWhere(addressOf(where)), where)
  assert.equal(addressOf(nowhere), '#v=1')
})

test('what an address does not know is left out', () => {
  assert.deepEqual(readWhere('#v=1&c=closed&l=easy&t=&p=../x&d=today'), nowhere)
  assert.deepEqual(readWhere('#p=24kftt&d=2026-12-05'), { ...nowhere, id: '24kftt' })
})

test('the filters are a query', () => {
  assert.equal(queryOf({ ...nowhere, cards: 'open', theme: 'nat', id: '24kftt' }), '&cards=open&theme=nat')
})

const unanswered: Kept = { ...first, right: [], wrong: [], second: 0, streak: 0, best: 0, seen: [] }
const even = (id: string) => ({ id, rating: 1500 })

test('the first answer to a puzzle counts, and one at the second try counts one half', () => {
  let kept = answered(answered(unanswered, even('a'), 1), even('b'), 1)
  assert.deepEqual([kept.right, kept.second, kept.streak, kept.best], [['a', 'b'], 0, 2, 2])
  assert.ok(kept.rating > 1600 && kept.deviation < 200, `${kept.rating} ± ${kept.deviation}`)
  const half = answered(unanswered, even('c'), 0.5)
  assert.deepEqual([half.rating, half.right, half.second, half.streak], [1500, ['c'], 1, 0])
  kept = answered(kept, even('c'), 0)
  assert.deepEqual([kept.wrong, kept.streak, kept.best], [['c'], 0, 2])
  assert.equal(answered(kept, even('c'), 1), kept)
})

// The example of Glickman's paper.
test('a rating after three games is that of the paper', () => {
  const { rating, deviation } = rated({ rating: 1500, deviation: 200 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ])
  assert.equal(Math.round(rating), 1464)
  assert.equal(deviation.toFixed(1), '151.4')
})

test('a rating can always change', () => {
  let own = first
  for (let i = 0; i < 500; i++) own = rated(own, [{ rating: own.rating, deviation: 80, score: 0.5 }])
  assert.deepEqual(own, { rating: 1500, deviation: 45 })
})

test('a puzzle comes again when all were seen, the one seen first', () => {
  const wanted = ['a', 'b', 'c']
  assert.equal(nextOf(wanted, ['a'], 'a'), 'b')
  assert.equal(nextOf(wanted, ['b', 'a'], 'a'), 'c')
  assert.equal(nextOf(wanted, ['c', 'x', 'b', 'a'], 'a'), 'c')
  assert.equal(nextOf(wanted, ['a', 'b', 'c'], 'a'), 'b')
  assert.equal(nextOf(['a'], ['a'], 'a'), undefined)
  assert.deepEqual(saw({ ...unanswered, seen: ['a', 'b'] }, 'a').seen, ['b', 'a'])
})

test('what was kept before there was a rating is read', () => {
  const stored = new Map([['roem.puzzles', '{"right":["a"],"wrong":["b"],"streak":1,"best":4}']])
  Object.assign(globalThis, { localStorage: { getItem: (name: string) => stored.get(name) ?? null } })
  assert.deepEqual(readKept(), { ...unanswered, right: ['a'], wrong: ['b'], streak: 1, best: 4, seen: ['a', 'b'] })
})

const tries = (over: boolean, ...tried: [decision: number, holds: boolean][]): Tries => ({
  ...{ id: '3xkjta', decisions: 3, over, played: [], legal: [], version: '' },
  tried: tried.map(([decision, holds]) => ({ card: 'AS', decision, holds })),
})

test('a puzzle is over after its last card, or after two tries at one', () => {
  for (const [of, helped, want] of [
    [undefined, false, [0, false, false, 1]],
    [tries(false, [1, false]), false, [0, true, false, 0.5]],
    [tries(false, [1, false], [1, true]), false, [1, false, false, 0.5]],
    [tries(false, [1, true], [2, false], [2, false]), false, [1, true, true, 0]],
    [tries(true, [1, true], [2, true], [3, true]), false, [2, false, true, 1]],
    [tries(true, [1, true], [2, true], [3, true]), true, [2, false, true, 0.5]],
  ] as const) {
    const { at, missed, over, score } = progressOf(of, helped, false)
    assert.deepEqual([at, missed, over, score], want)
  }
  assert.deepEqual(progressOf(tries(false, [1, true]), false, true), { at: 1, missed: false, over: true, score: 0 })
})
