// What the pages say of errors, in Dutch and English.

import assert from 'node:assert/strict'
import test from 'node:test'
import type { Problem } from '../src/shared/api'
import { problemText } from '../src/shared/problems'
import { problemText as inDutch } from '../src/shared/problems-nl'
import { type Key, words } from '../src/shared/words'
import { texts as en } from '../src/shared/words-en'
import { texts as nl } from '../src/shared/words-nl'

type Errors = NonNullable<Problem['errors']>

const dutch = words('nl', (_, key) => nl[key as Key & keyof typeof nl])
const english = words('en', (_, key) => en[key as Key & keyof typeof en])

const problem = (type: string, errors?: Errors, code = errors?.[0]?.code): Problem => ({
  code: code as Problem['code'],
  type: ('/docs/errors#' + type) as Problem['type'],
  title: 'A title',
  status: 422,
  detail: 'A sentence of the server.',
  ...(errors ? { errors } : {}),
})

const said: [Problem, string][] = [
  [
    problem('impossible', [
      {
        code: 'must_follow_suit',
        detail: 'English',
        pointer: '/played/2',
        value: '7C',
        expected: { one_of: ['9H', 'AH'] },
      },
    ]),
    'Klaverenzeven mag niet: de speler moet kleur bekennen. Speel hartennegen, hartenaas.',
  ],
  [
    problem('malformed', [{ code: 'not_a_suit', detail: 'English', value: 'X', expected: { one_of: ['C', 'S'] } }]),
    '“X” is geen kleur. Kies klaveren, schoppen.',
  ],
  [problem('malformed', [{ code: 'missing', detail: 'English', pointer: '/trump' }]), '/trump ontbreekt.'],
  [problem('malformed', [{ code: 'not_a_card', detail: 'English', value: 'ZZ' }]), '“ZZ” is geen kaart.'],
  [
    problem('malformed', [{ code: 'too_large', detail: 'English', value: '2000', expected: { most: 1000 } }]),
    '2000 is te groot: ten hoogste 1.000.',
  ],
  [
    problem('impossible', [
      { code: 'card_twice', detail: 'English', pointer: '/hands/S/3', value: '10H' },
      { code: 'wrong_count', detail: 'English', pointer: '/hands/N', value: '7', expected: { most: 8 } },
    ]),
    'Hartentien staat er twee keer. /hands/N: Het aantal klopt niet: het zijn er 7, en het moeten er 8 zijn.',
  ],
  [problem('session-conflict', undefined, 'session_over'), 'Het potje is afgelopen.'],
  [
    problem('malformed', [{ code: 'too_many', detail: 'has too many', pointer: '/text', expected: { most: 100 } }]),
    'Het zijn er te veel: ten hoogste 100.',
  ],
  [
    problem('malformed', [
      { code: 'contradicts', detail: 'line 22, column 9: Check: "1" is not it', pointer: '/text' },
    ]),
    'Regel 22: Check is in tegenspraak met de rest.',
  ],
  [problem('malformed', [{ code: 'not_held', detail: 'is not in the hand', pointer: '/x' }]), 'is not in the hand'],
  [problem('something-new'), 'Het verzoek is geweigerd.'],
  [problem('malformed', [{ code: 'something_new' as 'missing', detail: 'English' }]), 'Het verzoek is geweigerd.'],
]

test('errors are told in Dutch, without the sentence of the server', () => {
  for (const [p, want] of said) assert.equal(inDutch(dutch, p), want)
})

test('before the sentences are there nothing English is told', () => {
  for (const [p] of said) assert.equal(problemText(dutch, p), 'Het verzoek is geweigerd.')
})

test('in English the sentence of the server is told', () => {
  assert.equal(problemText(english, said[0]![0]), 'A sentence of the server.')
})
