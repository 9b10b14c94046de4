// What the page says of a position, for the test that compares it with the engine of the server.

import { wire } from '../shared/cards'
import { type Position, legalOf, meldsIn, turnOf } from './rules'
import { initial, positionOf } from './state'
import { readFragment } from './url'

/** The legal cards, the score, and the melds of the last trick, after the cards of an address. */
export function outline(
  hash: string,
): { legal: string[]; points: Position['points']; melds: Position['melds']; roem: string[] } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(initial(read.shared))
  const legal = p.finished ? [] : legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards.map(wire)
  const { rules, trump } = p.setup
  const trick = p.tricks[p.tricks.length - 1]
  const roem = trick ? meldsIn(rules, trick.cards, trump).map((m) => `${m.kind} ${m.points}`) : []
  return { legal, points: p.points, melds: p.melds, roem }
}
