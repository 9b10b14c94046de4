// The table with all cards open, and the values of the server. The board and its embedded form have it.

import { type Answer, useAnswer } from '../shared/answers'
import { type Card, parseCard, wire } from '../shared/cards'
import type { OpenBoard, OpenGame, Told } from '../shared/openboard'
import type { Mark } from '../shared/standing'
import type { Solution } from './api'
import { type Tab, bodyOf, tabs } from './panel'
import { type Position, complete, play, refusal, turnOf } from './rules'
import { playsText, scoreText, trickText, turnText } from './say'
import { type Seat, seats, sorted } from './seats'
import { type Action, type State, keyOf, positionOf, reduce } from './state'
import { costMark, losses, stopOf, whyNot } from './table'
import { type Shared, fragment, readFragment } from './url'
import type { Text, Words } from './words'

/** Klaverjas with all cards open. */
export const game: OpenGame<State, Action, Position, Words, Shared, Text, Tab, Seat> = {
  page: 'board',
  tabs,
  reduce,
  positionOf,
  play,
  refusal,
  readFragment,
  fragment,
  whyNot,
  playsText,
  turnText,
  scoreText,
  trickText,
  errorText: (w, e) => w.t(...e),
  dealOf: (s) => JSON.stringify(s.setup),
  deal: (shared) => ({ type: 'deal', ...shared }),
  there: (s) => s.setup.holders !== '.'.repeat(32),
  size: () => 32,
  wire,
  parse: parseCard,
  hands: (p) => seats.map((s) => [s, sorted(p.held[s], p.setup.trump)]),
  turnOf,
  stopOf,
}

export type KlaverjasBoard<E = Text> = OpenBoard<State, Action, Position, Words, Shared, E, Tab, Seat>

/** The values of the cards on a board. Without asks, the server is not asked for them. */
export function useValues<E>(
  { state, position }: KlaverjasBoard<E>,
  asks: boolean,
): { solution: Answer<Solution>; told: Told<Words> } {
  const asked = asks && complete(state.setup.holders) && !position.finished
  const key = keyOf(state)
  const solution = useAnswer<Solution>(asked ? key : '', '/v1/klaverjas/solve', () => ({
    ...bodyOf(state, state.played.slice(0, state.cursor)),
    goal: 'moves',
  }))
  const marks = (w: Words) => {
    const loss = losses(position, solution.value)
    const hand = sorted(position.held[turnOf(position)], state.setup.trump).filter((c) => loss.has(wire(c)))
    return new Map(hand.map((c): [Card, Mark] => [c, costMark(w, loss.get(wire(c))!)]))
  }
  return { solution, told: { key, asked, answer: solution, marks } }
}
