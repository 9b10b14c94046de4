// What is wrong with a request, in Dutch: a sentence of the code, the value and what was expected. A Dutch page loads it after it is shown.

import type { Problem } from './api'
import { type Suit, parseCard, suits } from './cards'
import { texts } from './errorwords-nl'
import type { Words } from './language'

type Fault = NonNullable<Problem['errors']>[number]

/** A sentence with the fields of an error. What is in square brackets is left out if a field in it is absent. */
function sentence(text: string, fields: Record<string, string | undefined>): string {
  const whole = text.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => fields[name!] !== undefined) ? part : '',
  )
  const out = whole.replace(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? '?')
  return out.charAt(0).toUpperCase() + out.slice(1)
}

const most = 8

function faultText(w: Words, e: Fault): string {
  // A card by its name, as the rest of the page has it.
  const named = (text: string): string => {
    const c = parseCard(text)
    if (c !== null) return w.card(c).toLowerCase()
    return e.code === 'not_a_suit' && suits.includes(text as Suit) ? w.suit(text as Suit) : text
  }
  const { value, expected } = e
  const list = expected?.one_of
  const number = (n: number | undefined): string | undefined => (n === undefined ? undefined : w.number(n))
  // What is wrong with a record has its line and its tag before the sentence: all records have one pointer.
  const place = /^line (\d+), column \d+: (?:(\w+): )?/.exec(e.detail ?? '')
  const line = place ? `Regel ${place[1]}: ` : ''
  const text = texts[e.code] ?? w.t('refused')
  const fields: Record<string, string | undefined> = {
    pointer: place ? (place[2] ?? 'dit') : e.pointer || e.parameter,
    value: value === undefined ? undefined : named(value),
    one_of: list?.length
      ? list.slice(0, most).map(String).map(named).join(', ') + (list.length > most ? ' …' : '')
      : undefined,
    least: number(expected?.least),
    most: number(expected?.most),
    multiple_of: number(expected?.multiple_of),
  }
  // A sentence of which something is not known is not said: the sentence of the server is whole.
  const bare = [...text.replace(/\[[^\]]*\]/g, '').matchAll(/\{(\w+)\}/g)]
  if (bare.some(([, name]) => fields[name!] === undefined)) return e.detail ?? w.t('refused')
  return line + sentence(text, fields)
}

/** What is wrong, in Dutch. */
export function problemText(w: Words, p: Problem): string {
  const errors = p.errors ?? []
  if (errors.length === 0) return texts[p.code ?? ''] ?? w.t('refused')
  return errors
    .map((e, i) => (i > 0 && e.pointer ? `${e.pointer}: ` : '') + faultText(w, e))
    .join(' ')
    .trim()
}
