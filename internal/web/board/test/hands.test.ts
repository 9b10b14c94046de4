// Hands as people write them, in Dutch and English.

import assert from 'node:assert/strict'
import test from 'node:test'
import { seatNames } from '../src/klaverjas/seats'
import { wire } from '../src/shared/cards'
import { type HandReader, type Piece, readHand, splitHands } from '../src/shared/hands'
import { deck32, readTyped } from '../src/shared/typed'
import { type Lang, words } from '../src/shared/words'
import { texts as en } from '../src/shared/words-en'
import { texts as nl } from '../src/shared/words-nl'
import { at, vectors } from './vectors'

const texts: Record<Lang, Record<string, string>> = { en, nl }

const reader = (lang: Lang): HandReader => ({
  words: words(lang, (l, key) => texts[l][key]),
  deck: deck32,
  read: readTyped,
})

const meaning = (p: Piece): string =>
  p.meanings.length === 0
    ? `${p.text}: none`
    : p.meanings.map((m) => m.suit ?? m.cards.map(wire).join(' ')).join(p.meanings.length > 1 ? ' or ' : '')

// The cards in their order, with the questions and what cannot be read in square brackets.
const told = (pieces: Piece[]): string =>
  pieces
    .filter((p) => p.meanings.length !== 1 || p.meanings[0]!.suit === undefined)
    .map((p) => (p.meanings.length === 1 ? meaning(p) : `[${meaning(p)}]`))
    .join(' ')

const spades = 'JS 9S AS 7S'
const hand = `${spades} 10H 8H AD 7C`

const dutch: [string, string][] = [
  ['S: B9A7 H: 10 8 R: A K: 7', hand],
  ['s: b9a7 h: 108 r: a k: 7', hand],
  ['S:B9A7 H:T8 R:A K:7', hand],
  ['S=B9A7; H=10,8; R=A; K=7', hand],
  ['♠ B 9 A 7 ♥ 10 8 ♦ A ♣ 7', hand],
  ['♠B9A7 ♥108 ♦A ♣7', hand],
  ['♠B9A7♥108♦A♣7', hand],
  ['♠️B9A7 ♥️10 8 ♦️A ♣️7', hand],
  ['B♠ 9♠ A♠ 7♠ 10♥ 8♥ A♦ 7♣', hand],
  ['B♠9♠A♠7♠10♥8♥A♦7♣', hand],
  ['schoppen boer negen aas zeven, harten tien acht, ruitenaas, klaver zeven', hand],
  ['schoppen: boer 9 aas 7\nharten: 10 8\nruiten: aas\nklaver: 7', hand],
  ['SB9A7 H108 RA K7', hand],
  ['S B9A7 R A K 7 ♥ 10 8', 'JS 9S AS 7S AD 7C 10H 8H'],
  ['B9A7.108.A.7', hand],
  ['JS 9S AS 7S 10H 8H AD 7C', hand], // as the API writes cards
  ['S: J9A7 H: T8 D: A C: 7', hand],
  ['SB S9 SA S7 H10 H8 RA K7', hand],
  ['SB, S9, SA, S7, H10, H8, RA, K7', hand],
  ['klaverheer', 'KC'],
  ['schoppen aas boer', 'AS JS'],
  ['heer van harten vrouw van schoppen', 'KH QS'],
  ['HB, klaveren heer; 7R  heer van harten SV', 'JH KC 7D KH QS'],
  ['S: AHVB10 9 8 7', 'AS KS QS JS 10S 9S 8S 7S'],
  ['S: - H: A K: geen', 'AH [geen: none]'],
  ['S: H7 H: HA', 'KS 7S KH AH'],
  ['♠ H7 ♥ HA', 'KS 7S KH AH'],
  ['K7 K8 K9 K10 KB KV KA', '7C 8C 9C 10C JC QC AC'],
  // Two readings, which are asked.
  ['KH', '[KC or KH]'],
  ['S A H 7', 'AS [KS or H] [7S or 7H]'],
  ['S A H H A', 'AS [KS or H] [H or KH] AH'],
  ['schoppen A H7', 'AS [KS 7S or 7H]'],
  // Only one of two readings is a hand: the other one has a card twice, a suit twice, or nine cards.
  ['KH H♥', 'KC KH'],
  ['S AB97 H V10 R A K 7', 'AS JS 9S 7S QH 10H AD 7C'],
  // What is not a card is named.
  ['S: B9X', '[B9X: none]'],
  ['H', '[H: none]'],
  ['harten', '[harten: none]'],
  ['XX HB', '[XX: none] JH'],
  ['B 9', '[B: none] [9: none]'],
  ['Q: A', '[Q: none] [A: none]'],
]

