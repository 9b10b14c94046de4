// A hand of Klaverjas with hidden cards: one that is played on the server, or one that somebody follows at a real table. What the seat has seen of
// it, and what the server says.

import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type Card, parseCard, wire } from '../shared/cards'
import { type HandGame, useHand } from '../shared/hand'
import * as prefs from '../shared/prefs'
import { useRefined } from '../shared/refined'
import { handText } from '../shared/session'
import { useFor } from '../shared/usefor'
import type { Advice, Bid, CardModel, HandStrength, Knowledge, SeatReview, Session, SessionRequest } from './api'
import {
  begin,
  bidAsked,
  heard,
  heardOf,
  nothing,
  playedIn,
  sameHand,
  seenIn,
  toldAt,
  type tabs,
  whileCalled,
} from './ingame'
import { handName, help } from './helped'
import { handOf } from './rules'
import { next, seats, teamOf } from './seats'
import { type SeenAction, positionSeen, reduceSeen, seenOf, toPlay, viewOf } from './seen'
import type { Mark } from '../shared/standing'
import { type Seen, type Shared, fragment, gameFragment, readFragment } from './url'
import type { Words } from './words'

type Tab = (typeof tabs)[number]

const game: HandGame<Session, SessionRequest, Words, typeof import('./ondemand'), Card> = {
  base: '/v1/klaverjas/sessions',
  name: 'game',
  trick: 4,
  played: (s, { card }) => playedIn(s, card),
  // The calls of a hand that is over are steps before its first card.
  first: (s) => (s.revealed ? -s.calls.length : 0),
  calls: (s) => s.calls.length,
  handText,
  holds: (s, card) => !(s.view?.played as string[] | undefined)?.includes(card),
  cardOf: parseCard,
  load: () => import('./ondemand'),
}

