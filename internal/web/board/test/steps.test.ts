// Going over the costly cards of a review.

import assert from 'node:assert/strict'
import test from 'node:test'
import { otherOf } from '../src/shared/steps'

test('the next card of a list is found from everywhere', () => {
  const list = [{ number: 3 }, { number: 9 }, { number: 30 }]
  const next = (cursor: number) => otherOf(list, 1, cursor)?.number
  const before = (cursor: number) => otherOf(list, -1, cursor)?.number
  assert.deepEqual([next(0), next(2), next(8), next(29), next(32)], [3, 9, 30, 3, 3])
  assert.deepEqual([before(32), before(29), before(8), before(2), before(0)], [30, 9, 3, 30, 30])
  assert.equal(otherOf([], 1, 32), undefined)
  assert.equal(otherOf([{ number: 3 }], 1, 2), undefined, 'it is the only one')
})
