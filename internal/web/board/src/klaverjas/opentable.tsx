// The table with all cards open: what can be played, with the mouse and with the keyboard, and the values of the server.
// The board and its embedded form have it.

import { type Answer, useAnswer } from '../shared/answers'
import { useAsked } from '../shared/asked'
import { type Card, parseCard, wire } from '../shared/cards'
import { useKeys } from '../shared/controls'
import { useFor } from '../shared/usefor'
import { type OpenGame, useFocus, type useOpenBoard } from '../shared/openboard'
import type { Solution } from './api'
import { bodyOf } from './panel'
import { type Position, complete, play, refusal, turnOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { type Seat, next, sorted } from './seats'
import { type Action, type State, keyOf, positionOf, reduce } from './state'
import { losses, stopOf, whyNot } from './table'
import { type Shared, fragment, readFragment } from './url'
import type { Text, Words } from './words'

const trickText = (w: Words, p: Position): string => {
  const { cards, leader } = p.trick
  if (cards.length === 0) return w.t('saidEmpty', { turn: turnText(w, p) })
  return cards.map((c, i) => w.t('said', { seat: w.seat(next(leader, i)), card: w.card(c) })).join(' ')
}

/** Klaverjas with all cards open. */
export const game: OpenGame<State, Action, Position, Words, Shared, Text> = {
  page: 'board',
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
  dealOf: (s) => JSON.stringify(s.setup),
  deal: (shared) => ({ type: 'deal', ...shared }),
  there: (s) => s.setup.holders !== '.'.repeat(32),
  size: () => 32,
}

interface OpenTable {
  solution: Answer<Solution>
  /** The card of each hand that the Tab key reaches, where the keyboard has chosen one. */
  roving: Partial<Record<Seat, Card>>
  /** Plays the best card. */
  best(): void
  focusIn(seat: Seat): void
  focusCard(c: Card): void
}

/**
 * The table of a board. Without asks, the server is not asked for values. Without letters, no key of one letter does
 * anything.
 */
export function useOpenTable<E, T extends string>(
  board: ReturnType<typeof useOpenBoard<State, Action, Position, Words, Shared, E, T>>,
  asks: boolean,
  letters?: Record<string, () => void>,
): OpenTable {
  const { state, position, say, playCard } = board
  const valued = asks && complete(state.setup.holders) && !position.finished
  const key = keyOf(state)
  // A hand that is to play offers its first legal card, wherever the keyboard was before.
  const [roving, setRoving] = useFor<Partial<Record<Seat, Card>>>(key, {})
  const solution = useAnswer<Solution>(valued ? key : '', '/v1/klaverjas/solve', () => ({
    ...bodyOf(state, state.played.slice(0, state.cursor)),
    goal: 'moves',
  }))

  // Focus goes to the hand that is to play, and never to nothing.
  const focusIn = (seat: Seat) => {
    const c = stopOf(position, seat, roving[seat])
    const target =
      c === undefined ? document.getElementById('undo') : document.querySelector(`#felt [data-card="${wire(c)}"]`)
    if (target instanceof HTMLElement) target.focus()
  }
  useFocus(board.wantsFocus, state, () => focusIn(state.seat))

  const focusCard = (c: Card) => {
    const seat = state.setup.holders[c] as Seat
    if (roving[seat] !== c) setRoving({ ...roving, [seat]: c })
  }
  const valuesText = (w: Words): string => {
    const loss = losses(position, solution.value)
    const hand = sorted(position.held[turnOf(position)], state.setup.trump).filter((c) => loss.has(wire(c)))
    return (
      hand
        .map(
          (c) => `${w.card(c)}, ${loss.get(wire(c)) === 0 ? w.t('isBest') : w.t('loses', { n: loss.get(wire(c))! })}`,
        )
        .join('; ') + '.'
    )
  }
  const tell = useAsked(key, solution, say, [valuesText])
  const readValues = () => (valued ? tell(0) : say((w) => w.t('noValues')))
  const best = () => {
    const c = solution.value?.moves?.[0]
    if (c) playCard(parseCard(c.card)!)
    else readValues()
  }

  useKeys(
    board.dialog !== '',
    letters !== undefined && board.keys,
    { at: state.cursor, of: state.played.length, go: board.go, letters: { b: best, v: readValues, ...letters } },
    (e, card) => {
      const c = parseCard(card.dataset['card']!)!
      const seat = state.setup.holders[c] as Seat
      const hand = sorted(position.held[seat], state.setup.trump)
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      const turnStep = { ArrowUp: -1, ArrowDown: 1 }[e.key]
      if (step) {
        const to = hand[(hand.indexOf(c) + step + hand.length) % hand.length]!
        document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
      } else if (turnStep) {
        let to = seat
        do to = next(to, turnStep + 4)
        while (position.held[to].length === 0)
        focusIn(to)
      } else return false
      return true
    },
  )
  return { solution, roving, best, focusIn, focusCard }
}
