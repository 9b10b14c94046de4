// The open mode of a game: its state, its address, and what happens when a card is played, or when the reader goes back
// and forth. What the games differ in is an OpenGame.

import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { Card } from './cards'
import { useStatus } from './frame'
import { type Read, openHash, useAddress } from './history'
import * as prefs from './prefs'
import { otherOf } from './steps'
import type { Cut } from './variation'
import type { Words } from './words'

/** What the state of every game has. */
interface Play {
  setup: unknown
  played: Card[]
  cursor: number
  cuts: Cut[]
  seed?: string
}

/** What every game does. */
type Step = { type: 'play'; cards: readonly Card[] } | { type: 'go'; to: number }

/** A game with all cards open. */
export interface OpenGame<S extends Play, A, P, W, Shared, E> {
  /** The name under which the browser keeps the board. */
  page: string
  reduce(s: S, a: A | Step): S
  positionOf(s: S): P
  play(p: P, c: Card): P
  refusal(p: P, c: Card): string | null
  readFragment(hash: string): Read<Shared, E>
  fragment(s: S): string
  /** What is the same as long as the deal is. */
  dealOf(s: Shared | S): string
  /** Shows what an address holds. */
  deal(s: Shared): A
  /** Whether the state has a deal to keep. */
  there(s: S): boolean
  /** How many cards the play has. */
  size(s: S): number
  whyNot(w: W, p: P, c: Card): string
  playsText(w: W, before: P, cards: readonly Card[]): string
  turnText(w: W, p: P): string
  scoreText(w: W, p: P): string
  trickText(w: W, p: P): string
}

/** The open mode of a game. other is whether the address belongs to another mode. */
export function useOpenBoard<S extends Play, A, P, W extends Words, Shared, E, T extends string>(
  game: OpenGame<S, A, P, W, Shared, E>,
  w: W,
  started: { state: S; error: E | null },
  first: T,
  other = (): boolean => false,
) {
  const [state, change] = useReducer<S, A | Step>(game.reduce, started.state)
  const [error, setError] = useState<E | null>(started.error)
  const [tab, setTab] = useState(first)
  const [dialog, setDialog] = useState('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [refused, setRefused] = useState<Card | null>(null)
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const position = useMemo(() => game.positionOf(state), [state.setup, state.played, state.cursor])
  const [said, say] = useStatus(w, position)

  const act = (action: A | Step) => {
    setError(null)
    setRefused(null)
    change(action)
  }
  useAddress(
    game.page,
    state,
    game.dealOf(state),
    error || !game.there(state) ? null : { hash: game.fragment(state), cuts: state.cuts, seed: state.seed },
    () => {
      if (other()) return null
      const from = game.readFragment(location.hash)
      if (!from.ok) {
        if (location.hash.length > 1 && location.hash !== openHash) setError(from.error)
        return null
      }
      setError(null)
      change(game.deal(from.shared))
      return game.dealOf(from.shared)
    },
  )

  // What is done at the table leaves the keyboard there.
  const keepFocus = () => {
    wantsFocus.current = document.activeElement?.closest('#felt') != null
  }
  return {
    state,
    error,
    tab,
    setTab,
    dialog,
    setDialog,
    said,
    say,
    keys,
    setKeys,
    refused,
    field,
    position,
    act,
    wantsFocus,
    keepFocus,
    close: () => setDialog(''),
    /** The keys of one letter that do the same in every game. */
    letters: {
      s: () => say((w) => game.scoreText(w, position)),
      t: () => say((w) => game.trickText(w, position)),
      '/': () => field.current?.focus(),
      '?': () => setDialog('help'),
    },
    /** Plays a card, or says why it may not be played. instead does something else with a card that may be. */
    playCard(c: Card, instead?: () => boolean) {
      if (game.refusal(position, c) !== null) {
        setRefused(c)
        return say((w) => w.t('saidRefused', { card: w.card(c), why: game.whyNot(w, position, c) }))
      }
      keepFocus()
      if (instead?.()) return
      say((w) => game.playsText(w, position, [c]))
      act({ type: 'play', cards: [c] })
    },
    /** Plays a card that was typed, and returns whether it may be played. */
    mayPlay: (c: Card) => game.refusal(position, c) === null,
    playLine(cards: readonly Card[]) {
      const before = cards.slice(0, -1).reduce(game.play, position)
      say((w) => game.playsText(w, before, cards.slice(-1)))
      act({ type: 'play', cards })
    },
    go(to: number) {
      const after = game.reduce(state, { type: 'go', to })
      if (after.cursor === state.cursor) return
      keepFocus()
      const n = Math.min(after.cursor + 1, game.size(state))
      say((w) =>
        w.t(to === state.cursor - 1 ? 'saidBack' : 'saidGo', { n, turn: game.turnText(w, game.positionOf(after)) }),
      )
      act({ type: 'go', to })
    },
    /** Goes to the next or previous card of a review that cost something. */
    jump<C extends { number: number; cost: number }>(
      by: 1 | -1,
      cards: readonly C[] | undefined,
      text: (w: W, c: C) => string,
    ) {
      const found = otherOf(cards?.filter((c) => c.cost > 0) ?? [], by, state.cursor)
      if (!found) return cards ? say((w) => w.t('noMistake')) : undefined
      keepFocus()
      say((w) => text(w, found))
      act({ type: 'go', to: found.number - 1 })
    },
  }
}

/** Puts the keyboard where it belongs after a change that was made at the table, and never to nothing. */
export function useFocus(wanted: { current: boolean }, state: unknown, focus: () => void): void {
  useLayoutEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    focus()
  }, [state])
}