const english: [string, string][] = [
  ['S: J9A7 H: 10 8 D: A C: 7', hand],
  ['♠ J 9 A 7 ♥ 10 8 ♦ A ♣ 7', hand],
  ['spades jack nine ace seven, hearts ten eight, ace of diamonds, seven of clubs', hand],
  ['S J9A7 H 108 D A C 7', hand],
  ['SJ9A7 HT8 DA C7', hand],
  ['J9A7.T8.A.7', hand],
  ['JS 9S AS 7S 10H 8H AD 7C', hand],
  ['SJ S9 SA S7 H10 H8 DA C7', hand],
  ['S: KQ H: -', 'KS QS'],
  ['♠ B 9 ♥ H V', 'JS 9S KH QH'], // Dutch letters after a symbol have no other reading
  ['S: KH', 'KH'],
  ['HB', '[HB: none]'],
]

test('hands are read as people write them', () => {
  for (const [lang, table] of [
    ['nl', dutch],
    ['en', english],
  ] as const)
    for (const [text, want] of table) assert.equal(told(readHand(reader(lang), text, 8)), want, `${lang}: ${text}`)
})

test('a piece is where it says', () => {
  const text = '♠A♠️B, schoppen  9 (KH)'
  for (const p of readHand(reader('nl'), text, 8)) assert.equal(text.slice(p.from, p.to), p.text)
})

test('readings end on any text', () => {
  const parts = ['H', 'S', 'K', 'R', ':', '7', 'KH', 'HK', '♥', 'harten', 'A', ' ', 'x', '10']
  let seed = 1
  for (let i = 0; i < 300; i++) {
    let text = ''
    for (let n = 0; n < 24; n++) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      text += parts[seed % parts.length]! + (seed % 3 ? ' ' : '')
    }
    for (const p of readHand(reader(i % 2 ? 'nl' : 'en'), text, 8)) assert.equal(text.slice(p.from, p.to), p.text)
  }
})

const split: [Lang, string, Record<string, string> | null][] = [
  ['nl', 'N: SB S9 O: SA Z: H7 W: RA', { N: 'SB S9', E: 'SA', S: 'H7', W: 'RA' }],
  ['nl', 'Noord: S: B9 H: 8\nOost: S: A\nZuid: H: 7\nWest: R: A', { N: 'S: B9 H: 8', E: 'S: A', S: 'H: 7', W: 'R: A' }],
  ['nl', 'SA S7 O: HB', { '': 'SA S7', E: 'HB' }],
  ['nl', 'noord ♠ B 9\noost ♠ A', { N: '♠ B 9', E: '♠ A' }],
  ['nl', 'N: S: A\nE: S: B\nS: S: 7\nW: S: 8', { N: 'S: A', E: 'S: B', S: 'S: 7', W: 'S: 8' }],
  ['en', 'N: S: A H: K E: S: J S: S: 7 W: S: 8', { N: 'S: A H: K', E: 'S: J', S: 'S: 7', W: 'S: 8' }],
  ['en', 'N: ♠A ♥K E: ♠J S: ♠7 W: ♠8', { N: '♠A ♥K', E: '♠J', S: '♠7', W: '♠8' }],
  ['en', 'N: AS KH E: JS S: 7S W: 8S', { N: 'AS KH', E: 'JS', S: '7S', W: '8S' }],
  ['en', 'S: AK H: J D: - C: 7', null],
  ['nl', 'S: AH H: B R: - K: 7', null],
  ['nl', 'HB H7 S8', null],
  ['en', 'N: S: H: AK D: 7 E: S: A', { N: 'S: H: AK D: 7', E: 'S: A' }],
  ['en', 'N:J9A7.T8.A.7 A.A.A.A - Q.Q.Q.Q', { N: 'J9A7.T8.A.7', E: 'A.A.A.A', S: '', W: 'Q.Q.Q.Q' }],
  ['en', 'S:J9A7.T8.A.7 A.A.A.A', { S: 'J9A7.T8.A.7', W: 'A.A.A.A' }],
  ['nl', 'Noord (S: B9), Oost (S: A)', { N: 'S: B9', E: 'S: A' }],
]

