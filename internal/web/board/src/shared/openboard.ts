// The open mode of a game: its state, its address, what happens when a card is played, or when the reader goes back and forth, drawing
// deals, the keyboard, and what the server says of the cards. What the games differ in is an OpenGame.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { type Answer, useAgain } from './answers'
import type { Failure } from './api'
import { useAsked } from './asked'
import type { Card } from './cards'
import { type CardReader, useKeys } from './controls'
import { focusFirst, focusOn, inTable, nextIn } from './focus'
import { useKeyAsked, useStatus } from './frame'
import { type Read, openHash, useAddress } from './history'
import { useLater } from './later'
import * as prefs from './prefs'
import { otherOf } from './steps'
import { useFor } from './usefor'
import type { Cut } from './variation'
import type { Words } from './words'
import { unanswered } from './solver'

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
export interface OpenGame<S extends Play, A, P, W, Shared, E, T extends string, H extends string> {
  /** The name under which the browser keeps the board. */
  page: string
  /** The tabs of the panel. The page begins with the first one. */
  tabs: readonly T[]
  reduce(s: S, a: A | Step): S
  positionOf(s: S): P
  play(p: P, c: Card): P
  refusal(p: P, c: Card): string | null
  readFragment(hash: string): Read<Shared, E>
  fragment(s: S): string
  /** What is the same as long as the deal is. */
  dealOf(s: Shared | S): string
  /** Shows what an address holds, or what was drawn with a seed. */
  deal(s: Shared, seed?: string): A
  /** Whether the state has a deal to keep. */
  there(s: S): boolean
  /** How many cards the play has. */
  size(s: S): number
  whyNot(w: W, p: P, c: Card): string
  playsText(w: W, before: P, cards: readonly Card[]): string
  turnText(w: W, p: P): string
  scoreText(w: W, p: P): string
  trickText(w: W, p: P): string
  /** What is wrong with an address. */
  errorText(w: W, e: E): string
  /** With which seed the deal was drawn. */
  seedText?(w: W, seed: string): string
  /** How cards are typed, if the pack does not have 32. */
  reader?(w: W): CardReader
  /** A card as the API writes it. */
  wire(c: Card): string
  parse(card: string): Card | null
  /** The hands in the order of play, each with the cards that lie open in it. */
  hands(p: P): readonly (readonly [H, readonly Card[]])[]
  turnOf(p: P): H
  /** The card of a hand that the Tab key reaches. */
  stopOf(p: P, hand: H, chosen: Card | undefined): Card | undefined
}

/** A deal that the server has drawn, and what is said of it; or why it could not be drawn. */
export type Drawn<Shared, W> =
  { ok: true; shared: Shared; seed?: string; says(w: W): string } | { ok: false; failure: Failure }

/** What the server says of the cards of a position: what each of them costs. */
export interface Told<W> {
  /** The position. */
  key: string
  /** Whether the server is asked about it. */
  asked: boolean
  answer: Answer<{ moves?: readonly { card: string }[] } | { card: string }>
  marks(w: W): ReadonlyMap<Card, { said: string }>
}

