// A hand of tarok that is played on the server, with what the seat has seen of it and what the server says.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type HandGame, useHand } from '../shared/hand'
import { handText } from '../shared/session'
import { type Advice, adviceRequest, advisable } from './advice'
import { type Card, type CardName, type Player, parseCard, sorted } from './cards'
import type { Reviewed } from './review'
import { type Contract, discardable, groupOf } from './rules'
import type { Session, SessionRequest, tabs } from './session'
import { bidSteps, cards, positionAt, setupOf } from './shown'
import type { Mark } from '../shared/standing'
import type { TarokWords } from './words'

const game: HandGame<Session, SessionRequest, TarokWords, typeof import('./ondemand'), Card> = {
  base: '/v1/tarok/sessions',
  name: 'tarok-game',
  trick: 3,
  played: (s, { card }) => cards([...(s.view.played ?? []), ...(card ? [card] : [])]),
  // What was done before the first card of a hand that is over are steps too.
  first: (s) => (s.revealed ? -(s.calls.length + Number(s.group !== undefined) + s.words.length) : 0),
  calls: bidSteps,
  greets: true,
  handText,
  holds: (s, card) => s.held.includes(card as CardName),
  cardOf: parseCard,
  load: () => import('./ondemand'),
}

const nothingPut = { of: null as Session | null, group: null as number | null, away: [] as Card[] }

/** What the seat has seen. */
function useSeen(w: TarokWords) {
  const [put, set] = useState(nothingPut)
  const hand = useHand(game, w, 'advice' as (typeof tabs)[number], { part: put.away.length })
  const { session, pace, played, D, back, told } = hand
  const { group, away } = put.of === session ? put : nothingPut
  const s = D && session && pace.coming ? D.whileComing(session, told.current, pace.calls) : session
  const setup = useMemo(() => session && setupOf(session), [session])
  const position = useMemo(
    () =>
      D && session && pace.at < 0
        ? D.positionBefore(session, pace.at)
        : setup && positionAt(setup, played.slice(0, Math.max(0, pace.at))),
    [D, session, setup, played, pace.at],
  )
  useLayoutEffect(() => {
    if (session && hand.dialog === '') hand.wantsFocus.current = true
  }, [session])
  const me = s?.seat ?? 'A'
  const contract = s?.contract as Contract | undefined
  const exchanging = s?.state === 'exchange' && contract !== undefined
  // In klop the winner of each of the first six tricks gets the next card of the talon, which is then seen.
  const talon = s && position ? cards(s.talon).slice(0, contract === 'klop' ? position.tricks.length : 6) : []
  const taken = exchanging && group !== null ? groupOf({ contract, talon }, group) : []
  const whole =
    s && position ? (contract && !exchanging ? position.held[me] : sorted([...cards(s.held), ...taken])) : []
  const own = whole.filter((c) => !away.includes(c))
  const mayPut = exchanging && group !== null ? discardable(own) : []
  const legal: readonly Card[] = !s || hand.game.busy || back ? [] : s.state === 'playing' ? cards(s.legal) : mayPut
  const [chosen, choose] = useState<Card | undefined>()
  return {
    ...hand,
    s,
    me,
    contract,
    setup,
    position,
    exchanging,
    talon,
    /** The cards of the seat, those that were put aside among them; and without them. */
    whole,
    own,
    legal,
    group,
    away,
    setGroup: (group: number) => set({ of: session, group, away: [] }),
    setAway: (away: Card[]) => set({ of: session, group, away }),
    stop: chosen !== undefined && own.includes(chosen) ? chosen : (legal[0] ?? own[0]),
    chosen,
    choose,
    over: s !== null && (s.state === 'hand_over' || s.state === 'over'),
  }
}

/** A hand with all that is shown of it. */
export function useTarokHand(w: TarokWords) {
  const t = useSeen(w)
  const { s, D, tab, over, me, pace, back, group } = t
  const [looked, setSeat] = useState<Player | null>(null)
  const [asked, setAsked] = useState('')
  const seat = looked ?? me // whose decisions are reviewed
  const review = useAnswer<Reviewed>(
    tab === 'review' && over ? `${s!.id} ${s!.number} ${seat}` : '',
    '/v1/tarok/review',
    () => ({ ...s!.revealed, seat }),
  )
  const key = s ? `${s.id} ${s.acts}` : ''
  const request = D && s && advisable(s) && asked === key ? adviceRequest(s) : null
  const advice = useAnswer<Advice>(request ? key : '', request?.path ?? '', () => request!.body)
  const advised = request ? advice.value : undefined
  const marks = useMemo(
    () => (D && advised ? D.adviceMarks(w, advised, group) : new Map<Card, Mark>()),
    [D, w, advised, group],
  )
  const reviewMarks = D && tab === 'review' ? D.reviewMarks(w, review.value, pace.at) : new Map<Card, Mark>()
  const mayAsk = s !== null && !pace.coming && !back && advisable(s)
  return {
    ...t,
    seat,
    setSeat,
    review,
    key,
    setAsked,
    /** Whether advice was asked for. */
    asking: request !== null,
    advice,
    advised,
    marks: over ? reviewMarks : marks,
    mayAsk,
  }
}

export type TarokHand = ReturnType<typeof useTarokHand>
