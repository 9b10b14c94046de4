// Whether nothing is left to decide in a hand with open cards, and how it ends then.

import type { Card } from '../shared/cards'
import { type Position, beats, legalOf, meldsIn, outcomeOf, play, turnOf } from './rules'
import { seats, teamOf } from './seats'

const mostTricks = 4
const mostPositions = 20_000

const legalNow = (p: Position): readonly Card[] =>
  legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards

// Whether one team takes all tricks that are left, whatever is played, and no roem can fall any more: no card of one team
// beats a card of the other, and the other team leads, or wins the trick on the table.
function oneTakesAll(p: Position): boolean {
  const { trump, rules } = p.setup
  const { cards, winner, leader } = p.trick
  const team = teamOf(cards.length === 0 ? leader : winner)
  const winning = cards[(seats.indexOf(winner) - seats.indexOf(leader)) & 3]
  const mine = seats.filter((s) => teamOf(s) === team).flatMap((s) => p.held[s])
  const theirs = seats.filter((s) => teamOf(s) !== team).flatMap((s) => p.held[s])
  // Of the hands only those matter that are still to play to the trick on the table.
  const toPlay = seats.filter((s) => ((seats.indexOf(s) - seats.indexOf(leader)) & 3) >= cards.length)
  const beaten = toPlay.some(
    (s) => teamOf(s) !== team && p.held[s].some((c) => winning !== undefined && beats(c, winning, trump)),
  )
  if (beaten || mine.some((c) => theirs.some((x) => beats(x, c, trump)))) return false
  if (!rules.melds) return true
  const roem = (hands: (readonly Card[])[], trick: Card[]): boolean =>
    hands.length === 0
      ? meldsIn(rules, trick, trump).length > 0
      : hands[0]!.some((c) => roem(hands.slice(1), [...trick, c]))
  const hands = seats.map((s) => p.held[s])
  const now = roem(
    toPlay.map((s) => p.held[s]),
    [...cards],
  )
  return !now && !(hands.every((h) => h.length > 0) && roem(hands, []))
}

/** Whether a hand ends with the same outcome however all four seats play on. False if that takes too long to check. */
export function settled(p: Position): boolean {
  if (p.finished) return false
  if (oneTakesAll(p)) return true
  if (p.held[turnOf(p)].length > mostTricks) return false
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
