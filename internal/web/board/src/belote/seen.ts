// What has been seen of a deal whose cards below are face down. A card below is turned after the trick in which the
// card on it was played. Both players see the same.

import { type Card, type Suit, suitOf, wire } from '../shared/cards'
import { type Player, type Setup, cardsOf } from './rules'

/** The deal as far as it has been seen after some cards. */
export function asSeen(setup: Setup, played: readonly Card[]): Setup {
  const turned = new Set(played.slice(0, played.length - (played.length % 2)))
  const seen = (p: Player) => setup.stacks[p].map(([top, below]) => [top, turned.has(top) ? below : null] as const)
  return { ...setup, stacks: { A: seen('A'), B: seen('B') } }
}

/** The cards that nobody has seen. */
export function unseenOf(setup: Setup, suits: readonly Suit[]): Card[] {
  const seen = new Set(cardsOf(setup))
  return Array.from({ length: 32 }, (_, c) => c).filter((c) => suits.includes(suitOf(c)) && !seen.has(c))
}

/** What has been seen, as the API takes it. */
export function viewBody(setup: Setup, suits: readonly Suit[], played: readonly Card[]) {
  const { trump, leader, declarer, threshold, stacks } = asSeen(setup, played)
  const list = (p: Player) => stacks[p].map(([top, below]) => [wire(top), below === null ? null : wire(below)])
  return { trump, suits, leader, declarer, threshold, stacks: { A: list('A'), B: list('B') }, played: played.map(wire) }
}
