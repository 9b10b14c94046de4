// A hand at the table with the players of the server: the session and its pace, what is read aloud, where the keyboard is, taking back, and
// what the page shows beside it. What the games differ in is a HandGame.

import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { Failure } from './api'
import { useKeys } from './controls'
import type { BackToGame } from './earlier'
import { inTable } from './focus'
import { useKeyAsked, useStatus } from './frame'
import { useLater } from './later'
import { usePace } from './pace'
import * as prefs from './prefs'
import { type Game, gameState, useBegin, useGame } from './session'
import type { Words } from './words'
import { unanswered } from './solver'

export { focusFirst, inTable, nextIn } from './focus'

/** What the session of every game has. */
type Session = { id: string; number: number; acts: number; state: string; takeback?: boolean; revealed?: unknown }

/** What every game loads after its page. */
interface Later<S, Q, W> {
  /** What has happened since a session that was told before. */
  news(w: W, s: S, before: S | null): string
  HandDialogs: unknown // handdialogs.tsx, which needs the type of a hand
  BackToGame: typeof BackToGame
  requestLike(): Q
}

/** A game whose hands are played on the server. */
export interface HandGame<S, Q, W, M, P> {
  /** The path of the sessions, and the name under which the browser keeps the id of one. */
  base: string
  name: string
  /** The cards of a trick, after which the pace has a pause; 0 where everything is shown at once. */
  trick: number
  /** What was played, with the card that was sent to the server. Each is a step. */
  played(s: S, sent: Game<S, Q>['sent']): readonly P[]
  /** The first step: what was said before the first card has negative numbers. */
  first?(s: S): number
  /** The steps of the calls that come one by one. */
  calls?(s: S): number
  /** Whether the session that the page finds is told too. */
  greets?: boolean
  /** Which hand is looked at. */
  handText(w: W, s: S): string
  /** Whether the seat has a card, as the API writes it. */
  holds(s: S, card: string): boolean
  cardOf(text: string): number | null
  load(): Promise<M>
}

/** What a page adds to a hand. */
interface Beside {
  /** Whether the session is read, and whether it is shown; if it is not, about is what the page shows instead. */
  reads?: boolean
  shows?: boolean
  about?: unknown
  /** What the reader has done of the next act: a sentence about it vanishes with it. */
  part?: number
  /** Is called when another session begins. */
  begins?(): void
}

interface Seen<T> {
  tab: T
  dialog: string
  keys: boolean
  /** The card that was refused last. */
  refused: number | null
}

/** The hand of a page. tab is the one that it begins with. */
export function useHand<
  S extends Session,
  Q extends object,
  W extends Words,
  M extends Later<S, Q, W>,
  P,
  T extends string,
