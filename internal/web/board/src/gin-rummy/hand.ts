// A hand of Gin Rummy as the page has it: a game against the computer, or a situation that was entered, with what the server says of it.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type HandGame, useHand } from '../shared/hand'
import { gameHash } from '../shared/history'
import { gameState, handText } from '../shared/session'
import { useFor } from '../shared/usefor'
import { type Adviser, adviceMarks } from './advice'
import { type Card, type CardName, cardOf } from './cards'
import type { Reviewed, Who } from './review'
import {
  type Advice,
  type Estimate,
  type Event,
  type Kind,
  type Melds,
  type Session,
  type SessionRequest,
  type Situation,
  afterOwn,
  beforeDraw,
  groupsOf,
  knownOf,
  laidGroups,
  mayDecide,
  situationAt,
  theirsAt,
} from './state'
import type { Mark } from '../shared/standing'
import { fragment, readFragment } from './url'
import type { GinWords } from './words'

export const tabs = ['advice', 'review', 'sheet'] as const

const game: HandGame<Session, SessionRequest, GinWords, typeof import('./ondemand'), Event> = {
  base: '/v1/gin-rummy/sessions',
  name: 'gin',
  trick: 0,
  played: (s) => s.view.events,
  handText,
  holds: (s, card) => s.view.hand.includes(card as CardName),
  cardOf,
  load: () => import('./ondemand'),
}

// Whether the address is neither of the game nor of a situation.
const isBad = (s: Situation | null): boolean => location.hash.length > 1 && location.hash !== gameHash && !s

/** The situation that was entered. Its address can be shared and looked at again. The game has none: it is the server's. */
function useEntered() {
  const [entered, enter] = useState<Situation | null>(() => readFragment(location.hash))
  const [badAddress, setBad] = useState(isBad(entered))
  return {
    entered,
    badAddress,
    show(s: Situation | null) {
      const hash = s ? (fragment(s) ?? '') : ''
      if (location.hash !== hash && (s || location.hash !== gameHash))
        history.pushState(null, '', hash || location.pathname)
      setBad(false)
      enter(s)
    },
    /** Follows the address. */
    follow(): boolean {
      const s = readFragment(location.hash)
      setBad(isBad(s))
      enter(s)
      return s !== null
    },
  }
}