/** The session, or the hand that is followed. */
function useEither(w: Words) {
  const started = useMemo(begin, [])
  const [playing, setPlaying] = useState(started.playing)
  const [own, change] = useReducer<Seen, SeenAction>(reduceSeen, started.seen)
  const first: Tab = started.review ? 'review' : started.playing ? 'holders' : 'advice'
  const hand = useHand(game, w, first, {
    reads: playing,
    about: playing ? null : own,
    begins() {
      if (!playing) history.pushState(null, '', gameFragment)
      setPlaying(true)
      hand.setTab('holders')
    },
  })
  useEffect(() => {
    const follow = () => {
      if (location.hash === gameFragment) return setPlaying(true)
      const read = readFragment(location.hash)
      if (!read.ok || !read.seat) return
      setPlaying(false)
      change({ type: 'set', seen: seenOf(read.shared, read.seat) })
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return { ...hand, started, playing, setPlaying, own, changeOwn: change }
}

/** What the seat has seen. known is the whole deal, where the open mode has shown it. */
function useSeen(w: Words, known: Shared | null) {
  const t = useEither(w)
  const { session: newest, pace, played, playing, own, started } = t
  const called = pace.coming ? pace.calls : 99
  const s = useMemo(() => newest && whileCalled(newest, called), [newest, called])
  const step = s ? pace.at : own.cursor
  const inGame = useMemo(() => [...played], [newest, t.game.sent])
  const seen = useMemo(
    () => (s ? seenIn(s, s === newest ? inGame : [], Math.max(0, pace.at), pace.coming) : playing ? nothing : own),
    [s, inGame, pace.at, pace.coming, playing, own],
  )
  const { seat, setup } = seen
  const position = useMemo(() => positionSeen(seen), [seen])
  const bidding = s?.state === 'bidding'
  const there = handOf(setup.holders, seat).length === 8 || bidding // there is a hand to look at
  const atEnd = seen.cursor === seen.played.length
  const heardAt = s && toldAt(s, step)
  const key = fragment(
    { setup: seenOf(seen, seat).setup, played: seen.played.slice(0, seen.cursor), cursor: seen.cursor },
    seat,
  )
  const followed = known && !playing && (started.review || own.played.length === 32) && sameHand(known, own)
  const whole: Shared | null = s?.revealed && !pace.coming ? seen : followed ? known : null
  // The address and the storage follow, before the page is shown. They hold no card that the seat has not seen, unless
  // they did from the beginning.
  useLayoutEffect(() => {
    const review = started.review && whole
    const hash = playing ? gameFragment : fragment(review ? { ...whole, cursor: own.cursor } : own, own.seat, !!review)
    if (!playing && !there) return
    if (location.hash !== hash) history.replaceState(null, '', hash)
    prefs.store({ hash, cuts: [] }, 'board')
  }, [playing, own])
  const mayTab = (x: Tab): boolean =>
    x === 'review' ? whole !== null : x === 'sheet' ? s !== null && s.hands > 1 : true
  const [chosen, choose] = useFor<Card | undefined>(key, undefined)
  const turn = toPlay(position)
  return {
    ...t,
    s,
    known,
    step,
    seen,
    seat,
    setup,
    position,
    bidding,
    there,
    atEnd,
    heardAt,
    /** What the hands are sorted by: no trump, as long as none is known. */
    ordered: heardAt?.state === 'bidding' ? null : setup.trump,
    turn,
    /** Whether a card can be played: in a game only at its end, when it is the seat's turn. */
    live: there && !bidding && (s ? atEnd && s.state === 'playing' : true),
    key,
    whole,
    mayTab,
    shownTab: mayTab(t.tab) ? t.tab : ('holders' as const),
    chosen,
    choose,
    over: s !== null && (s.state === 'hand_over' || s.state === 'over'),
  }
}

/** What to call with the hand, before its first card. */
function useCalls(t: ReturnType<typeof useSeen>) {
  const { s, there, tab, seen, bidding, setup, seat, key } = t
  const early = there && tab === 'advice' && seen.cursor === 0
  const hand = bidding ? s!.held : viewOf(seen).hand
  const strength = useAnswer<HandStrength>(early ? key + hand.join() : '', '/v1/klaverjas/hand-strength', () => ({
    rules: setup.rules,
    hand,
    seat,
    leader: setup.leader,
    declarer: teamOf(seat),
  }))
  const passes = (seats.indexOf(seat) - seats.indexOf(setup.leader)) & 3
  const followed = {
    flow: 'free',
    dealer: next(setup.leader, 3),
    calls: Array<string>(passes).fill('pass'),
    hand,
    rules: setup.rules,
  }
  const auction = bidding ? s!.auction : s ? undefined : followed
  const bid = useAnswer<Bid>(early && auction ? key + JSON.stringify(auction) : '', '/v1/klaverjas/bid', () =>
    bidAsked(auction!),
  )
  return { early, strength, auction, bid }
}

/** A hand with all that is shown of it. */
export function useKlaverjasHand(w: Words, known: Shared | null) {
  const t = useSeen(w, known)
  const { s, tab, shownTab, key, seen, bidding, there, turn, seat, whole, D } = t
  const [level, setLevel] = useState<'rules' | 'belief'>('rules')
  const [method, setMethod] = useState<'playout' | 'search'>('playout')
  const [card, setCard] = useFor<Card | null>(s && `${s.id} ${s.number}`, null)
  const [modelAt, setModelAt] = useState(99)
  const view = viewOf(seen)
  const ask = there && !bidding
  const knowledge = useAnswer<Knowledge>(ask ? key + level : '', '/v1/klaverjas/knowledge', () => ({ ...view, level }))
  const model = useAnswer<CardModel>(
    ask && card !== null && tab === 'holders' ? key + wire(card) : '',
    '/v1/klaverjas/knowledge/card',
    () => ({ ...view, card: wire(card!) }),
  )
  const advising = ask && tab === 'advice' && turn === seat
  const calls = method !== 'playout' ? {} : s ? heard(s) : t.playing ? {} : heardOf(t.own)
  const advice = useRefined<Advice>(
    advising ? key + method + JSON.stringify(calls) : '',
    '/v1/klaverjas/advise',
    () => ({ ...view, method, ...calls }),
  )
  const called = useCalls(t)
  const review = useAnswer<SeatReview>(
    tab === 'review' && whole ? fragment({ ...whole, cursor: 32 }, seat) : '',
    '/v1/klaverjas/review',
    () => {
      const { rules, trump, leader, declarer, holders } = whole!.setup
      const hands = Object.fromEntries(seats.map((s) => [s, handOf(holders, s).map(wire)]))
      return { rules, trump, leader, declarer, hands, played: whole!.played.map(wire), seat }
    },
  )
  // A hand with advice does not count for the rating: neither advice on a card nor on a call.
  const advised = s !== null && !s.revealed && (advising || called.early)
  useLayoutEffect(() => {
    if (advised) help(handName(s))
  }, [advised, s?.id, s?.number])
  const judged = D && shownTab === 'review' ? review.value : undefined
  const marksIn = (w: Words) =>
    new Map<Card, Mark>(
      judged
        ? D!.reviewMarks(w, judged.cards, seen.cursor)
        : advising && D
          ? advice.value?.cards.map((a) => [parseCard(a.card)!, D.adviceMark(w, a)])
          : [],
    )
  return {
    ...t,
    ...called,
    level,
    setLevel,
    method,
    setMethod,
    /** The card whose model is shown, and the step of the model. */
    card,
    setCard,
    modelAt,
    setModelAt,
    ask,
    knowledge,
    model,
    advising,
    advice,
    review,
    marksIn,
    marks: useMemo(() => marksIn(w), [advising, advice.value, judged, seen.cursor, w, D]),
    /** The other seat whose card is asked for. */
    asked: !s && t.live && turn !== null && turn !== seat ? turn : null,
  }
}

export type KlaverjasHand = ReturnType<typeof useKlaverjasHand>
