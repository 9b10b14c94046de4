// A puzzle and its solution, as the server gives them, and what follows from them.

import type * as Schemas from '../contract'
import { type Failure, call } from '../shared/api'
import { type Card, parseCard } from '../shared/cards'
import { type Explanation, explainedOf } from '../klaverjas/mistake'
import { type Rules, type Setup, holdersOf } from '../klaverjas/rules'
import type { Shared } from '../klaverjas/url'
import { nextOf } from './kept'
import { type Where, queryOf } from './where'

export type Puzzle = Schemas.KlaverjasPuzzle
export type Daily = Schemas.KlaverjasDailyPuzzle
export type Solution = Schemas.KlaverjasPuzzleSolution
type List = Schemas.KlaverjasPuzzleList

export const cardsOf = (texts: readonly string[]): Card[] => texts.map((text) => parseCard(text)!)

/** The deal of a puzzle and the cards played. Of a hidden one, it has the cards of its seat only. */
export function sharedOf(p: Puzzle): Shared {
  const from = p.position ?? p.view!
  const holders = p.position
    ? holdersOf(p.position.hands)
    : holdersOf({ N: [], E: [], S: [], W: [], [p.seat]: p.view!.hand })
  const { trump, leader, declarer } = from
  const setup: Setup = { rules: from.rules as Rules, trump, leader, declarer, holders }
  return { setup, played: cardsOf(from.played), cursor: from.played.length }
}

/** A decision of a puzzle with its solution. */
export type Decision = Schemas.KlaverjasPuzzleDecision

/** The decisions of a puzzle in order. */
export const decisionsOf = (p: Puzzle, s: Solution): Decision[] => [
  { ...s, played: (p.position ?? p.view!).played },
  ...s.later,
]

/** The deal at a decision with all hands, when the puzzle is over. */
export function dealOf(p: Puzzle, s: Solution, d: Decision): Shared {
  const { setup } = sharedOf(p)
  const played = cardsOf(d.played)
  return { setup: { ...setup, holders: holdersOf(s.hands) }, played, cursor: played.length }
}

type Value = Decision['values'][number]

/** The card beside which the best one is shown: the one that was chosen or, if that is the best one, the second best. */
export const comparedWith = (d: Decision, chosen: string | undefined): Value =>
  d.values.find((v) => v.card === chosen && v.cost > 0) ?? d.values[1]!

/** Why a card is a mistake, if it has lines. */
export function explanationOf(p: Puzzle, s: Solution, d: Decision, v: Value): Explanation | null {
  const [best] = d.values
  const open = v.line && best?.line && { played: [v.card, ...v.line], best: [best.card, ...best.line] }
  const lines = v.lines ?? open
  if (!lines) return null
  const shared = dealOf(p, s, d)
  const at = shared.played.length
  return explainedOf(shared, [{ number: at + 1, lines, reason: v.reason, evidence: v.evidence }], at)
}

/** The id of the puzzle that comes next: of those that were not seen, one with a rating near to the reader's. */
export async function following(
  where: Where,
  shown: string,
  seen: readonly string[],
  rating: number,
): Promise<{ id?: string | undefined; failure?: Failure }> {
  const signal = new AbortController().signal
  const near = Math.max(0, Math.min(4000, Math.round(rating)))
  const wanted: string[] = []
  let token = ''
  do {
    const path = `/v1/klaverjas/puzzles?limit=100&near=${near}${queryOf(where)}${token && '&page_token=' + token}`
    const reply = await call<List>('GET', path, undefined, signal)
    if (!reply.ok) return { failure: reply.failure }
    wanted.push(...reply.body.puzzles.map((p) => p.id))
    token = reply.body.next_page_token ?? ''
  } while (token && wanted.every((id) => id === shown || seen.includes(id)))
  return { id: nextOf(wanted, seen, shown) }
}
