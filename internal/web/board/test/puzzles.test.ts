// The address of the page of puzzles, and what the browser keeps of the answers.

import assert from 'node:assert/strict'
import test from 'node:test'
import { answered } from '../src/puzzles/kept'
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

test('the first answer to a puzzle counts', () => {
  let kept = answered({ right: [], wrong: [], streak: 0, best: 0 }, 'a', true)
  kept = answered(kept, 'b', true)
  assert.deepEqual(kept, { right: ['a', 'b'], wrong: [], streak: 2, best: 2 })
  kept = answered(kept, 'c', false)
  kept = answered(kept, 'c', true)
  assert.deepEqual(kept, { right: ['a', 'b'], wrong: ['c'], streak: 0, best: 2 })
})
