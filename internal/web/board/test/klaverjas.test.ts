// The rules, the address and the state of the board, with the vectors of the engine.

import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type Rules,
  type Setup,
  defaultRules,
  holdersOf,
  legalOf,
  play,
  refusal,
  start,
  turnOf,
} from '../src/klaverjas/rules'
import { type Seat, sorted } from '../src/klaverjas/seats'
import { seenOf } from '../src/klaverjas/seen'
import { initial, keyOf, positionOf, reduce } from '../src/klaverjas/state'
import { fragment, readFragment } from '../src/klaverjas/url'
import { type Card, parseCard, wire } from '../src/shared/cards'
import { at, vectors } from './vectors'

interface Vector {
  position: Omit<Setup, 'rules' | 'holders'> & {
    rules: Partial<Rules>
    hands: Record<Seat, string[]>
    played?: string[]
  }
  expect: { turn: Seat; legal: string[]; won: boolean }
}

const files = ['rotterdam', 'amsterdam', 'variants'].map((name) => `vectors/${name}-positions.jsonl`)

function each(check: (setup: Setup, played: Card[], expect: Vector['expect'], where: string) => void): void {
  for (const file of files) {
    const all = vectors<Vector>(file)
    assert.ok(all.length >= 100, file)
    all.forEach(({ position: { rules, hands, played = [], trump, leader, declarer }, expect }, i) => {
      const base = defaultRules(rules.system)
      const setup: Setup = {
        rules: {
          ...base,
          ...rules,
          four_of_a_kind: { ...base.four_of_a_kind, ...rules.four_of_a_kind },
          pit: { ...base.pit, ...rules.pit },
        },
        trump,
        leader,
        declarer,
        holders: holdersOf(hands),
      }
      check(
        setup,
        played.map((c) => parseCard(c)!),
        expect,
        at(file, i),
      )
    })
  }
}

test('the legal cards and the turn are those of the engine', () => {
  each((setup, played, expect, where) => {
    let p = start(setup)
    for (const c of played) {
      assert.equal(refusal(p, c), null, `${where}, ${wire(c)}`)
      p = play(p, c)
    }
    assert.equal(turnOf(p), expect.turn, where)
    const { cards } = legalOf(setup.rules, setup.trump, p.trick, p.held[expect.turn])
    assert.deepEqual(cards.map(wire).sort(), [...expect.legal].sort(), where)
    for (const c of p.held[expect.turn]) assert.equal(refusal(p, c) === null, cards.includes(c), `${where}, ${wire(c)}`)
  })
})

test('an address is read as it was written', () => {
  each((setup, played, _, where) => {
    for (const cursor of [0, played.length >> 1, played.length]) {
      const shared = { setup, played, cursor }
      assert.deepEqual(readFragment(fragment(shared)), { ok: true, shared }, where)
    }
  })
})

test('the address of what a seat has seen is read as it was written', () => {
  each((setup, played, _, where) => {
    const seen = seenOf({ setup, played, cursor: played.length }, 'E')
    assert.deepEqual(
      readFragment(fragment(seen, 'E')),
      { ok: true, shared: { setup: seen.setup, played: seen.played, cursor: seen.cursor }, seat: 'E', review: false },
      where,
    )
  })
})

test('an address that cannot be read says why', () => {
  const holders = 'NESW'.repeat(8)
  const good = `#v=1&t=S&l=S&d=NS&h=${holders}`
  assert.ok(readFragment(good).ok)
  for (const [hash, key] of [
    ['#v=2', 'urlVersion'],
    ['#t=S', 'urlVersion'],
    ['#v', 'urlField'],
    [good + '&z=1', 'urlUnknown'],
    [good.replace('t=S', 't=X'), 'urlTrump'],
    [good.replace('l=S', 'l=X'), 'urlLeader'],
    [good.replace('d=NS', 'd=N'), 'urlDeclarer'],
    [good + '&r=pit:5/0', 'urlRules'],
    [good.replace(holders, holders.slice(1)), 'urlHolders'],
    [good.replace(holders, 'N'.repeat(32)), 'urlTooMany'],
    [good + '&p=7', 'urlPlayed'],
    [good + '&p=1C', 'urlNoCard'],
    [good + '&p=7C', 'urlIllegal'],
    [good + '&i=1', 'urlCursor'],
    [good + '&s=X', 'urlSeat'],
    [good + '&s=N', 'urlOwn'],
  ] as const) {
    const read = readFragment(hash)
    assert.ok(!read.ok, hash)
    assert.equal(read.error[0], key, hash)
  }
})

test('the state follows the cards, back and forth', () => {
  each((setup, played, expect, where) => {
    let s = initial({ setup, played: [], cursor: 0 })
    for (const c of played) s = reduce(s, { type: 'play', cards: [c] })
    assert.deepEqual(s, reduce(initial({ setup, played: [], cursor: 0 }), { type: 'play', cards: played }), where)
    assert.deepEqual([s.played, s.cursor, s.cuts], [played, played.length, []], where)
    assert.equal(s.seat, expect.turn, where)
    const back = reduce(s, { type: 'go', to: 0 })
    assert.equal(back.seat, setup.leader, where)
    if (played.length > 0) assert.notEqual(keyOf(back), keyOf(s), where)
    assert.deepEqual(reduce(back, { type: 'go', to: played.length }), s, where)
  })
})

