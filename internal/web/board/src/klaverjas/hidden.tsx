// The hidden mode: the board as one seat sees it. Either somebody follows a hand of their own, or plays with the
// players of the server.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { useAsked } from '../shared/asked'
import { type Card, type CardName, type Suit, parseCard, wire } from '../shared/cards'
import {
  AdviceButtons,
  CardField,
  Controls,
  HelpButton,
  PaceChoice,
  Skip,
  Tabs,
  TakeBackButton,
  useKeys,
} from '../shared/controls'
import { Header, KeyDialog, ModeSwitch, useKeyAsked, useStatus, useNarrow } from '../shared/frame'
import { useLater } from '../shared/later'
import { usePace } from '../shared/pace'
import * as prefs from '../shared/prefs'
import { useRefined } from '../shared/refined'
import { gameState, handText, useBegin, useGame } from '../shared/session'
import { Trouble } from '../shared/trouble'
import type { Lang } from '../shared/words'
import type { Advice, Bid, CardModel, HandStrength, Knowledge, SeatReview, Session, SessionRequest } from './api'
import { Contract } from './contract'
import {
  bidAsked,
  begin,
  flowKey,
  heard,
  heardOf,
  nothing,
  requestFrom,
  playedIn,
  sameDeal,
  sameHand,
  seenIn,
  toldAt,
  whileCalled,
} from './ingame'
import { Score } from './panel'
import { handName, help } from './rating'
import { handOf, refusal, replay } from './rules'
import { contractText, playsText, scoreText, turnText } from './say'
import { next, seats, sorted, teamOf } from './seats'
import { type SeenAction, positionSeen, reduceSeen, seenOf, toPlay, viewOf } from './seen'
import { type Mark, SeenTable } from './seentable'
import { stopOf, whyNot } from './table'
import { type Seen, type Shared, fragment, gameFragment, mayHave, readFragment } from './url'
import { type Words, useWords } from './words'

type Open = '' | 'stop' | 'play' | 'enter' | 'rules' | 'share' | 'help' | 'key'
const tabs = ['holders', 'advice', 'review', 'sheet'] as const
type Tab = (typeof tabs)[number]