>(of: HandGame<S, Q, W, M, P>, w: W, tab: T, { reads = true, shows = reads, about, part = 0, begins }: Beside = {}) {
  const game = useGame<S, Q>(reads, of.base, of.name)
  const [seen, change] = useReducer((now: Seen<T>, to: Partial<Seen<T>>): Seen<T> => ({ ...now, ...to }), {
    tab,
    dialog: '',
    keys: prefs.shortcuts(),
    refused: null,
  })
  const session = shows ? game.shown : null
  const earlier = game.earlier > 0
  const played = session ? of.played(session, game.sent) : []
  const total = played.length
  const [first, calls] = session ? [of.first?.(session) ?? 0, of.calls?.(session) ?? 0] : [0, 0]
  const pace = usePace(session ? `${session.id} ${session.number}` : '', total, of.trick, { earlier, first, calls })
  const still = game.busy || pace.coming
  const [said, say] = useStatus(w, session ? gameState(session) + part : about, still)
  const wantsFocus = useRef(false)
  const told = useRef<S | null>(null)
  const begun = useRef(false)
  const latest = useRef(session)
  latest.current = session
  const close = () => change({ dialog: '' })
  const D = useLater(of.load, seen.dialog !== '' || seen.tab !== tab || session !== null || about != null, () => {
    close()
    say((w) => w.t(unanswered))
  })
  const begin = (q: Q) => {
    begins?.()
    pace.fresh()
    wantsFocus.current = true
    begun.current = true
    void game.start(q)
  }
  useBegin(game, of.name, D && (() => begin(D.requestLike())))
  useEffect(() => {
    if (earlier) say((w) => of.handText(w, session!))
  }, [game.earlier])

  return {
    ...seen,
    reads,
    game,
    /** What is looked at: the session, or an earlier hand of it. */
    session,
    earlier,
    played,
    total,
    first,
    pace,
    /** Whether nothing can be done now. */
    still,
    /** Whether an earlier position is looked at. */
    back: pace.at < total && !pace.coming,
    said,
    say,
    D,
    wantsFocus,
    /** The session that was told last. */
    told,
    change,
    setTab: (tab: T) => change({ tab }),
    open: (dialog: string) => change({ dialog }),
    close,
    begin,
    end() {
      wantsFocus.current = true
      game.end()
      say('')
    },
    /** Reads aloud what has happened since the session that was told last, once all of it is shown. */
    tell() {
      const before = told.current
      if (!session || session === before || earlier || pace.at < total) return
      const silent = !before && !of.greets && !begun.current // it was found
      if (!D && !silent) return
      told.current = session
      begun.current = false
      if (!silent) say((w: W) => D!.news(w, session, before))
    },
    /** Does an act. A call or a card is shown before the server has answered, and the card is back if it is refused. */
    async act(path: string, more: object = {}, focus = true) {
      const { action, card = action?.card } = more as { card?: string; action?: { card?: string } }
      change({ refused: null })
      pace.show(total + Number(path === 'play' || path === 'call'))
      wantsFocus.current ||= focus
      const after = await game.act(path, more)
      if (!after && card && latest.current && of.holds(latest.current, card))
        say((w) => w.t('saidUndone', { card: w.card(of.cardOf(card)!) }), true)
    },
    /** Goes to a mistake that was found in a review, once the hand is over, and says what it was. */
    jump<R>(
      go: (to: number) => void,
      over: boolean,
      review: R | undefined,
      find: (D: M, review: R) => { number: number; text(w: W): string } | undefined,
    ) {
      change({ tab: 'review' as T })
      if (!over) return say((w) => w.t('reviewLater'))
      if (!D || !review) return
      const found = find(D, review)
      if (found) go(found.number - 1)
      say((w: W) => found?.text(w) ?? w.t('noError'))
    },
    /** Goes to a step, and says what text makes of it. What was not told yet is not told any more. */
    go(to: number, text: (w: W, n: number) => string) {
      pace.go(to, (n) => {
        told.current = session
        wantsFocus.current ||= inTable()
        say((w: W) => text(w, n))
      })
    },
  }
}

type Hand = Pick<
  ReturnType<typeof useHand>,
  'dialog' | 'keys' | 'still' | 'wantsFocus' | 'pace' | 'total' | 'first' | 'tell' | 'open'
> & { game: { failure: Failure | undefined } }

/** What the keyboard and the news of a hand need of its page. */
interface Table {
  /** What the page asks the server for, beside the session. */
  answers: readonly { failure?: Failure | undefined }[]
  go(to: number): void
  letters: Record<string, () => void>
  /** A key that is pressed on a card: whether it did something. */
  cardKey(e: KeyboardEvent, card: HTMLElement): boolean
  /** Puts the keyboard on what may be done next. */
  home(): void
  /** Puts it into the hand while an answer is awaited and the card that had it is gone. */
  hold(): void
  /** The step and the last one, where the page shows another play than that of a session. */
  at?: number
  of?: number
}

/** Keeps the keyboard at the table, and tells what has happened there. */
export function useTable(
  hand: Hand,
  { answers, go, letters, cardKey, home, hold, at = hand.pace.at, of = hand.total }: Table,
): void {
  const { dialog, still, wantsFocus } = hand
  useKeyAsked([hand.game, ...answers], () => hand.open('key'))
  useLayoutEffect(() => {
    if (still) {
      if (wantsFocus.current && document.activeElement === document.body) hold()
      return
    }
    hand.tell()
    if (!wantsFocus.current || dialog) return
    wantsFocus.current = false
    home()
  })
  useKeys(
    dialog !== '',
    hand.keys,
    { at, of, first: hand.first, go, letters: { ...letters, '?': () => hand.open('help') } },
    cardKey,
  )
}

export type AnyHand = ReturnType<typeof useHand<any, any, any, any, any, any>>
