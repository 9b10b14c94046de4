// A sentence about an act stands as long as the state does of which it speaks.

import assert from 'node:assert/strict'
import test from 'node:test'
import { type Told, gameState, told } from '../src/shared/told'

test('a sentence vanishes when its state changes', () => {
  const refused = { text: 'is back in your hand' }
  const next = { text: 'North plays' }
  const at = (acts: number, number = 1) => gameState({ id: 'g', number, acts })
  let last: Told<object> | null = null
  const shown = (said: object, about: string) => {
    last = told(last, said, about)
    return last.about === about
  }
  assert.equal(shown(refused, at(3)), true)
  assert.equal(shown(refused, at(3)), true)
  assert.equal(shown(refused, at(4)), false, 'the card was played after all')
  assert.equal(shown(next, at(4)), true, 'what is said with the new state is about it')
  assert.equal(shown(next, at(4, 2)), false, 'another hand')
  assert.equal(shown(next, gameState(null)), false, 'the game has ended')
})
