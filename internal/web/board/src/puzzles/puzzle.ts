// A puzzle and its solution, as the server gives them, and what follows from them.

import type * as Schemas from '../contract'
import { type Failure, call } from '../shared/api'
import { type Card, parseCard } from '../shared/cards'
import { type Explanation, explainedOf } from '../klaverjas/mistake'
import { type Rules, type Setup, holdersOf } from '../klaverjas/rules'
import type { Shared } from '../klaverjas/url'
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

/** The same with all hands, when the puzzle is solved. */
export function dealOf(p: Puzzle, s: Solution): Shared {
  const shared = sharedOf(p)
  return { ...shared, setup: { ...shared.setup, holders: holdersOf(s.hands) } }
}

type Value = Solution['values'][number]

/** The card beside which the best one is shown: the one that was chosen or, if that is the best one, the second best. */
export const comparedWith = (s: Solution, chosen: string): Value =>
  s.values.find((v) => v.card === chosen && v.cost > 0) ?? s.values[1]!

/** Why a card is a mistake, if it has lines. */
export function explanationOf(p: Puzzle, s: Solution, v: Value): Explanation | null {
  const [best] = s.values
  const open = v.line && best?.line && { played: [v.card, ...v.line], best: [best.card, ...best.line] }
  const lines = v.lines ?? open
  if (!lines) return null
  const shared = dealOf(p, s)
  const at = shared.played.length
  return explainedOf(shared, [{ number: at + 1, lines, reason: v.reason, evidence: v.evidence }], at)
}

/**
 * The id of the puzzle that follows another one in the list: the first one that is not done, else any other one, else
 * none.
 */
export async function following(
  where: Where,
  after: string,
  done: ReadonlySet<string>,
): Promise<{ id?: string; failure?: Failure }> {
  const signal = new AbortController().signal
  let other: string | undefined
  for (const first of after ? [after, ''] : ['']) {
    let token = first
    do {
      const path = `/v1/klaverjas/puzzles?limit=100${queryOf(where)}${token && '&page_token=' + token}`
      const reply = await call<List>('GET', path, undefined, signal)
      if (!reply.ok) return { failure: reply.failure }
      for (const { id } of reply.body.puzzles) {
        if (id === after) continue
        if (!done.has(id)) return { id }
        other ??= id
      }
      token = reply.body.next_page_token ?? ''
    } while (token)
  }
  return other ? { id: other } : {}
}