test('several hands at once are split by the players they name', () => {
  for (const [lang, text, want] of split) {
    const got = splitHands(reader(lang), text, seatNames, ['N', 'E', 'S', 'W'])
    assert.deepEqual(
      got && Object.fromEntries(got.map((h) => [h.whose ?? '', text.slice(h.from, h.to)])),
      want,
      `${lang}: ${text}`,
    )
  }
})

// The server reads hands in records, with the same cases.
test('hands are read as the server reads them', () => {
  const file = 'records/hands.jsonl'
  vectors<{ lang: Lang; text: string; cards: string }>(file).forEach(({ lang, text, cards }, i) =>
    assert.equal(told(readHand(reader(lang), text, 8)), cards, at(file, i)),
  )
})

test('a hand in any form is read as itself, or asked', () => {
  const forms: [string, string, string, string][] = [
    // after a suit, between cards, between suits, before a suit
    [': ', ' ', ' ', ''],
    [' ', ' ', ', ', ''],
    [' ', ' ', ' ', ''],
    [' ', '', ' ', ''],
    ['', '', ' ', ''],
    [': ', '', '; ', ''],
  ]
  const named: Record<Lang, Record<string, string[]>> = {
    nl: {
      S: ['S', '♠', 'Sp', 'schoppen'],
      H: ['H', '♥', 'Ha', 'harten'],
      D: ['R', '♦', 'Ru', 'ruiten'],
      C: ['K', '♣', 'Kl', 'klaver'],
    },
    en: {
      S: ['S', '♠', 'Sp', 'spades'],
      H: ['H', '♥', 'He', 'hearts'],
      D: ['D', '♦', 'Di', 'diamonds'],
      C: ['C', '♣', 'Cl', 'clubs'],
    },
  }
  let seed = 1
  const below = (n: number) => (seed = (seed * 48271) % 2147483647) % n
  let asked = 0
  const n = 4000
  for (let i = 0; i < n; i++) {
    const lang: Lang = below(2) ? 'nl' : 'en'
    const [after, between, next] = forms[below(forms.length)]!
    const style = below(4)
    const { words: w } = reader(lang)
    const left = [...deck32.cards]
    const hand = Array.from({ length: 8 }, () => left.splice(below(left.length), 1)[0]!)
    const suits = (['S', 'H', 'D', 'C'] as const).flatMap((s) => {
      const cards = hand.filter((c) => deck32.suit(c) === s)
      const faces = cards.map((c) => (w.face(c) === '10' && between === '' ? 'T' : w.face(c)))
      return cards.length > 0
        ? [{ cards, text: named[lang][s]![style]! + (style > 1 ? after || ' ' : after) + faces.join(between) }]
        : []
    })
    const text = suits.map((s) => s.text).join(next)
    const pieces = readHand(reader(lang), text, 8)
    const cards = suits.flatMap((s) => s.cards)
    if (pieces.some((p) => p.meanings.length > 1)) {
      asked++
      assert.ok(
        cards.every((c) => pieces.some((p) => p.meanings.some((m) => m.cards.includes(c)))),
        `${lang}: ${text}`,
      )
    } else assert.equal(told(pieces), cards.map(wire).join(' '), `${lang}: ${text}`)
  }
  assert.ok(asked < n / 20, `${asked} of ${n} are asked`)
})