test('a card that may not be played changes nothing', () => {
  each((setup, played, _, where) => {
    const s = initial({ setup, played, cursor: played.length })
    const p = positionOf(s)
    for (let c = 0; c < 32; c++) {
      const after = reduce(s, { type: 'play', cards: [c] })
      if (refusal(p, c) !== null) assert.deepEqual(after, s, `${where}, ${wire(c)}`)
      else assert.equal(after.cursor, played.length + 1, `${where}, ${wire(c)}`)
    }
  })
})

test('what another card cuts off comes back with it', () => {
  each((setup, played, _, where) => {
    const whole = initial({ setup, played, cursor: played.length })
    for (let to = 0; to < played.length; to++) {
      const back = reduce(whole, { type: 'go', to })
      const p = positionOf(back)
      const others = legalOf(setup.rules, setup.trump, p.trick, p.held[turnOf(p)]).cards.filter((c) => c !== played[to])
      if (others.length === 0) continue
      const other = reduce(back, { type: 'play', cards: [others[0]!] })
      assert.deepEqual(other.cuts, [{ at: to, tail: played.slice(to) }], where)
      assert.deepEqual(reduce(other, { type: 'go', to }).played, played, where)
      break
    }
  })
})

test('a variation and the game are both kept, also in the address', () => {
  let variations = 0
  each((setup, played, _, where) => {
    const game = initial({ setup, played, cursor: played.length })
    for (let at = 0; at < played.length; at++) {
      const p = positionOf(game, at)
      const others = legalOf(setup.rules, setup.trump, p.trick, p.held[turnOf(p)]).cards.filter((c) => c !== played[at])
      if (others.length === 0) continue
      let branch = reduce(reduce(game, { type: 'go', to: at }), { type: 'play', cards: [others[0]!] })
      const q = positionOf(branch)
      if (!q.finished) {
        const next = legalOf(setup.rules, setup.trump, q.trick, q.held[turnOf(q)]).cards[0]!
        branch = reduce(branch, { type: 'play', cards: [next] })
      }
      const read = (s: typeof game) => {
        const from = readFragment(fragment(s))
        assert.ok(from.ok, where)
        return initial(from.shared)
      }
      const same = (a: typeof game, b: typeof game) =>
        assert.deepEqual([a.played, a.cuts, a.aside], [b.played, b.cuts, b.aside], where)
      same(read(branch), branch)
      const back = reduce(branch, { type: 'swap' })
      assert.deepEqual([back.played, back.cursor, back.cuts], [played, at, []], where)
      assert.deepEqual(back.aside, { at, tail: branch.played.slice(at) }, where)
      same(read(back), back)
      const again = reduce(read(back), { type: 'swap' })
      assert.deepEqual([again.played, again.cuts], [branch.played, branch.cuts], where)
      assert.deepEqual(reduce(back, { type: 'play', cards: [others[0]!] }).played, branch.played, where)
      variations++
      break
    }
  })
  assert.ok(variations > 10)
})

test('a variation that is not one is refused', () => {
  const deal = '#v=1&t=S&l=S&d=NS&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN&p=KH8S7H8H'
  assert.ok(readFragment(deal + '&x=0.JH').ok)
  assert.ok(readFragment(deal + '&y=0.JH').ok)
  for (const wrong of [
    'x=0.KH',
    'x=9.JH',
    'x=0.ZZ',
    'x=0.AH',
    'x=',
    'x=0',
    'x=1.7S',
    'x=0.JH&i=0',
    'y=0.JH,0.7C',
    'y=0.KH',
  ])
    assert.ok(!readFragment(deal + '&' + wrong).ok, wrong)
})

test('after another contract the cards stay that still fit', () => {
  let all = 0
  let part = 0
  each((setup, played, _, where) => {
    const before = initial({ setup, played, cursor: played.length })
    const rules = { ...setup.rules, pit: { declarers: 200, defenders: 200 } }
    const same = reduce(before, { type: 'contract', change: { rules } })
    assert.deepEqual([same.played, same.cursor], [played, played.length], `${where}: the pit makes no card illegal`)
    const trump = setup.trump === 'C' ? 'D' : 'C'
    const s = reduce(before, { type: 'contract', change: { trump } })
    assert.deepEqual([s.played, s.cursor], [played.slice(0, s.played.length), s.played.length], where)
    const next = played[s.played.length]
    if (next === undefined) all++
    else {
      part += Number(s.played.length > 0)
      assert.notEqual(refusal(positionOf(s), next), null, `${where}: the next card still fits`)
    }
  })
  assert.ok(all > 0 && part > 0, `${all} whole, ${part} in part`)
})

test('before a trump is known no suit has the order of trumps', () => {
  const spades = ['7S', '9S', 'AS', 'JS', 'AH'].map((c) => parseCard(c)!)
  assert.deepEqual(sorted(spades, 'S').map(wire), ['JS', '9S', 'AS', '7S', 'AH'])
  assert.deepEqual(sorted(spades, null).map(wire), ['AS', 'JS', '9S', '7S', 'AH'])
})
