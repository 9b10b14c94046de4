// When nothing is left to decide, and the rating.

import assert from 'node:assert/strict'
import test from 'node:test'
import { levels, seatWorth } from '../src/klaverjas/levels'
import { handName, help, helped } from '../src/klaverjas/helped'
import { entries, fewest, keep, ratingOf } from '../src/klaverjas/rating'
import {
  type Position,
  type Setup,
  defaultRules,
  holdersOf,
  legalOf,
  outcomeOf,
  play,
  start,
  turnOf,
} from '../src/klaverjas/rules'
import { type Seat, seats } from '../src/klaverjas/seats'
import { restOf, settled } from '../src/klaverjas/settled'
import { type Card, strength, suitOf, wire } from '../src/shared/cards'

const legalNow = (p: Position) => legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards

// Numbers that look random, and are the same each time.
function numbers(seed: number) {
  let x = seed
  return (below: number) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return Math.floor((x / 2 ** 32) * below)
  }
}

function drawn(draw: (below: number) => number): Position {
  const cards = Array.from({ length: 32 }, (_, c) => c)
  for (let i = 31; i > 0; i--) {
    const j = draw(i + 1)
    ;[cards[i], cards[j]] = [cards[j]!, cards[i]!]
  }
  const hands = Object.fromEntries(seats.map((s, i) => [s, cards.slice(8 * i, 8 * i + 8).map(wire)])) as Record<
    Seat,
    string[]
  >
  const setup: Setup = {
    rules: defaultRules(),
    trump: (['C', 'D', 'H', 'S'] as const)[draw(4)]!,
    leader: seats[draw(4)]!,
    declarer: draw(2) ? 'NS' : 'EW',
    holders: holdersOf(hands),
  }
  return start(setup)
}

// All outcomes, without shortcuts.
function outcomes(p: Position, to = new Set<number>()): Set<number> {
  if (p.finished) return to.add(outcomeOf(p))
  for (const c of legalNow(p)) outcomes(play(p, c), to)
  return to
}

test('a hand is settled exactly when all lines end alike', () => {
  let yes = 0
  let no = 0
  for (let seed = 1; seed <= 60; seed++) {
    const draw = numbers(seed)
    let p = drawn(draw)
    while (!p.finished) {
      const legal = legalNow(p)
      p = play(p, legal[draw(legal.length)]!)
      const left = p.held[turnOf(p)].length
      if (p.finished || left > 3) {
        continue
      }
      const want = outcomes(p).size === 1
      assert.equal(settled(p), want)
      if (want) yes++
      else no++
      const rest = restOf(p)
      if (want) assert.deepEqual([outcomeOf(rest.reduce(play, p))], [...outcomes(p)])
    }
  }
  assert.ok(yes > 100 && no > 100, `${yes} settled, ${no} not`)
})

// Hands in which two partners have many of the highest cards.
function strong(draw: (below: number) => number): Position {
  const p = drawn(draw)
  const { trump } = p.setup
  const worth = (c: Card) => (suitOf(c) === trump ? 20 : 0) + strength(c, trump) + draw(6)
  const cards = Array.from({ length: 32 }, (_, c) => c).sort((a, b) => worth(b) - worth(a))
  const hands = { N: cards.slice(0, 8), S: cards.slice(8, 16), E: cards.slice(16, 24), W: cards.slice(24) }
  const named = Object.fromEntries(seats.map((s) => [s, hands[s].map(wire)])) as Record<Seat, string[]>
  const rules = { ...p.setup.rules, melds: draw(2) === 0 }
  return start({ ...p.setup, rules, holders: holdersOf(named) })
}

test('a hand that is settled early ends alike in all lines', () => {
  const early = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let seed = 1; seed <= 400; seed++) {
    const draw = numbers(seed)
    const next = (p: Position): Position => {
      const legal = legalNow(p)
      return play(p, legal[draw(legal.length)]!)
    }
    for (let p = strong(draw); p.held[turnOf(p)].length > 4; p = next(p)) {
      if (!settled(p)) continue
      early[p.held[turnOf(p)].length]!++
      const ends = new Set<number>()
      for (let line = 0; line < 20; line++) {
        let end = p
        while (!end.finished) end = next(end)
        ends.add(outcomeOf(end))
      }
      assert.equal(ends.size, 1)
    }
  }
  assert.ok(
    early.slice(5, 8).every((n) => n > 0),
    `settled by tricks left: ${early}`,
  )
})

test('the rating', () => {
  assert.equal(ratingOf(Array<number>(fewest - 1).fill(3)), null)
  const same = ratingOf(Array<number>(20).fill(seatWorth.club))!
  assert.deepEqual([same.level, same.from, same.to], ['club', 'club', 'club'])
  assert.ok(Math.abs(same.mean - seatWorth.club) < 1e-9)
  const wide = ratingOf([-100, 100, -100, 100, -100, 100, -100, 100])!
  assert.ok(wide.low < -80 && wide.high > 80 && wide.mean === 0)
  assert.deepEqual([wide.from, wide.to], [levels[0], levels[levels.length - 1]])
  // The interval holds the mean in about 95 of 100 samples.
  const draw = numbers(7)
  let held = 0
  for (let i = 0; i < 2000; i++) {
    const sample = Array.from({ length: 16 }, () => draw(1000) + draw(1000) + draw(1000) - 1498.5)
    const r = ratingOf(sample)!
    if (r.low <= 0 && r.high >= 0) held++
  }
  assert.ok(held > 1860 && held < 1950, `${held} of 2000`)
})

test('a hand that was played with help does not count', () => {
  const kept = new Map<string, string>()
  const storage = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v) }
  Object.assign(globalThis, { localStorage: storage })
  const hand = (number: number) => handName({ id: 'g', number })
  keep(hand(1), -20)
  help(hand(2))
  keep(hand(2), 60)
  keep(hand(3), 10)
  assert.deepEqual(entries(), [
    ['g 1', -20],
    ['g 3', 10],
  ])
  assert.deepEqual([helped(hand(1)), helped(hand(2))], [false, true])
})
