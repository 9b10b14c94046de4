// Texts with their variables.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from '../src/shared/words'

test('a text has a form for one and a form for any other number', () => {
  const text = 'Nog {n|1 kaart|# kaarten} voor {who}.'
  assert.equal(fill(text, { n: 1, who: 'Noord' }), 'Nog 1 kaart voor Noord.')
  assert.equal(fill(text, { n: '2', who: 'Noord' }), 'Nog 2 kaarten voor Noord.')
  assert.equal(fill(text, { n: 0 }), 'Nog 0 kaarten voor .')
  assert.equal(fill('{n} van {of}', { n: 1, of: 2 }), '1 van 2')
})
