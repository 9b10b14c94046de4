// A hand of Belote that is played on the server, with what has been seen of it and what the server says.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type Card, parseCard } from '../shared/cards'
import { type HandGame, useHand } from '../shared/hand'
import { gameHash } from '../shared/history'
import * as prefs from '../shared/prefs'
import { handText } from '../shared/session'
import { type Advice, type Bid, adviceMarks } from './advice'
import type { Reviewed } from './review'
import { type Player, opponent, replay, turnOf } from './rules'
import { asSeen, viewBody } from './seen'
import {
  type Session,
  type SessionRequest,
  callSteps,
  cards,
  isOver,
  setupOf,
  type tabs,
  whileCalled,
  wholeOf,
} from './session'
import { nothing } from './state'
import type { BeloteWords } from './words'

const game: HandGame<Session, SessionRequest, BeloteWords, typeof import('./ondemand'), Card> = {
  base: '/v1/belote/sessions',
  name: 'belote-game',
  trick: 2,
  played: (s, { card }) => cards([...(s.view?.played ?? []), ...(card ? [card] : [])]),
  // The calls of a hand that is over are steps before its first card.
  first: (s) => (s.revealed ? -s.calls.length : 0),
  calls: callSteps,
  greets: true,
  handText,
  holds: (s, card) => (s.legal as string[]).includes(card),
  cardOf: parseCard,
  load: () => import('./ondemand'),
}

/** What both players have seen. */
function useSeen(w: BeloteWords) {
  const hand = useHand(game, w, 'modeHidden' as (typeof tabs)[number])
  const { session, pace, played: all, total, still, told } = hand
  const called = pace.coming ? pace.calls : 99
  const s = useMemo(() => session && whileCalled(session, told.current, called), [session, called])
  useEffect(() => prefs.store({ hash: gameHash, cuts: [] }, 'belote'), [])
  const me = s?.seat ?? 'A'
  const suits = s?.suits ?? []
  const dealt = useMemo(() => (s ? setupOf(s) : nothing), [s])
  const cursor = Math.max(0, pace.at) // behind the last card the reader has gone back, or the cards are coming
  const played = all.slice(0, cursor)
  const bidding = s?.state === 'bidding'
  const setup = bidding ? dealt : asSeen(dealt, played)
  const shown = replay(setup, played)
  const position = pace.at < 0 ? { ...shown, finished: true } : shown // nobody is to play yet
  const live = s?.state === 'playing' && cursor === total && !still
  // An earlier position can be asked about too.
  const mayPlay = !position.finished && !pace.coming && turnOf(position) === me
  const myTurn = s !== null && (bidding ? !still : mayPlay && (cursor < total || (live && !hand.game.sent.card)))
  return {
    ...hand,
    s,
    me,
    computer: opponent(me),
    suits,
    dealt,
    cursor,
    bidding,
    setup,
    position,
    contract: s?.declarer !== undefined,
    over: s !== null && isOver(s) && !pace.coming,
    live,
    myTurn,
    mayAsk: myTurn && !position.finished,
    body: s?.view ? viewBody(setup, suits, played) : null,
    whole: useMemo(() => (s ? wholeOf(s) : null), [s]),
  }
}

/** A hand with all that is shown of it. */
export function useBeloteHand(w: BeloteWords) {
  const t = useSeen(w)
  const { s, D, tab, body, myTurn, whole, pace, cursor, me } = t
  const [chosen, choose] = useState<Partial<Record<Player, Card>>>({})
  const [looked, setSeat] = useState<Player | null>(null)
  const advice = useAnswer<Advice>(
    D && tab === 'advice' && body && myTurn ? JSON.stringify(body) : '',
    '/v1/belote/advise',
    () => body,
  )
  const auction = s?.auction
  const bid = useAnswer<Bid>(
    tab === 'advice' && auction && myTurn ? JSON.stringify(auction) : '',
    '/v1/belote/bid',
    () => auction,
  )
  const review = useAnswer<Reviewed>(
    tab === 'review' && whole && !pace.coming ? `${s!.id} ${s!.number}` : '',
    '/v1/belote/review',
    () => s!.revealed,
  )
  const marks = useMemo(
    () =>
      tab === 'review' && whole && D ? D.reviewMarks(w, review.value?.cards, cursor) : adviceMarks(w, advice.value),
    [w, tab, whole, D, review.value, cursor, advice.value],
  )
  return {
    ...t,
    chosen,
    choose,
    /** Whose cards are reviewed. */
    seat: looked ?? me,
    setSeat,
    advice,
    auction,
    bid,
    review,
    marks,
  }
}

export type BeloteHand = ReturnType<typeof useBeloteHand>
