// Whether nothing is left to decide in a hand with open cards, and how it ends then.

import type { Card } from '../shared/cards'
import { type Position, legalOf, outcomeOf, play, turnOf } from './rules'
import { seats } from './seats'

const mostTricks = 4
const mostPositions = 20_000

const legalNow = (p: Position): readonly Card[] =>
  legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards

/** Whether a hand ends with the same outcome however all four seats play on. False if that takes too long to check. */
export function settled(p: Position): boolean {
  if (p.finished || p.held[turnOf(p)].length > mostTricks) return false
  let end: number | undefined
  let visited = 0
  const done = new Set<string>()
  const same = (at: Position): boolean => {
    if (++visited > mostPositions) return false
    if (at.finished) {
      end ??= outcomeOf(at)
      return outcomeOf(at) === end
    }
    const key =
      at.trick.cards.length === 0
        ? JSON.stringify([seats.map((s) => at.held[s]), at.trick.leader, at.points, at.melds, at.taken])
        : ''
    if (key && done.has(key)) return true
    if (!legalNow(at).every((c) => same(play(at, c)))) return false
    if (key) done.add(key)
    return true
  }
  return same(p)
}

/** The cards of the rest of a hand: the first legal one each time. */
export function restOf(p: Position): Card[] {
  const out: Card[] = []
  while (!p.finished) {
    const c = legalNow(p)[0]!
    out.push(c)
    p = play(p, c)
  }
  return out
}