/** The open mode of a game. other is whether the address belongs to another mode. */
export function useOpenBoard<S extends Play, A, P, W extends Words, Shared, E, T extends string, H extends string>(
  game: OpenGame<S, A, P, W, Shared, E, T, H>,
  w: W,
  started: { state: S; error: E | null },
  other = (): boolean => false,
) {
  const [state, change] = useReducer<S, A | Step>(game.reduce, started.state)
  const [error, setError] = useState<E | null>(started.error)
  const [tab, setTab] = useState(game.tabs[0]!)
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
    wantsFocus.current = inTable()
  }
  return {
    game,
    w,
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
    /** Plays a card, or says why it may not be played. instead does something else with a card that may be. Whether it may be. */
    playCard(c: Card, instead?: () => boolean): boolean {
      if (game.refusal(position, c) !== null) {
        setRefused(c)
        say((w) => w.t('saidRefused', { card: w.card(c), why: game.whyNot(w, position, c) }))
        return false
      }
      keepFocus()
      if (instead?.()) return true
      say((w) => game.playsText(w, position, [c]))
      act({ type: 'play', cards: [c] })
      return true
    },
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

export type OpenBoard<
  S extends Play,
  A,
  P,
  W extends Words,
  Shared,
  E,
  T extends string,
  H extends string,
> = ReturnType<typeof useOpenBoard<S, A, P, W, Shared, E, T, H>>
export type AnyBoard = OpenBoard<any, any, any, any, any, any, any, any>

/**
 * The parts of a page that are loaded after it. That they cannot be loaded is said where they are wanted: for a dialog, for another tab than the
 * first, for what is wrong with the address, or for more.
 */
export const useOpenLater = <M>(board: AnyBoard, load: () => Promise<M>, more = false): M | null =>
  useLater(load, more || board.dialog !== '' || board.tab !== board.game.tabs[0] || board.error !== null, () => {
    board.close()
    board.say((w) => w.t(unanswered))
  })

/**
 * Draws deals. The first one is drawn by itself, where there is none, and nothing is said of it. answers are those that the page asks for.
 */
export function useDraw<X extends unknown[]>(
  board: AnyBoard,
  answers: readonly { failure?: Failure | undefined }[],
  ask: (...of: X) => Promise<Drawn<unknown, any>>,
): { draw(...of: X): void; failed: Failure | undefined } {
  const [failed, setFailed] = useState<Failure | undefined>()
  const first = !board.error && !board.game.there(board.state)
  const drawOne = async (silent: boolean, ...of: X) => {
    setFailed(undefined)
    const drawn = await ask(...of)
    if (!drawn.ok) return setFailed(drawn.failure)
    board.act(board.game.deal(drawn.shared, drawn.seed))
    if (!silent) board.say(drawn.says)
  }
  const drawFirst = () => void (first && drawOne(true, ...([] as unknown as X)))
  useEffect(drawFirst, [first])
  useAgain(first, drawFirst)
  useKeyAsked([...answers, { failure: failed }], () => board.setDialog('key'))
  return { draw: (...of) => void drawOne(false, ...of), failed }
}

/**
 * The table of an open mode: where the keyboard is on it, and what is read aloud of its cards. Without letters, no key of one letter does
 * anything. playCard plays the best card, where a game does more with a card than playing it.
 */
export function useOpenTable<W extends Words, H extends string>(
  board: AnyBoard & { game: { turnOf(p: any): H } },
  { key, asked, answer, marks }: Told<W>,
  letters?: Record<string, () => void>,
  playCard: (c: Card) => void = board.playCard,
) {
  const { game, state, position, say } = board
  // A hand that is to play offers its first legal card, wherever the keyboard was before.
  const [chosen, setChosen] = useFor<Partial<Record<H, Card>>>(key, {})
  const hands: readonly (readonly [H, readonly Card[]])[] = game.hands(position)
  const placeOf = (c: Card) => hands.findIndex(([, cards]) => cards.includes(c))
  const focusCard = (c: Card | undefined) => void focusOn(c === undefined ? undefined : game.wire(c))
  const focusIn = (hand: H) => focusCard(game.stopOf(position, hand, chosen[hand]))
  const home = () => focusFirst('#felt [data-turned]') || focusIn(game.turnOf(position))
  useLayoutEffect(() => {
    if (!board.wantsFocus.current) return
    board.wantsFocus.current = false
    home()
  }, [state])

  const { value } = answer
  const first = value && ('card' in value ? value : value.moves?.[0])
  const tell = useAsked(key, answer, say, [
    (w: W) => [...marks(w)].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.',
  ])
  const readValues = () => (asked ? tell(0) : say((w) => w.t('noValues')))
  const best = () => (first ? playCard(game.parse(first.card)!) : readValues())
  useKeys(
    board.dialog !== '',
    letters !== undefined && board.keys,
    {
      at: state.cursor,
      of: state.played.length,
      go: board.go,
      letters: { ...board.letters, b: best, v: readValues, ...letters },
    },
    (e, card) => {
      const c = game.parse(card.dataset['card']!)!
      const place = placeOf(c)
      const along = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      const around = { ArrowUp: -1, ArrowDown: 1 }[e.key]
      if (along) focusCard(nextIn(hands[place]![1], c, along))
      else if (around) {
        let to = place
        do to = (to + around + hands.length) % hands.length
        while (hands[to]![1].length === 0)
        if (to !== place) focusIn(hands[to]![0])
      } else return false
      return true
    },
  )
  return {
    chosen,
    best,
    home: () => void home(),
    focusIn,
    focusCard(c: Card) {
      const hand = hands[placeOf(c)]?.[0]
      if (hand !== undefined && chosen[hand] !== c) setChosen({ ...chosen, [hand]: c } as Partial<Record<H, Card>>)
    },
  }
}
