// The rules, the address and the state of the page of Belote, with the vectors of the engine.

import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type Player,
  type Setup,
  defaultThreshold,
  isUnseen,
  legalOf,
  play,
  refusal,
  replay,
  start,
  suitsOf,
  toTurn,
  turnOf,
} from '../src/belote/rules'
import { type Shared, type State, bodyOf, positionOf, reduce } from '../src/belote/state'
import { fragment, readFragment } from '../src/belote/url'
import { type Card, type Suit, parseCard, wire } from '../src/shared/cards'
import { at, vectors } from './vectors'

interface Vector {
  position: {
    trump?: Suit | null
    suits: Suit[]
    leader: Player
    declarer: Player
    stacks: Record<Player, [string, string][]>
    played?: string[]
  }
  expect: { turn?: Player; legal?: string[] }
}

const file = 'belote/decouverte.jsonl'

function each(check: (setup: Setup, played: Card[], vector: Vector, where: string) => void): void {
  const all = vectors<Vector>(file)
  assert.ok(all.length >= 100)
  all.forEach((v, i) => {
    const { trump = null, leader, declarer, stacks, played = [] } = v.position
    const of = (p: Player) => stacks[p].map(([up, down]) => [parseCard(up)!, parseCard(down)!] as const)
    const threshold = defaultThreshold(v.position.suits.length, trump)
    check(
      { trump, leader, declarer, threshold, stacks: { A: of('A'), B: of('B') } },
      played.map((c) => parseCard(c)!),
      v,
      at(file, i),
    )
  })
}

const stateOf = (setup: Setup, played: Card[], cursor = played.length): State => ({
  setup,
  played,
  cursor,
  utility: 'points',
  cuts: [],
  seed: '',
})

test('the legal cards and the turn are those of the engine', () => {
  let checked = 0
  each((setup, played, { expect }, where) => {
    let p = start(setup)
    for (const c of played) {
      assert.equal(refusal(p, c), null, `${where}, ${wire(c)}`)
      p = play(p, c)
    }
    if (expect.turn === undefined || expect.legal === undefined) return
    checked++
    assert.equal(turnOf(p), expect.turn, where)
    assert.deepEqual(legalOf(p).cards.map(wire).sort(), [...expect.legal].sort(), where)
  })
  assert.ok(checked >= 100, String(checked))
})

test('an address is read as it was written', () => {
  each((setup, played, _, where) => {
    for (const utility of ['points', 'contract'] as const) {
      for (const cursor of [0, played.length]) {
        const shared: Shared = { setup: { ...setup, threshold: setup.threshold + cursor }, played, cursor, utility }
        assert.deepEqual(readFragment(fragment(shared)), { ok: true, shared }, where)
      }
    }
  })
})

test('what has been seen of a deal is played and turned as the deal is, and its address is read as it was written', () => {
  each((setup, played, _, where) => {
    const suits = suitsOf(setup)
    const down = (p: Player) => setup.stacks[p].map(([top]) => [top, null] as const)
    let s = stateOf({ ...setup, suits, stacks: { A: down('A'), B: down('B') } }, [])
    for (const [i, c] of played.entries()) {
      s = reduce(s, { type: 'play', cards: [c] })
      assert.equal(s.played.length, i + 1, `${where}, ${wire(c)}`)
      for (let at = toTurn(positionOf(s)); at; at = toTurn(positionOf(s)))
        s = reduce(s, { type: 'turn', card: setup.stacks[at.player][at.at]![1]! })
      const [seen, whole] = [positionOf(s), replay(setup, played.slice(0, i + 1))]
      assert.deepEqual([seen.points, seen.left, turnOf(seen)], [whole.points, whole.left, turnOf(whole)], where)
      if (whole.led === null) assert.deepEqual(legalOf(seen), legalOf(whole), where)
    }
    const { setup: known, cursor, utility } = s
    if (!isUnseen(known)) return
    const shared: Shared = { setup: known, played, cursor, utility }
    assert.deepEqual(readFragment(fragment(shared)), { ok: true, shared }, where)
  })
})

test('the request for the position is that of the vector', () => {
  each((setup, played, { position }, where) => {
    const { trump = null, suits, leader, declarer, stacks } = position
    assert.deepEqual(
      bodyOf(stateOf(setup, played)),
      {
        trump,
        suits: [...suits].sort(),
        leader,
        declarer,
        threshold: setup.threshold,
        stacks,
        played: position.played ?? [],
      },
      where,
    )
  })
})

test('the state follows the cards, back and forth', () => {
  each((setup, played, _, where) => {
    const s = reduce(stateOf(setup, []), { type: 'play', cards: played })
    assert.deepEqual(s, stateOf(setup, played), where)
    const back = reduce(s, { type: 'go', to: 0 })
    assert.deepEqual(positionOf(back), start(setup), where)
    assert.deepEqual(reduce(back, { type: 'go', to: 99 }), s, where)
  })
})

test('after another trump the cards stay that still fit, and the threshold follows it', () => {
  each((setup, played, _, where) => {
    const s = stateOf(setup, played)
    const trump = setup.trump === null ? 'S' : null
    const after = reduce(s, { type: 'contract', change: { trump } })
    assert.deepEqual(after.played, played.slice(0, after.played.length), where)
    assert.equal(after.setup.threshold, defaultThreshold(setup.stacks.A.length / 2, trump), where)
    const next = played[after.played.length]
    if (next !== undefined) assert.notEqual(refusal(positionOf(after), next), null, where)
    assert.deepEqual(
      reduce(s, { type: 'contract', change: { threshold: 7 } }),
      { ...s, setup: { ...setup, threshold: 7 } },
      where,
    )
  })
})
