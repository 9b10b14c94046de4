// The hidden mode: a game with a player of the server with the cards below face down, and what can be known.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { useAsked } from '../shared/asked'
import { type Card, parseCard, wire } from '../shared/cards'
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
import { gameHash } from '../shared/history'
import { useLater } from '../shared/later'
import { usePace } from '../shared/pace'
import * as prefs from '../shared/prefs'
import { gameState, handText, useBegin } from '../shared/session'
import { Trouble } from '../shared/trouble'
import type { Lang } from '../shared/words'
import { type Advice, AdvicePanel, type Bid, BidPanel, Dealt, Outcome, Unseen, Written, adviceMarks } from './advice'
import { keyRows } from './help'
import { Score } from './panel'
import { Auction, Calls, stepText } from './play'
import { type Player, opponent, refusal, replay, turnOf, upOf } from './rules'
import type { Reviewed } from './review'
import { newsText, scoreText, turnText } from './say'
import { asSeen, unseenOf, viewBody } from './seen'
import {
  type Call,
  type Session,
  type SessionRequest,
  callSteps,
  cards,
  isOver,
  likeIt,
  setupOf,
  useBeloteGame,
  whileCalled,
  wholeOf,
} from './session'
import { type Shared, nothing } from './state'
import { BeloteTable, focusOn, stopOf, whyNot } from './table'
import { type BeloteWords, useBelote } from './words'

type Open = '' | 'play' | 'share' | 'stop' | 'help' | 'key'
const tabs = ['modeHidden', 'advice', 'review'] as const
type Tab = (typeof tabs)[number]

