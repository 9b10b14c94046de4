// The rules, the address and the state of the page of tarok, with the vectors of the engine.

import assert from 'node:assert/strict'
import test from 'node:test'
import { type Card, parseCard, players, wire } from '../src/tarok/cards'
import {
  type Contract,
  type Setup,
  defaultRules,
  discardable,
  legalOf,
  play,
  refusal,
  start,
  turnOf,
} from '../src/tarok/rules'
import { type State, positionOf, reduce, silence } from '../src/tarok/state'
import { fragment, readFragment } from '../src/tarok/url'
import { at, vectors } from './vectors'

interface Vector {
  hands: string[][]
  talon: string[]
  contract: Contract
  declarer: number | null
  leader: number
  talon_group?: number
  discards?: string[]
  discard_legal?: string[] | string[][]
  plays: string[]
  winners: number[]
  legal: Record<string, string[]>
  trick_thirds: number[]
}

const file = 'tarok/play.jsonl'
const cards = (list: readonly string[] = []): Card[] => list.map((c) => parseCard(c)!)

function each(check: (setup: Setup, played: Card[], v: Vector, where: string) => void): void {
  const all = vectors<Vector>(file)
  assert.ok(all.length >= 90)
  all.forEach((v, i) => {
    const setup: Setup = {
      contract: v.contract,
      declarer: players[v.declarer ?? 0]!,
      hands: { A: cards(v.hands[0]), B: cards(v.hands[1]), C: cards(v.hands[2]) },
      talon: cards(v.talon),
      group: v.talon_group ?? null,
      discards: cards(v.discards),
      rules: defaultRules,
    }
    check(setup, cards(v.plays), v, at(file, i))
  })
}

const stateOf = (setup: Setup, played: Card[]): State => ({
  setup,
  said: silence,
  played,
  cursor: played.length,
  cuts: [],
  seed: '',
})

test('legal cards, winners and thirds are those of another implementation', () => {
  each((setup, played, v, where) => {
    let p = start(setup)
    assert.equal(p.leader, players[v.leader], where)
    played.forEach((c, n) => {
      if (v.legal[n]) assert.deepEqual(legalOf(p).cards.map(wire).sort(), [...v.legal[n]].sort(), `${where}, card ${n}`)
      assert.equal(refusal(p, c), null, `${where}, card ${n}, ${wire(c)}`)
      p = play(p, c)
    })
    assert.deepEqual(
      p.tricks.map((t) => players.indexOf(t.winner)),
      v.winners,
      where,
    )
    assert.deepEqual(
      players.map((x) => p.won[x]),
      v.trick_thirds,
      where,
    )
  })
})

test('the discards may be made one after the other', () => {
  let made = 0
  each((setup, _, __, where) => {
    if (setup.group === null) return
    let s: State = stateOf({ ...setup, group: null, discards: [] }, [])
    assert.equal(positionOf(s).phase, 'talon', where)
    s = reduce(s, { type: 'group', group: setup.group })
    for (const card of setup.discards) {
      const p = positionOf(s)
      assert.equal(turnOf(p), setup.declarer, where)
      assert.ok(discardable(p.held[setup.declarer]).includes(card), where)
      s = reduce(s, { type: 'discard', card })
      made++
    }
    assert.deepEqual(s.setup, setup, where)
  })
  assert.ok(made >= 100, String(made))
})

test('an address is read as it was written', () => {
  each((setup, played, _, where) => {
    for (const cursor of [0, played.length]) {
      const shared = { setup, said: silence, played, cursor }
      const hash = fragment(shared)
      const read = readFragment(hash)
      assert.ok(read.ok, `${where}, ${hash}, ${JSON.stringify(read)}`)
      assert.equal(fragment(read.shared), hash, where)
      assert.deepEqual(read.shared.played, played, where)
      assert.deepEqual(positionOf(read.shared), positionOf(shared), where)
    }
  })
})

test('the state follows the cards, back and forth', () => {
  each((setup, played, _, where) => {
    const s = reduce(stateOf(setup, []), { type: 'play', cards: played })
    assert.deepEqual(s, stateOf(setup, played), where)
    const back = reduce(s, { type: 'go', to: 2 })
    assert.equal(back.cursor, 2, where)
    assert.deepEqual(reduce(back, { type: 'go', to: played.length }), s, where)
    assert.deepEqual(reduce(s, { type: 'group', group: null }).played, [], where)
  })
})
