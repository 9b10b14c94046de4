// The address of the page of Gin Rummy, with the situations that the engine is tested with.

import assert from 'node:assert/strict'
import test from 'node:test'
import type { CardName } from '../src/gin-rummy/cards'
import { cardOf, wire } from '../src/gin-rummy/cards'
import { type Situation, fitting } from '../src/gin-rummy/state'
import { fragment, readFragment } from '../src/gin-rummy/url'
import { at, vectors } from './vectors'

const file = 'gin-rummy/views.jsonl'

test('an address is read as it was written', () => {
  const all = vectors<Situation>(file)
  assert.ok(all.length >= 200)
  all.forEach(({ seat, starter, upcard, hand, events }, i) => {
    const situation = { seat, starter, upcard, hand, events }
    const hash = fragment(situation)
    assert.ok(hash !== null, at(file, i))
    assert.deepEqual(readFragment(hash), situation, at(file, i))
  })
})

test('what no address can hold has none', () => {
  const good: Situation = { seat: 'A', starter: 'A', upcard: '9D', hand: ['2C'], events: [] }
  assert.equal(fragment(good), '#v=1&s=a&u=9D&h=2C&e=')
  const fixed: Situation = { ...good, hand: Array(10).fill('2C') as CardName[], lay_offs: 'challenge' }
  assert.deepEqual(readFragment(fragment(fixed)!), fixed)
  assert.equal(fragment({ ...good, upcard: '1D' as CardName }), null)
  assert.equal(fragment({ ...good, hand: ['2X' as CardName] }), null)
})

test('an address without a situation is none', () => {
  for (const hash of ['', '#', '#v=1', '#v=2&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD&e=', '#v=1&s=b&u=9D&h=2C&e=']) {
    assert.equal(readFragment(hash), null, hash)
  }
  assert.ok(readFragment('#v=1&s=b&u=9D&h=2C3C4C8CQCKHAS7SKSJD&e=bt9DbdQS'))
})

test('the cards that fit a meld', () => {
  const fits = (meld: string, hand: string) =>
    fitting(meld.split(' ').map(cardOf), hand.split(' ').map(cardOf)).map(wire).sort().join(' ')
  assert.equal(fits('JS QS KS', '10S 9S 7S AD AH'), '10S 9S')
  assert.equal(fits('10C 10H 10D', '10S 9S'), '10S')
  assert.equal(fits('2H 3H 4H', 'AH KC 5H 6H 8H 5S'), '5H 6H AH')
  assert.equal(fits('JS QS KS', 'AD 8S'), '')
})