export function HiddenBelote({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(shared?: Shared): void }) {
  const w = useBelote()
  const [tab, setTab] = useState<Tab>('modeHidden')
  const [dialog, setDialog] = useState<Open>('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Partial<Record<Player, Card>>>({})
  const [refused, setRefused] = useState<Card | null>(null)
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const game = useBeloteGame()
  const newest = game.shown
  const told = useRef<Session | null>(null) // what was read aloud last
  const earlier = game.earlier > 0
  const { card: sent } = game.sent
  const all = useMemo(() => cards([...(newest?.view?.played ?? []), ...(sent ? [sent] : [])]), [newest, sent])
  // The calls of a hand that is over are steps before its first card.
  const firstStep = newest?.revealed ? -newest.calls.length : 0
  const pace = usePace(newest ? `${newest.id} ${newest.number}` : '', all.length, 2, {
    earlier,
    first: firstStep,
    calls: newest ? callSteps(newest) : 0,
  })
  const called = pace.coming ? pace.calls : 99
  const still = game.busy || pace.coming // nothing can be done now
  const [said, say] = useStatus(w, gameState(newest), still)
  const s = useMemo(() => newest && whileCalled(newest, told.current, called), [newest, called])
  const me = s?.seat ?? 'A'

  const [looked, setSeat] = useState<Player | null>(null)
  const seat = looked ?? me // whose cards are reviewed
  const suits = s?.suits ?? []
  const dealt = useMemo(() => (s ? setupOf(s) : nothing), [s])
  const count = all.length
  const cursor = Math.max(0, pace.at) // behind the last card the reader has gone back, or the cards are coming
  const played = all.slice(0, cursor)
  const bidding = s?.state === 'bidding'
  const setup = bidding ? dealt : asSeen(dealt, played)
  const shown = replay(setup, played)
  const position = pace.at < 0 ? { ...shown, finished: true } : shown // nobody is to play yet
  const contract = s?.declarer !== undefined
  const over = s !== null && isOver(s) && !pace.coming
  const live = s?.state === 'playing' && cursor === count && !still
  // An earlier position can be asked about too.
  const myTurn =
    s !== null &&
    (bidding
      ? !still
      : !position.finished && !pace.coming && turnOf(position) === me && (cursor < count || (live && !sent)))

  const body = s?.view ? viewBody(setup, suits, played) : null
  const D = useLater(
    () => import('./ondemand'),
    tab !== 'modeHidden' || dialog !== '' || (s !== null && s.hands > 1),
    () => {
      setDialog('')
      say((w) => w.t('offline'))
    },
  )
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
  const whole = useMemo(() => (s ? wholeOf(s) : null), [s])
  const review = useAnswer<Reviewed>(
    tab === 'review' && whole && !pace.coming ? `${s!.id} ${s!.number}` : '',
    '/v1/belote/review',
    () => s!.revealed,
  )
  const marks = useMemo(
    () => (tab === 'review' && whole && D ? D.reviewMarks(w, review.value, cursor) : adviceMarks(w, advice.value)),
    [w, tab, whole, D, review.value, cursor, advice.value],
  )

  useKeyAsked([advice, bid, review, game], () => setDialog('key'))
  useEffect(() => prefs.store({ hash: gameHash, cuts: [] }, 'belote'), [])

  const begin = (r: SessionRequest) => {
    wantsFocus.current = true
    pace.fresh()
    void game.start(r)
  }
  useBegin(game, 'belote-game', D && (() => begin(D.requestLike())))
  const inTable = () => document.activeElement?.closest('#felt') != null
  const focusIn = (p: Player) => focusOn(stopOf(position, p, chosen[p]))
  // What may be done next: the next hand, a call, or a card.
  const toTable = () => {
    const choice = ['#next-hand, #again, #lobby-play', '.calls button'].map((x) =>
      document.querySelector<HTMLElement>(x),
    )
    const first = choice.find((x) => x !== null)
    if (first) first.focus()
    else focusIn(me)
  }
  // Once the cards have come: one sentence for all of them, and the focus is on what may be done next.
  useLayoutEffect(() => {
    if (still) {
      // the card or the button that had the focus is gone
      if (wantsFocus.current && document.activeElement === document.body) focusOn(stopOf(position, me, undefined))
      return
    }
    if (s && s !== told.current && !earlier) {
      const before = told.current
      say((w) => newsText(w, s, before))
      told.current = s
    }
    if (!wantsFocus.current || dialog) return
    wantsFocus.current = false
    toTable()
  })
  // After an act that was refused the card is back.
  const latest = useRef(s)
  latest.current = s
  useEffect(() => {
    if (earlier) say((w) => handText(w, s!))
  }, [game.earlier])
  const act = async (path: string, more: { card?: ReturnType<typeof wire>; call?: Call }) => {
    setRefused(null)
    const after = await game.act(path, more)
    const { card } = more
    if (!after && card && latest.current?.legal.includes(card))
      say((w) => w.t('saidUndone', { card: w.card(parseCard(card)!) }), true)
  }
  const playCard = (c: Card) => {
    if (still) return false
    if (!live || turnOf(position) !== me || refusal(position, c) !== null) {
      setRefused(c)
      say(
        (w) =>
          w.t('saidRefused', {
            card: w.card(c),
            why:
              cursor < count
                ? w.b('notNow')
                : turnOf(position) !== me
                  ? w.t('turn', { seat: w.player(turnOf(position)) })
                  : whyNot(w, position, c),
          }),
        true,
      )
      return false
    }
    if (inTable()) {
      // The card is gone at once: the focus waits on the next card of the player.
      wantsFocus.current = true
      focusOn(upOf(position, me).find((x) => x !== c))
    }
    pace.show(all.length + 1)
    void act('play', { card: wire(c) })
    return true
  }
  const call = (c: Call) => {
    wantsFocus.current = true
    pace.show(1)
    void act('call', { call: c })
  }
  const next = () => {
    if (still) return
    wantsFocus.current = true
    void act('next', {})
  }
  const go = (to: number) =>
    pace.go(to, (n) => {
      wantsFocus.current ||= inTable()
      if (n < 0) return say((w) => stepText(w, s!.calls.slice(0, n)))
      say((w) =>
        w.t(to === cursor - 1 ? 'saidBack' : 'saidGo', {
          n: Math.min(n + 1, 8 * suits.length),
          turn: turnText(w, replay(dealt, all.slice(0, n))),
        }),
      )
    })
  const jump = (by: 1 | -1) => {
    setTab('review')
    if (!whole) return say((w) => w.t('reviewLater'))
    if (!D) return
    const found = review.value && D.mistakeOf(review.value, seat, by, cursor)
    if (found) go(found.number - 1)
    if (review.value) say((w) => (found ? D.verdictText(w, found) : w.t('noError')))
  }
  const best = () => {
    if (advice.value && live) playCard(parseCard(advice.value.card)!)
    else say((w) => w.t('askFirst'))
  }
  const valuesText = (w: BeloteWords): string => {
    const marks = adviceMarks(w, advice.value)
    return [...marks].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.'
  }
  const callText = (w: BeloteWords): string =>
    bid.value ? w.t('saidAdvice', { what: bid.value.call === 'pass' ? w.t('pass') : w.suit(bid.value.call) }) : ''
  const cardText = (w: BeloteWords): string => w.t('saidAdvice', { what: w.card(parseCard(advice.value!.card)!) })
  const tell = useAsked(
    JSON.stringify(auction ?? body),
    bidding ? bid : advice,
    say,
    bidding ? [callText, callText] : [cardText, valuesText],
  )
  const mayAsk = myTurn && !position.finished
  // Asks for advice, and says what it is: 0 the best card, 1 what each card costs.
  const askAdvice = (which: 0 | 1) => {
    setTab('advice')
    if (mayAsk) tell(which)
    else say((w) => (position.finished ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.player(turnOf(position)) })))
  }

  useKeys(
    dialog !== '',
    keys,
    {
      at: pace.at,
      of: count,
      first: firstStep,
      go,
      letters: {
        a: () => askAdvice(0),
        b: best,
        v: () => askAdvice(1),
        n: () => jump(1),
        p: () => jump(-1),
        s: () => say((w) => scoreText(w, position)),
        t: () =>
          say((w) =>
            position.led === null
              ? w.t('saidEmpty', { turn: turnText(w, position) })
              : w.t('said', { seat: w.player(position.leader), card: w.card(position.led) }),
          ),
        '/': () => field.current?.focus(),
        m: () => toOpen(),
        '?': () => setDialog('help'),
      },
    },
    (e, card) => {
      const c = parseCard(card.dataset['card']!)!
      const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
      const up = upOf(position, p)
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (step) focusOn(up[(up.indexOf(c) + step + up.length) % up.length])
      else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
        if (upOf(position, opponent(p)).length > 0) focusIn(opponent(p))
      } else return false
      return true
    },
  )

  const close = () => setDialog('')
  const computer = opponent(me)
  const last = s?.results[s.results.length - 1]
  // While the last cards come, what follows from them is not shown.
  const results = (game.session?.results ?? []).filter((r) => earlier || over || r.number < s!.number)
  // In the middle of the table, where it can be seen without scrolling. An earlier position shows its trick there.
  const result =
    s && whole && last && over && cursor === count ? (
      <section class="auction" id="result" aria-labelledby="result-title">
        <h2 id="result-title">{w.t('result')}</h2>
        {contract ? (
          <Outcome score={last.score} setup={setup} />
        ) : (
          <p class="verdict made" id="outcome">
            <span>
              {scoreText(w, position)} {w.b('noContract')}
            </span>
          </p>
        )}
        <Written score={last.score} />
        <p class="calls">
          <button type="button" id="review" onClick={() => setTab('review')}>
            {w.t('review')}
          </button>
          {earlier ? null : s.state === 'hand_over' ? (
            <button type="button" class="main" id="next-hand" aria-disabled={still} onClick={next}>
              {w.t('nextHand')}
            </button>
          ) : (
            <button type="button" class="main" id="again" onClick={() => begin(likeIt(s))}>
              {w.t('playAgain')}
            </button>
          )}
        </p>
      </section>
    ) : undefined
  const narrow = useNarrow()
  const begins = (
    <>
      {D && earlier && <D.BackToGame game={game} />}
      <button type="button" id="play" onClick={() => setDialog('play')}>
        {w.t(s ? 'newGame' : 'playIt')}
      </button>
      {whole && !pace.coming && (
        <button type="button" id="share" onClick={() => setDialog('share')}>
          {w.t('share')}
        </button>
      )}
      {s && <PaceChoice />}
      {s && (
        <button type="button" id="stop" onClick={() => setDialog('stop')}>
          {w.t('stopGame')}…
        </button>
      )}
    </>
  )
  return (
    <>
      <Skip to={toTable} />
      <Header page="belote" setLang={setLang} mode={<ModeSwitch mode="hidden" change={() => toOpen()} />}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main>
        <h1 class="vh">{w.b('title')}</h1>
        <div class="bar">
          {s && (
            <p class="deal-line">
              {s.hands > 1 && <span id="hand-of">{handText(w, s)}</span>}
              <span>{w.b('suitsShown', { suits: suits.map(w.suit).join(', ') })}</span>
              {!bidding && (
                <span id="contract">
                  {contract
                    ? w.b('contractShown', {
                        trump: w.trump(setup.trump),
                        player: w.player(setup.declarer),
                        n: whole && last && over ? last.score.needed : setup.threshold,
                      })
                    : w.b('noContract')}
                </span>
              )}
            </p>
          )}
          {!narrow && (
            <>
              <span class="grow" />
              {begins}
            </>
          )}
        </div>
        {game.news && (
          <p class="notice" id="news">
            {w.t(game.news === 'gone' ? 'newsGone' : 'newsConflict')}
          </p>
        )}
        {game.refused && (
          <p class="notice bad" id="refused">
            {w.t('failed', { detail: game.refused })}
          </p>
        )}
        <Trouble game={game} />
        <div class="page">
          <div class="play">
            {!s ? (
              <div class="felt lobby" id="felt">
                <h2>{w.t('lobby')}</h2>
                <p>{w.b('lobbyHint')}</p>
                <button type="button" class="main" id="lobby-play" onClick={() => setDialog('play')}>
                  {w.t('playIt')}
                </button>
              </div>
            ) : (
              <BeloteTable
                position={position}
                bottom={me}
                roles={{ [me]: w.b('you'), [computer]: w.b('computer') } as Record<Player, string>}
                live={(p) => p === me && live}
                marks={marks}
                late={tab === 'advice' && myTurn && !advice.value}
                chosen={chosen}
                refused={refused}
                gathers={cursor === count || pace.coming}
                hurry={() => pace.coming && pace.show(all.length)}
                playCard={playCard}
                focusCard={(c) => {
                  const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
                  if (chosen[p] !== c) setChosen({ ...chosen, [p]: c })
                }}>
                {bidding ? (
                  <Auction session={s} busy={still} call={call} />
                ) : over && cursor === 0 && s.calls.length > 0 ? (
                  <section class="auction over" aria-labelledby="bidding-title">
                    <h2 id="bidding-title">{w.t('bidding')}</h2>
                    <Calls calls={pace.at < 0 ? s.calls.slice(0, pace.at) : s.calls} />
                  </section>
                ) : (
                  result
                )}
              </BeloteTable>
            )}
            {s && (
              <Controls at={pace.at} of={count} total={8 * suits.length} first={firstStep} go={go}>
                <AdviceButtons asking={mayAsk} best={advice.value && live} ask={() => askAdvice(0)} follow={best} />
                {!earlier && <TakeBackButton session={newest} off={still} act={() => void act('takeback', {})} />}
                <CardField label={w.t('field')} field={field} say={say} play={playCard} />
              </Controls>
            )}
            <p class="status" id="status" role="status">
              {said || null}
            </p>
            {game.busy && !game.failure && (
              <p class="hint late" id="thinking">
                {w.b('thinking')}
              </p>
            )}
            {narrow && <div class="bar">{begins}</div>}
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score position={position} contract={contract} />
            {D && s && s.hands > 1 && results.length > 0 && (
              <D.Sheet results={results} game={game} present={game.session!.number} held={game.session!.held} />
            )}
            <Tabs text={w.t} list={tabs} label={w.t('seenBy')} tab={tab} set={(t) => setTab(t)}>
              {s && tab === 'modeHidden' && <Unseen cards={unseenOf(setup, suits)} suits={suits} />}
              {s && tab === 'modeHidden' && over && whole && <Dealt stacks={whole.setup.stacks} />}
              {s && tab === 'review' && !(whole && !pace.coming) && <p class="hint">{w.t('reviewLater')}</p>}
              {s && tab === 'review' && whole && !pace.coming && D && (
                <>
                  <D.SeatReview
                    answer={review}
                    seat={seat}
                    setSeat={setSeat}
                    you={me}
                    cursor={cursor}
                    go={go}
                    jump={jump}
                  />
                  <p class="row end">
                    <button type="button" id="open-board" onClick={() => toOpen(whole)}>
                      {w.b('openBoard')}
                    </button>
                  </p>
                </>
              )}
              {s &&
                tab === 'advice' &&
                (bidding ? (
                  myTurn ? (
                    <BidPanel answer={bid} />
                  ) : (
                    <p class="hint">{w.b('thinking')}</p>
                  )
                ) : position.finished ? (
                  <p class="hint">{w.t('soFar')}</p>
                ) : turnOf(position) === me ? (
                  <AdvicePanel answer={advice} playCard={playCard} />
                ) : (
                  <p class="hint">{w.t('adviceWait', { seat: w.player(turnOf(position)) })}</p>
                ))}
            </Tabs>
          </aside>
        </div>
      </main>
      {dialog === 'play' && D && (
        <D.PlayDialog
          close={close}
          begin={(r) => {
            close()
            begin(r)
          }}
        />
      )}
      {dialog === 'share' && D && whole && (
        <D.RecordDialog close={close} say={say} session={s!} sheet={game.session!} />
      )}
      {dialog === 'stop' && D && (
        <D.StopDialog
          close={close}
          stop={() => {
            wantsFocus.current = true
            game.end()
            say('')
          }}
        />
      )}
      {dialog === 'help' && D && (
        <D.KeysDialog close={close} keys={keys} setKeys={setKeys} text={w.b('helpHidden')} rows={keyRows(w, true)} />
      )}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}