export function Hidden({
  setLang,
  known,
  first,
  toOpen,
}: {
  setLang(l: Lang): void
  known: Shared | null
  /** The game to begin with. */
  first: SessionRequest | null
  /** Goes to the open mode; with again, to try the position again. */
  toOpen(shared?: Shared, again?: boolean): void
}) {
  const w = useWords()
  const started = useMemo(begin, [])
  const [playing, setPlaying] = useState(started.playing)
  const [own, change] = useReducer<Seen, SeenAction>(reduceSeen, started.seen)
  const game = useGame<Session, SessionRequest>(playing, '/v1/klaverjas/sessions', 'game')
  const newest = playing ? game.shown : null
  const earlier = game.earlier > 0
  const [tab, setTab] = useState<Tab>(started.review ? 'review' : started.playing ? 'holders' : 'advice')
  const [level, setLevel] = useState<'rules' | 'belief'>('rules')
  const [method, setMethod] = useState<'playout' | 'search'>('playout')
  const [card, setCard] = useState<Card | null>(null)
  const [modelAt, setModelAt] = useState(99)
  const [dialog, setDialog] = useState<Open>('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Card | undefined>()
  const [refused, setRefused] = useState<Card | null>(null)
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  const inGame = useMemo(() => (newest ? playedIn(newest, game.sent.card) : []), [newest, game.sent])
  // The calls of a hand that is over are steps before its first card.
  const firstStep = newest?.revealed ? -newest.calls.length : 0
  const pace = usePace(newest ? newest.id + newest.number : '', inGame.length, 4, {
    earlier,
    first: firstStep,
    calls: newest?.calls.length ?? 0,
  })
  const [said, say] = useStatus(w, newest ? gameState(newest) : own, game.busy || pace.coming)
  const called = pace.coming ? pace.calls : 99
  const session = useMemo(() => newest && whileCalled(newest, called), [newest, called])
  const step = session ? pace.at : own.cursor
  const seen = useMemo(
    () =>
      session
        ? seenIn(session, session === newest ? inGame : [], Math.max(0, pace.at), pace.coming)
        : playing
          ? nothing
          : own,
    [session, inGame, pace.at, pace.coming, playing, own],
  )
  const heardAt = session && toldAt(session, step)
  // What the hands are sorted by: no trump, as long as none is known.
  const ordered = heardAt?.state === 'bidding' ? null : seen.setup.trump
  const { seat, setup } = seen
  const position = useMemo(() => positionSeen(seen), [seen])
  const bidding = session?.state === 'bidding'
  const there = handOf(setup.holders, seat).length === 8 || bidding // there is a hand to look at
  const atEnd = seen.cursor === seen.played.length
  const turn = toPlay(position)
  // Whether a card can be played: in a game only at its end, when it is the seat's turn.
  const live = there && !bidding && (session ? atEnd && session.state === 'playing' : true)
  const view = viewOf(seen)
  const key = fragment(
    { setup: seenOf(seen, seat).setup, played: seen.played.slice(0, seen.cursor), cursor: seen.cursor },
    seat,
  )
  const whole: Shared | null =
    session?.revealed && !pace.coming
      ? seen
      : !playing && known && (started.review || own.played.length === 32) && sameHand(known, own)
        ? known
        : null

  const ask = there && !bidding
  const knowledge = useAnswer<Knowledge>(ask ? key + level : '', '/v1/klaverjas/knowledge', () => ({ ...view, level }))
  const model = useAnswer<CardModel>(
    ask && card !== null && tab === 'holders' ? key + wire(card) : '',
    '/v1/klaverjas/knowledge/card',
    () => ({ ...view, card: wire(card!) }),
  )
  const advising = ask && tab === 'advice' && turn === seat
  const calls = method !== 'playout' ? {} : session ? heard(session) : playing ? {} : heardOf(own)
  const advice = useRefined<Advice>(
    advising ? key + method + JSON.stringify(calls) : '',
    '/v1/klaverjas/advise',
    () => ({ ...view, method, ...calls }),
  )
  const early = there && tab === 'advice' && seen.cursor === 0
  const hand = bidding ? session!.held : view.hand
  const strength = useAnswer<HandStrength>(early ? key + hand.join() : '', '/v1/klaverjas/hand-strength', () => ({
    rules: setup.rules,
    hand,
    seat,
    leader: setup.leader,
    declarer: teamOf(seat),
  }))
  const auction = bidding
    ? session!.auction
    : session
      ? undefined
      : {
          flow: 'free',
          dealer: next(setup.leader, 3),
          calls: Array<string>((seats.indexOf(seat) - seats.indexOf(setup.leader)) & 3).fill('pass'),
          hand,
          rules: setup.rules,
        }
  const bid = useAnswer<Bid>(early && auction ? key + JSON.stringify(auction) : '', '/v1/klaverjas/bid', () =>
    bidAsked(auction!),
  )
  const review = useAnswer<SeatReview>(
    tab === 'review' && whole ? fragment({ ...whole, cursor: 32 }, seat) : '',
    '/v1/klaverjas/review',
    () => {
      const { rules, trump, leader, declarer, holders } = whole!.setup
      const hands = Object.fromEntries(seats.map((s) => [s, handOf(holders, s).map(wire)]))
      return { rules, trump, leader, declarer, hands, played: whole!.played.map(wire), seat }
    },
  )
  const mayTab = (t: Tab): boolean =>
    t === 'review' ? whole !== null : t === 'sheet' ? session !== null && session.hands > 1 : true
  const shownTab = mayTab(tab) ? tab : 'holders'

  // The address and the storage follow, before the page is shown. They hold no card that the seat has not seen, unless
  // they did from the beginning.
  useLayoutEffect(() => {
    const review = started.review && whole
    const hash = playing ? gameFragment : fragment(review ? { ...whole, cursor: own.cursor } : own, own.seat, !!review)
    if (!playing && !there) return
    if (location.hash !== hash) history.replaceState(null, '', hash)
    prefs.store({ hash, cuts: [] }, 'board')
  }, [playing, own])
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

  const D = useLater(
    () => import('./ondemand'),
    there || dialog !== '',
    () => {
      setDialog('')
      say((w) => w.t('offline'))
    },
  )

  // A hand with advice does not count for the rating: neither advice on a card nor on a call.
  const advised = session !== null && !session.revealed && (advising || early)
  useLayoutEffect(() => {
    if (advised) help(handName(session))
  }, [advised, session?.id, session?.number])

  useKeyAsked([knowledge, model, advice, strength, bid, review, game], () => setDialog('key'))

  useEffect(() => setCard(null), [session?.id, session?.number])
  useEffect(() => {
    if (earlier) say((w) => handText(w, session!))
  }, [game.earlier])
  // What has happened since a session is read aloud when all of it has been shown.
  const untold = useRef<{ before: Session | null } | null>(null)
  useLayoutEffect(() => {
    if (!untold.current || !newest || newest === untold.current.before || game.busy || pace.coming || !atEnd) return
    sayPlays(untold.current.before, newest)
    untold.current = null
  }, [session, seen, game.busy])

  const inTable = () => document.activeElement !== document.body && document.activeElement?.closest('#felt') !== null
  const playCard = (c: Card) => {
    if (game.busy) return
    if (!live || (turn !== seat && session) || turn === null) return session && pace.show(seen.played.length)
    if (
      turn === seat ? refusal(position, c) !== null : !mayHave(position, seat, c, seen.played.slice(0, seen.cursor))
    ) {
      setRefused(c)
      return say(
        (w) =>
          w.t('saidRefused', {
            card: w.card(c),
            why: turn === seat ? whyNot(w, position, c) : w.t('cannotHave', { seat: w.seat(turn) }),
          }),
        true,
      )
    }
    setRefused(null)
    wantsFocus.current = inTable()
    if (!session) {
      say((w) => playsText(w, position, [c]))
      return change({ type: 'play', card: c })
    }
    void act('play', { card: wire(c) })
  }
  const act = async (
    path: 'call' | 'play' | 'next' | 'claim' | 'takeback',
    more: { card?: CardName; call?: string },
  ) => {
    pace.show(seen.played.length + (path === 'play' || path === 'call' ? 1 : 0))
    wantsFocus.current = true
    untold.current = { before: newest }
    const after = await game.act(path, more)
    if (after) return
    untold.current = null
    const { card } = more
    if (card && latest.current && !latest.current.view?.played.includes(card))
      say((w) => w.t('saidUndone', { card: w.card(parseCard(card)!) }), true)
  }
  const latest = useRef(session)
  latest.current = session
  // Reads what has been played since a session, and after the bidding who plays for what.
  const sayPlays = (before: Session | null, after: Session) => {
    const played = playedIn(after)
    const { setup } = seenIn(after, played, 0)
    const began = before?.id !== after.id
    const same = before?.number === after.number && !began
    const from = same ? (before.view?.played.length ?? 0) : 0
    const contract = began || (same && !before.view)
    const calls = after.calls.slice(same && before.calls.length <= after.calls.length ? before.calls.length : 0)
    say((w) => {
      const parts = (contract || after.state === 'bidding' ? calls : []).map((c) =>
        w.t('said', { seat: w.seat(c.seat), card: c.call === 'pass' ? w.t('passes') : w.suit(c.call as Suit) }),
      )
      if (after.state === 'bidding') return [...parts, w.t('saidCall')].join(' ')
      if (contract && after.view)
        parts.push(w.t('saidPlays', { team: w.team(after.view.declarer), trump: w.suit(after.view.trump) }))
      return [...parts, playsText(w, replay(setup, played.slice(0, from)), played.slice(from))].join(' ')
    })
  }
  const go = (to: number) => {
    const at = Math.max(firstStep, Math.min(to, seen.played.length))
    if (at === step) return
    if (pace.coming && at === seen.played.length) return pace.show(at)
    untold.current = null
    wantsFocus.current = inTable()
    say((w) =>
      at < 0
        ? D!.callStepText(w, session!, at)
        : w.t('saidGo', { n: Math.min(32, at + 1), turn: turnText(w, positionSeen({ ...seen, cursor: at })) }),
    )
    if (!session) return change({ type: 'go', to: at })
    pace.show(at)
  }
  const contract = (c: Partial<Omit<Seen['setup'], 'holders'>>) => {
    const action = { type: 'contract', change: c } as const
    const after = reduceSeen(own, action)
    say((w) => contractText(w, positionSeen(after), own.played.length, after.played.length))
    change(action)
  }
  const mayPlay = live && turn === seat
  const mayClaim = session?.settled === true && mayPlay && !game.busy
  const claim = () => (mayClaim ? void act('claim', {}) : say((w) => w.t('noClaim')))
  const best = () => (advice.value && mayPlay ? playCard(parseCard(advice.value.card)!) : say((w) => w.t('askFirst')))
  const jump = (by: 1 | -1) => {
    if (!whole) return say((w) => w.t('reviewLater'))
    setTab('review')
    if (!review.value || !D) return
    const found = D.otherMistake(review.value.cards, by, seen.cursor, atEnd && seen.cursor === 32)
    if (!found) return say((w) => w.t('noError'))
    go(found.number - 1)
    say((w) => D.verdictText(w, found))
  }
  const start = async (request: Parameters<typeof game.start>[0]) => {
    pace.fresh()
    if (!playing) history.pushState(null, '', gameFragment)
    setPlaying(true)
    setTab('holders')
    wantsFocus.current = true
    untold.current = { before: newest }
    if (!(await game.start(request))) untold.current = null
  }

  useEffect(() => {
    if (first) void start(first)
  }, [])
  useBegin(game, 'game', D && (() => void start(D.requestLike())))

  const over = session !== null && (session.state === 'hand_over' || session.state === 'over')
  // Focus goes to the hand, and never to nothing.
  const focusHand = () => {
    const c = there ? stopOf(position, seat, chosen) : undefined
    const target = bidding
      ? document.querySelector('[data-call]')
      : c !== undefined && live
        ? document.querySelector(`#felt [data-card="${wire(c)}"]`)
        : document.querySelector(game.busy || pace.coming ? '#last' : '#next-hand, #again, #undo, #lobby-play')
    if (target instanceof HTMLElement) target.focus()
  }
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    if (game.busy || pace.coming) {
      // the card that had the focus is on the table
      if (there && document.activeElement === document.body) focusHand()
      return
    }
    wantsFocus.current = false
    focusHand()
  }, [seen, dialog, game.busy])
  useEffect(() => setChosen(undefined), [key])

  const judged = D && shownTab === 'review' ? review.value : undefined
  const marksIn = (w: Words) =>
    new Map<Card, Mark>(
      judged
        ? D!.reviewMarks(w, judged.cards, seen.cursor)
        : advising && D
          ? advice.value?.cards.map((a) => [parseCard(a.card)!, D.adviceMark(w, a)])
          : [],
    )
  const marks = useMemo(() => marksIn(w), [advising, advice.value, judged, seen.cursor, w, D])
  const marksText = (w: Words): string => {
    const marks = marksIn(w)
    return (
      sorted([...marks.keys()], setup.trump)
        .map((c) => `${w.card(c)}, ${marks.get(c)!.said}`)
        .join('; ') + '.'
    )
  }
  const callText = (w: Words): string =>
    bid.value
      ? w.t('saidAdvice', { what: bid.value.call === 'pass' ? w.t('pass') : w.suit(bid.value.call as Suit) })
      : ''
  const cardText = (w: Words): string => w.t('saidAdvice', { what: w.card(parseCard(advice.value!.card)!) })
  const tell = useAsked(key, bidding ? bid : advice, say, bidding ? [callText, callText] : [cardText, marksText])
  // The card that was said to be advised. If the last answer advises another one, that is said too.
  const told = useRef<{ key: string; card: CardName | undefined } | null>(null)
  useEffect(() => {
    if (told.current?.key !== key || !advice.value || bidding) return
    const { card } = advice.value
    if (told.current.card === undefined) told.current.card = card
    else if (!advice.refining && told.current.card !== card) say(cardText)
  }, [key, advice.value, advice.refining])
  // Asks for advice, and says what it is: 0 the best card, 1 what each card costs.
  const askAdvice = (which: 0 | 1) => {
    setTab('advice')
    told.current = { key, card: advice.value?.card }
    if (bidding || (there && turn === seat)) tell(which)
    else say((w) => (turn === null ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.seat(turn) })))
  }
  const trickText = (w: Words): string => {
    const p = position
    if (p.trick.cards.length === 0) return w.t('saidEmpty', { turn: turnText(w, p) })
    return p.trick.cards
      .map((c, i) => w.t('said', { seat: w.seat(next(p.trick.leader, i)), card: w.card(c) }))
      .join(' ')
  }
  const open = () =>
    toOpen(session && whole ? { setup: seen.setup, played: seen.played, cursor: seen.cursor } : undefined)

  useKeys(
    dialog !== '',
    keys,
    {
      at: step,
      of: seen.played.length,
      first: firstStep,
      go,
      letters: {
        a: () => askAdvice(0),
        b: best,
        v: () => askAdvice(1),
        s: () => say((w) => scoreText(w, position)),
        t: () => say(trickText),
        ...(session && { r: claim }),
        n: () => jump(1),
        p: () => jump(-1),
        '/': () => field.current?.focus(),
        m: open,
        '?': () => setDialog('help'),
      },
    },
    (e, at) => {
      const cards = sorted(position.held[seat], ordered)
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (!step) return false
      const to = cards[(cards.indexOf(parseCard(at.dataset['card']!)!) + step + cards.length) % cards.length]!
      document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
      return true
    },
  )

  const asked = !session && live && turn !== null && turn !== seat ? turn : null
  const narrow = useNarrow()
  const begins = (
    <>
      {!playing && there && (
        <>
          {known && sameDeal(known, own) && (
            <div class="segments seats" role="group" aria-label={w.t('seatShown')}>
              <span class="lead-in" aria-hidden="true">
                {w.t('seatShown')}
              </span>
              {seats.map((s) => (
                <button
                  type="button"
                  key={s}
                  id={'seat-' + s}
                  aria-pressed={s === seat}
                  title={w.seat(s)}
                  aria-label={w.seat(s)}
                  onClick={() =>
                    change({ type: 'set', seen: seenOf({ ...known, played: own.played, cursor: own.cursor }, s) })
                  }>
                  {w.seat(s).charAt(0)}
                </button>
              ))}
            </div>
          )}
          <Contract setup={setup} change={contract} />
          <button type="button" id="rules" onClick={() => setDialog('rules')}>
            {w.t('rules')}
          </button>
        </>
      )}
      <span class="grow" />
      {D && earlier && <D.BackToGame game={game} />}
      {there && (
        <button type="button" id="play" onClick={() => setDialog('play')}>
          {w.t(session ? 'newGame' : 'playIt')}
        </button>
      )}
      {there && (
        <button type="button" id="enter" onClick={() => setDialog('enter')}>
          {w.t('enterOwnShort')}
        </button>
      )}
      {session?.revealed && !pace.coming && (
        <button type="button" id="share" onClick={() => setDialog('share')}>
          {w.t('share')}
        </button>
      )}
      {session && <PaceChoice />}
      {session ? (
        <button type="button" id="stop" onClick={() => setDialog('stop')}>
          {w.t('stopGame')}…
        </button>
      ) : (
        there && (
          <button type="button" id="share" onClick={() => setDialog('share')}>
            {w.t('share')}
          </button>
        )
      )}
    </>
  )
  return (
    <>
      <Skip to={focusHand} />
      <Header page="klaverjas" setLang={setLang} mode={<ModeSwitch mode="hidden" change={open} />}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main class="hidden-mode">
        <h1 class="vh">{w.t('titleHidden')}</h1>
        <div class="bar" role="group" aria-label={w.t('contract')}>
          {session && (
            <p class="deal-line" id="deal-line">
              {session.hands > 1 && <span>{handText(w, session)}</span>}
              {bidding ? (
                <span>{w.t(flowKey(session.bidding))}</span>
              ) : (
                <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
              )}
              {!bidding && (
                <span>
                  {session.called_by
                    ? w.t('seatDeclares', { seat: w.seat(session.called_by) })
                    : w.t('teamDeclares', { team: w.team(setup.declarer) })}
                </span>
              )}
              <span>{w.t('youAre', { seat: w.seat(seat) })}</span>
            </p>
          )}
          {!narrow && begins}
        </div>
        {game.news === 'conflict' && (
          <p class="notice" id="conflict">
            {w.t('newsConflict')}
          </p>
        )}
        {game.news === 'gone' && (
          <p class="notice bad" id="gone">
            {w.t('newsGone')}{' '}
            <button type="button" onClick={() => setDialog('play')}>
              {w.t('newGame')}
            </button>
          </p>
        )}
        {game.refused && (
          <p class="notice bad" id="refused">
            {w.t('failed', { detail: game.refused })}
          </p>
        )}
        {playing && <Trouble game={game} />}
        <div class="page">
          <div class="play">
            {there ? (
              <SeenTable
                position={position}
                seat={seat}
                live={live && !game.busy}
                gathers={session !== null && (atEnd || pace.coming)}
                marks={marks}
                late={advising && !advice.value && !advice.failure}
                chosen={chosen}
                refused={refused}
                playCard={playCard}
                focusCard={setChosen}
                trump={ordered}
                role={(s) => D && heardAt && <D.Role session={heardAt} seat={s} />}
                skip={() => pace.coming && pace.show(seen.played.length)}>
                {D && bidding ? (
                  <D.Auction
                    session={session!}
                    busy={game.busy}
                    coming={pace.coming}
                    call={(c) => void act('call', { call: c })}
                  />
                ) : D && heardAt && session!.calls.length > 0 && seen.cursor === 0 ? (
                  <section class="auction over" aria-label={w.t('bidding')}>
                    <D.CallTable session={heardAt} asked={D.askedAt(session!, step)} />
                  </section>
                ) : undefined}
              </SeenTable>
            ) : (
              <div class="felt lobby" id="felt">
                {game.busy ? (
                  <p class="late">{w.t('dealing')}</p>
                ) : (
                  <>
                    <h2>{w.t('lobby')}</h2>
                    <p>{w.t('lobbyHint')}</p>
                    <p class="row">
                      <button type="button" class="main" id="lobby-play" onClick={() => setDialog('play')}>
                        {w.t('playIt')}
                      </button>{' '}
                      <button type="button" onClick={() => setDialog('enter')}>
                        {w.t('enterOwnShort')}
                      </button>
                    </p>
                  </>
                )}
              </div>
            )}
            {over && !pace.coming && D && (
              <D.Result
                session={session}
                earlier={earlier}
                busy={game.busy}
                next={() => void act('next', {})}
                again={() => setDialog('play')}
              />
            )}
            {there && (
              <Controls at={step} of={seen.played.length} first={firstStep} go={go}>
                {!over && (
                  <AdviceButtons
                    asking={bidding || mayPlay}
                    best={advice.value && mayPlay}
                    ask={() => askAdvice(0)}
                    follow={best}
                  />
                )}
                {!earlier && (
                  <TakeBackButton
                    session={newest}
                    off={game.busy || pace.coming}
                    act={() => void act('takeback', {})}
                  />
                )}
                {D && mayClaim && <D.ClaimButton busy={game.busy} claim={claim} />}
                {!bidding && !over && (
                  <CardField
                    label={asked ? w.t('fieldOf', { seat: w.seat(asked) }) : w.t('field')}
                    field={field}
                    say={say}
                    play={(c) => {
                      playCard(c)
                      return true
                    }}
                  />
                )}
              </Controls>
            )}
            <p class="status">
              <span id="status" role="status">
                {said || null}
              </span>
              {game.busy && there && (
                <span class="late" aria-hidden="true">
                  {' '}
                  {w.t('thinking')}
                </span>
              )}
            </p>
            {narrow && <div class="bar">{begins}</div>}
            {D && card !== null && ask && shownTab === 'holders' && (
              <D.Model
                card={card}
                seat={seat}
                answer={model}
                at={modelAt}
                go={setModelAt}
                close={() => {
                  const from =
                    document.querySelector<HTMLElement>(`[data-model="${wire(card)}"]`) ??
                    document.getElementById('tab-holders')
                  setCard(null)
                  from?.focus()
                }}
              />
            )}
          </div>
          {there && (
            <aside class="panel" aria-label={w.t('score')}>
              {!bidding && <Score position={position} />}
              {!bidding && session && session.calls.length > 0 && (
                <details id="calls-made">
                  <summary>{w.t('bidding')}</summary>
                  {D && <D.CallTable session={session} />}
                </details>
              )}
              <Tabs text={w.t} list={tabs.filter(mayTab)} label={w.t('seenBy')} tab={shownTab} set={(t) => setTab(t)}>
                {D && shownTab === 'holders' && (
                  <D.HoldersTab
                    bidding={bidding}
                    seat={seat}
                    answer={knowledge}
                    level={level}
                    setLevel={setLevel}
                    chosen={card}
                    asked={asked}
                    play={playCard}
                    choose={(c) => {
                      setCard(c === card ? null : c)
                      setModelAt(99)
                    }}
                  />
                )}
                {D && shownTab === 'advice' && (
                  <>
                    {advising && (
                      <D.AdvicePanel
                        answer={advice}
                        declares={setup.declarer === teamOf(seat)}
                        method={method}
                        setMethod={setMethod}
                        playCard={playCard}
                      />
                    )}
                    {!advising && !bidding && (
                      <p class="hint">
                        {position.finished ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.seat(turn!) })}
                      </p>
                    )}
                    {early && auction && (
                      <D.BidPanel answer={bid} passed={!session && auction.calls.length > 0} rules={setup.rules} />
                    )}
                    {early && <D.Strength answer={strength} />}
                  </>
                )}
                {D && shownTab === 'review' && (
                  <D.SeatReviewPanel
                    answer={review}
                    shared={whole!}
                    cursor={seen.cursor}
                    go={go}
                    jump={jump}
                    playFrom={() => void start(requestFrom(whole!, seen.cursor, D.lastPlayers()))}
                    again={() => toOpen({ setup: whole!.setup, played: whole!.played, cursor: seen.cursor }, true)}
                  />
                )}
                {D && shownTab === 'sheet' && <D.Sheet session={game.session!} game={game} />}
              </Tabs>
            </aside>
          )}
        </div>
      </main>
      {dialog === 'play' && D && <D.PlayDialog close={() => setDialog('')} begin={(r) => void start(r)} />}
      {dialog === 'enter' && D && (
        <D.EnterDialog
          setup={playing ? nothing.setup : setup}
          played={playing ? [] : own.played}
          heard={playing ? undefined : own.heard}
          own={seat}
          close={() => setDialog('')}
          use={({ setup, played, seat, heard }) => {
            const entered = { setup, played, cursor: played.length, seat, heard }
            if (playing) history.pushState(null, '', fragment(entered, seat))
            setPlaying(false)
            setTab('advice')
            change({ type: 'set', seen: entered })
          }}
        />
      )}
      {dialog === 'rules' && D && (
        <D.RulesDialog rules={setup.rules} close={() => setDialog('')} use={(rules) => contract({ rules })} />
      )}
      {dialog === 'share' &&
        D &&
        (session?.revealed ? (
          <D.RecordDialog close={() => setDialog('')} say={say} session={session} sheet={game.session!} />
        ) : (
          <D.ShareDialog close={() => setDialog('')} say={say} />
        ))}
      {dialog === 'help' && D && <D.HelpDialog hidden close={() => setDialog('')} keys={keys} setKeys={setKeys} />}
      {dialog === 'stop' && D && (
        <D.StopDialog
          close={() => setDialog('')}
          stop={() => {
            wantsFocus.current = true
            game.end()
            say('')
          }}
        />
      )}
      {dialog === 'key' && <KeyDialog close={() => setDialog('')} />}
    </>
  )
}