/** What is on the table. */
function useTableau(w: GinWords) {
  const address = useEntered()
  const { entered } = address
  const hand = useHand(game, w, entered ? 'advice' : ((history.state?.tab ?? 'sheet') as (typeof tabs)[number]), {
    shows: !entered,
    about: entered,
    begins: () => address.show(null),
  })
  const { session, pace, back, tab, game: played } = hand
  const situation = useMemo(
    () => entered ?? (session && situationAt(session.view, pace.at)),
    [entered, session, pace.at],
  )
  const key = situation ? JSON.stringify(situation) : ''
  const known = useMemo(() => (situation ? knownOf(situation) : null), [key])
  // After an act of one's own the table is as it will be at once, before the server has answered.
  const table = useMemo(
    () => (session && played.sent.action ? knownOf(afterOwn(session.view, played.sent.action)) : known),
    [session, played.sent, known],
  )
  const [chosen, choose] = useFor<Card | undefined>(gameState(session), undefined)
  useEffect(() => {
    const follow = () => address.follow() && hand.setTab('advice')
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  // The entry of the history keeps the tab, so that a reload comes back to the review.
  useEffect(() => history.replaceState({ ...history.state, tab }, ''), [tab, played.earlier])
  const state = session?.state
  return {
    ...hand,
    ...address,
    situation,
    /** What is looked at that is not the present of the game. */
    looked: entered ?? (back ? situation : null),
    key,
    known,
    table,
    chosen,
    choose,
    actions: ((!back && session?.legal_actions) || []) as readonly Kind[],
    discarding: state === 'discard' && !played.busy && !back,
    over: state === 'hand_over' || state === 'over',
    top: table?.pile.at(-1),
  }
}

/** What the server says of it. */
function useSaid(t: ReturnType<typeof useTableau>) {
  const { situation, looked, session, key, tab, D, table, chosen, back, pace } = t
  const [adviser, setAdviser] = useState<Adviser>('playout')
  const [seat, setSeat] = useState<Who>('A') // whose decisions are reviewed
  // Between the draw and the discard of the opponent the estimate stays the same.
  const guessed = useMemo(() => situation && beforeDraw(situation), [situation])
  const estimate = useAnswer<Estimate>(guessed ? JSON.stringify(guessed) : '', '/v1/gin-rummy/estimate', () => ({
    ...guessed,
    lay_offs: undefined, // they change no estimate
  }))
  const sorted = useAnswer<Melds>(looked?.hand.join() ?? '', '/v1/gin-rummy/melds', () => ({ hand: looked!.hand }))
  const deciding = looked
    ? mayDecide(looked, sorted.value?.deadwood)
    : ['draw', 'discard', 'knock'].includes(session?.state ?? '')
  const advice = useAnswer<Advice>(
    D && tab === 'advice' && situation && deciding ? key + (session?.number ?? '') + adviser : '',
    '/v1/gin-rummy/advise',
    () => ({
      ...situation,
      ...(session && !session.revealed ? { totals: session.totals, lay_offs: session.lay_offs } : {}),
      ...(adviser === 'playout' ? {} : { player: adviser }),
    }),
  )
  const revealed = session?.revealed
  const had = useMemo(
    () => (revealed ? (back ? theirsAt(revealed.position, pace.at) : revealed.held.B) : []),
    [revealed, back, pace.at],
  )
  const theirMelds = useAnswer<Melds>(back ? had.join() : '', '/v1/gin-rummy/melds', () => ({ hand: had }))
  const review = useAnswer<Reviewed>(
    tab === 'review' && revealed ? `${session!.id} ${session!.number}` : '',
    '/v1/gin-rummy/review',
    () => revealed!.position,
  )
  const melds = (looked ? sorted.value?.best[0] : session?.melds) ?? []
  const groups = useMemo(() => groupsOf(table?.own ?? [], melds), [table, melds])
  const order = groups.flatMap((g) => g.cards)
  return {
    ...t,
    adviser,
    setAdviser,
    seat,
    setSeat,
    estimate,
    sorted,
    deciding,
    advice,
    revealed,
    had,
    theirMelds,
    review,
    deadwood: looked ? sorted.value?.deadwood : session?.deadwood,
    groups,
    order,
    stop: chosen !== undefined && order.includes(chosen) ? chosen : (table?.drawn ?? order[0]),
  }
}

type Asked = ReturnType<typeof useSaid>

// What the computer holds, as far as it lies open: after a knock, and when the round is over.
function theirsOf({ session, revealed, back, had, theirMelds }: Asked) {
  const laid = revealed?.laid.B ?? (session?.knock?.seat === 'B' ? session.knock.laid : undefined)
  const cards = () => (revealed ? had.map(cardOf) : laidGroups(laid!).flatMap((g) => g.cards))
  return {
    laid,
    lies: back ? undefined : revealed ? revealed.held.B : laid && [...laid.melds.flat(), ...laid.unmelded],
    theirs:
      revealed && back
        ? groupsOf(had.map(cardOf), theirMelds.value?.best[0] ?? [])
        : laid && groupsOf(cards(), laid.melds),
  }
}

/** A hand with all that is shown of it. */
export function useGinHand(w: GinWords) {
  const t = useSaid(useTableau(w))
  const { D, revealed, tab, review, pace, advice, estimate, situation, had } = t
  const judged = useMemo(
    () => (D && revealed && tab === 'review' ? D.reviewMarks(w, review.value, pace.at) : new Map<string, Mark>()),
    [w, D, revealed, tab, review.value, pace.at],
  )
  const marks = useMemo(() => {
    if (judged.size === 0) return adviceMarks(w, tab === 'advice' ? advice.value : undefined)
    const own = [...judged].filter(([key]) => situation?.hand.some((c) => c === key))
    return new Map(own.map(([key, mark]): [Card, Mark] => [cardOf(key), mark]))
  }, [w, tab, advice.value, judged, situation])
  const shares = useMemo(() => {
    const out = new Map<Card, Mark>()
    for (const c of estimate.value ? had : []) {
      const n = Math.round(100 * estimate.value!.probabilities[c]!)
      const tone = n >= 50 ? 'v-best' : n >= 25 ? 'v-some' : 'v-much'
      out.set(cardOf(c), { text: `${n}%`, said: w.g('cShare', { n }), tone })
    }
    for (const [key, mark] of judged) if ((had as string[]).includes(key)) out.set(cardOf(key), mark)
    return out
  }, [w, had, estimate.value, judged])
  return { ...t, ...theirsOf(t), judged, marks, shares }
}

export type GinHand = ReturnType<typeof useGinHand>
