// The hidden mode: one player's cards, and games with the players of the server.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { useAsked } from '../shared/asked'
import { Controls, HelpButton, PaceChoice, Skip, Tabs, TakeBackButton, useKeys } from '../shared/controls'
import { Header, KeyDialog, ModeSwitch, failureText, useKeyAsked, useStatus, useNarrow } from '../shared/frame'
import { useLater } from '../shared/later'
import { usePace } from '../shared/pace'
import * as prefs from '../shared/prefs'
import { gameState, handText, useBegin } from '../shared/session'
import type { Mark } from '../shared/standing'
import type { Lang } from '../shared/words'
import { type Advice, adviceRequest, advisable, deedOf, deedText } from './advice'
import { type Card, type CardName, type Player, next, parseCard, sorted, wire } from './cards'
import { hiddenKeyRows } from './help'
import { Bids, Choices, saidText } from './choices'
import type { Reviewed } from './review'
import { type Contract, type Position, discardable, exchangeOf, groupOf, tricksOf } from './rules'
import { turnText } from './say'
import { type Session, type SessionRequest, useTarokGame } from './session'
import { bidSteps, cards, news, positionAt, setupOf } from './shown'
import { Aside, CardButton, PutAside, Talon, TarokTable, Trick, focusOn, placeOf } from './table'
import { type TarokKey, type TarokWords, useTarok } from './words'

const tabs = ['advice', 'review'] as const

function Other({ session: s, position: p, player }: { session: Session; position: Position; player: Player }) {
  const w = useTarok()
  const side = player === next(s.seat) ? 'left' : 'right'
  const role = s.declarer === player ? `, ${w.b('declarerRole')}` : ''
  return (
    <section class={`hand other hand-${placeOf(player, s.seat)}`} aria-labelledby={'hand-' + player}>
      <h2 id={'hand-' + player}>
        {w.player(player)}
        {role}{' '}
        <span class="left">
          {w.b(`kind_${s.players[side] as 'random'}`)}. {w.b('tricksN', { n: tricksOf(p, player) })}
        </span>
      </h2>
    </section>
  )
}

export function HiddenTarok({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(): void }) {
  const w = useTarok()
  const [dialog, setDialog] = useState<'' | 'stop' | 'play' | 'share' | 'help' | 'key'>('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Card | undefined>()
  const [group, setGroup] = useState<number | null>(null)
  const [away, setAway] = useState<Card[]>([])
  const [asked, setAsked] = useState('')
  const wantsFocus = useRef(false)
  const game = useTarokGame()
  const session = game.shown
  const earlier = game.earlier > 0
  const { card: sent } = game.sent
  const played = useMemo(() => cards([...(session?.view.played ?? []), ...(sent ? [sent] : [])]), [session, sent])
  const total = played.length
  // What was done before the first card of a hand that is over are steps too.
  const firstStep = session?.revealed
    ? -(session.bids.length + Number(session.group !== undefined) + session.words.length)
    : 0
  const pace = usePace(session ? session.id + session.number : '', total, 3, {
    earlier,
    first: firstStep,
    calls: session ? bidSteps(session) : 0,
  })
  const [said, say] = useStatus(w, gameState(session) + away.length, game.busy || pace.coming)
  // The last two sessions: what was told, and what is shown.
  const latest = useRef(session)
  const told = useRef<Session | null>(null)
  latest.current = session
  const close = () => setDialog('')
  const D = useLater(
    () => import('./ondemand'),
    dialog !== '' || session !== null,
    () => {
      close()
      say((w) => w.t('offline'))
    },
  )
  const begin = (r: SessionRequest) => {
    pace.fresh()
    void game.start(r)
  }
  useBegin(game, 'tarok-game', D && (() => begin(D.requestLike())))
  const s = D && session && pace.coming ? D.whileComing(session, told.current, pace.calls) : session
  const me = s?.seat ?? 'A'
  const contract = s?.contract as Contract | undefined
  const back = pace.at < total && !pace.coming // an earlier position is looked at
  const setup = useMemo(() => session && setupOf(session), [session])
  const position = useMemo(
    () =>
      D && session && pace.at < 0
        ? D.positionBefore(session, pace.at)
        : setup && positionAt(setup, played.slice(0, Math.max(0, pace.at))),
    [D, session, setup, played, pace.at],
  )
  const [tab, setTab] = useState<(typeof tabs)[number]>('advice')
  const [looked, setSeat] = useState<Player | null>(null)
  const seat = looked ?? me // whose decisions are reviewed
  const exchanging = s?.state === 'exchange' && contract !== undefined
  // In klop the winner of each of the first six tricks gets the next card of the talon, which is then seen.
  const talon = s && position ? cards(s.talon).slice(0, contract === 'klop' ? position.tricks.length : 6) : []
  const taken = exchanging && group !== null ? groupOf({ contract, talon }, group) : []
  const whole =
    !s || !position ? [] : contract && !exchanging ? position.held[me] : sorted([...cards(s.held), ...taken])
  const hand = whole.filter((c) => !away.includes(c))
  const legal: readonly Card[] =
    !s || game.busy || back
      ? []
      : s.state === 'playing'
        ? cards(s.legal)
        : exchanging && group !== null
          ? discardable(hand)
          : []
  const over = s !== null && (s.state === 'hand_over' || s.state === 'over')
  const review = useAnswer<Reviewed>(
    tab === 'review' && over ? `${s.id} ${s.number} ${seat}` : '',
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

  useEffect(() => {
    if (earlier) say((w) => handText(w, session!))
  }, [game.earlier])
  const useCard = (c: Card) => {
    if (!s || game.busy || pace.coming) return
    if (!legal.includes(c)) {
      const why = back ? 'notNow' : !exchanging ? 'why_not' : group === null ? 'why_talon' : 'why_discard'
      return say((w) => w.t('saidRefused', { card: w.card(c), why: w.b(why) }), true)
    }
    if (exchanging) {
      const all = [...away, c]
      wantsFocus.current = true
      setAway(all)
      if (all.length < exchangeOf(contract))
        return say((w) => w.b('saidDiscard', { player: w.player(me), card: w.card(c) }))
      return act('exchange', { group, discards: all.map(wire) })
    }
    act('play', { card: wire(c) })
  }
  const act = async (path: string, more: object) => {
    const { card } = more as { card?: CardName }
    pace.show(total + (card || path === 'bid' ? 1 : 0))
    wantsFocus.current = true
    if (!(await game.act(path, more)) && card && latest.current?.held.includes(card))
      say((w) => w.t('saidUndone', { card: w.card(parseCard(card)!) }), true)
  }
  const follow = () => {
    if (!advised || game.busy) return
    const deed = deedOf(advised)
    act(deed.path, deed.more)
  }
  const may = s !== null && !pace.coming && !back && advisable(s)
  const tell = useAsked(key, advice, say, [(w: TarokWords) => w.t('saidAdvice', { what: deedText(w, advice.value!) })])
  const ask = () => {
    setTab('advice')
    if (!may) return
    setAsked(key)
    tell(0)
  }
  const go = (to: number) =>
    pace.go(to, (n) => {
      wantsFocus.current ||= document.activeElement?.closest('#felt') != null
      if (n < 0) return say((w) => D!.lastText(w, session!, n))
      const turn = positionAt(setup!, played.slice(0, n))
      say((w: TarokWords) => w.t('saidGo', { n: Math.min(n + 1, 48), turn: turnText(w, turn) }))
    })
  const jump = (by: 1 | -1) => {
    setTab('review')
    if (!over) return say((w) => w.t('reviewLater'))
    if (!D || !review.value) return
    const found = D.mistakeOf(review.value, seat, by, pace.at, pace.at === total, D.exchangeAt(s!))
    if (found) go(found.number - 1)
    say((w: TarokWords) => (found ? D.verdictText(w, setup!, found) : w.t('noError')))
  }
  const stop = chosen !== undefined && hand.includes(chosen) ? chosen : (legal[0] ?? hand[0])
  const toTable = () => {
    const choice = document.querySelector<HTMLElement>(
      '#felt .auction button, #felt [data-group], #next-hand, #again, #lobby-play',
    )
    if (!back && legal.length === 0 && choice) choice.focus()
    else focusOn(legal[0] ?? hand[0])
  }
  useLayoutEffect(() => {
    if (!session) return
    setGroup(null)
    setAway([])
    wantsFocus.current = document.querySelector('dialog') === null
  }, [session])
  useLayoutEffect(() => {
    if (game.busy || pace.coming) {
      // the card that had the focus is on the table
      if (document.activeElement === document.body)
        hand[0] === undefined ? document.getElementById('felt')!.focus() : focusOn(hand[0])
      return
    }
    if (session && session !== told.current && !earlier) {
      const before = told.current
      say((w) => news(w, session, before))
      told.current = session
    }
    if (!wantsFocus.current) return
    wantsFocus.current = false
    toTable()
  }, [session, away, group, game.busy, pace.at])
  useKeyAsked([game, advice, review], () => setDialog('key'))

  useKeys(
    dialog !== '',
    keys,
    {
      at: pace.at,
      of: total,
      first: firstStep,
      go,
      letters: {
        m: toOpen,
        '?': () => setDialog('help'),
        n: () => jump(1),
        p: () => jump(-1),
        a: ask,
        b: () => (advised ? follow() : say((w) => w.t('askFirst'))),
      },
    },
    (e, card) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (!step) return false
      const c = parseCard(card.dataset['card']!)!
      const of = hand.includes(c) ? hand : (Object.values(position!.held).find((x) => x.includes(c)) ?? hand)
      focusOn(of[(of.indexOf(c) + step + of.length) % of.length])
      return true
    },
  )

  const last = s?.results[s.results.length - 1]
  const skip = () => pace.coming && pace.show(total)
  const narrow = useNarrow()
  const begins = (
    <>
      {D && earlier && <D.BackToGame game={game} />}
      <button type="button" id="play" onClick={() => setDialog('play')}>
        {w.t(s ? 'newGame' : 'playIt')}
      </button>
      {over && (
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
      <Header page="tarok" setLang={setLang} mode={<ModeSwitch mode="hidden" change={toOpen} />}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main>
        <h1 class="vh">{w.b('title')}</h1>
        <div class="bar">
          <p class="deal-line">
            {s ? (
              <>
                <span>{handText(w, s)}</span>
                <span>{w.t('youAre', { seat: w.player(me) })}</span>
                {contract && (
                  <span>
                    {w.t('contract')}: {w.contract(contract)}
                    {s.declarer && `, ${w.player(s.declarer)}`}
                  </span>
                )}
                {saidText(w, s).map((x) => (
                  <span key={x}>{x}</span>
                ))}
              </>
            ) : (
              <span>{w.b('lobby')}</span>
            )}
          </p>
          {!(narrow && s) && (
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
            {game.refused}
          </p>
        )}
        {game.failure && (
          <p class="notice bad" id="game-failed">
            {game.wait !== undefined ? w.t('busy', { n: game.wait }) : failureText(w, game.failure)}{' '}
            <button type="button" onClick={game.retry}>
              {w.t('retry')}
            </button>
          </p>
        )}
        {!s || !position ? (
          <div class="felt lobby" id="felt">
            <h2>Tarok</h2>
            <p>{w.b('lobbyHint')}</p>
            <button type="button" class="main" id="lobby-play" onClick={() => setDialog('play')}>
              {w.t('playIt')}
            </button>
          </div>
        ) : (
          <div class="page">
            <div class="play">
              {over ? (
                <TarokTable
                  position={position}
                  bottom={me}
                  still
                  marks={D && tab === 'review' ? D.reviewMarks(w, review.value, pace.at) : new Map()}
                  late={false}
                  chosen={chosen === undefined ? {} : { A: chosen, B: chosen, C: chosen }}
                  refused={null}
                  playCard={useCard}
                  focusCard={setChosen}>
                  {D && pace.at <= 0 && firstStep < 0 && <D.Steps session={s} at={pace.at} />}
                </TarokTable>
              ) : (
                <div
                  class={'felt tarok seen' + (exchanging ? ' exchanging' : '')}
                  id="felt"
                  role="group"
                  aria-label={w.t('table')}
                  tabIndex={-1}
                  onClick={skip}
                  onKeyDown={(e) => e.key === 'Enter' && e.target === e.currentTarget && skip()}>
                  {[next(me), next(me, 2)].map((p) => (
                    <Other key={p} session={s} position={position} player={p} />
                  ))}
                  {contract && talon.length > 0 && (
                    <Talon
                      contract={contract}
                      talon={talon}
                      {...(contract === 'klop' ? { title: w.b('given') } : {})}
                      group={group ?? s.group ?? null}
                      take={exchanging && !game.busy ? setGroup : undefined}
                    />
                  )}
                  {exchanging && group !== null && (
                    <section class="talon put" aria-labelledby="discards-title">
                      <h2 id="discards-title">{w.b('putAside', { n: exchangeOf(contract) - away.length })}</h2>
                      <Aside cards={away} of={exchangeOf(contract)} />
                      <button
                        type="button"
                        id="exchange-again"
                        aria-disabled={away.length === 0}
                        onClick={() => setAway([])}>
                        {w.b('exchangeAgain')}
                      </button>
                    </section>
                  )}
                  {!exchanging && s.discards.length > 0 && (
                    <PutAside cards={cards(s.discards)} title={w.b(s.declarer === me ? 'discards' : 'discardsSeen')} />
                  )}
                  {s.state === 'bidding' || s.state === 'announce' ? (
                    <Choices session={s} busy={game.busy || pace.coming} act={act} />
                  ) : (
                    !exchanging && <Trick position={position} bottom={me} gathers={!back} />
                  )}
                  <section class={'hand hand-S' + (over || pace.coming ? '' : ' turn')} aria-labelledby="hand-own">
                    <h2 id="hand-own">
                      {w.t('yourHand', { seat: w.player(me) })}
                      {s.declarer === me && `, ${w.b('declarerRole')}`}{' '}
                      <span class="left">{w.b('tricksN', { n: tricksOf(position, me) })}</span>
                      {!over && (
                        <span class="to-play">{game.busy || pace.coming ? '…' : w.b(`do_${s.state}` as TarokKey)}</span>
                      )}
                    </h2>
                    <ul>
                      {whole.map((c) => {
                        if (away.includes(c)) return <li key={c} class="slot" aria-hidden="true" />
                        const may = legal.includes(c)
                        const mark = marks.get(c)
                        return (
                          <li key={c}>
                            <CardButton
                              card={c}
                              may={may}
                              stop={c === stop}
                              play={useCard}
                              focus={setChosen}
                              label={
                                w.card(c) +
                                (legal.length > 0 && !may
                                  ? `, ${w.t('notLegal', { why: w.b(exchanging ? 'why_discard' : 'why_not') })}`
                                  : mark
                                    ? `, ${mark.said}`
                                    : '')
                              }
                              classes={
                                (legal.length > 0 ? (may ? ' legal' : ' illegal') : '') +
                                (mark?.tone === 'v-best' ? ' best' : '')
                              }>
                              {mark && (
                                <span class={'value ' + mark.tone} aria-hidden="true">
                                  {mark.text}
                                </span>
                              )}
                            </CardButton>
                          </li>
                        )
                      })}
                    </ul>
                  </section>
                </div>
              )}
              <Controls at={pace.at} of={total} total={48} first={firstStep} go={go}>
                {!earlier && (
                  <TakeBackButton
                    session={session}
                    off={game.busy || pace.coming}
                    act={() => void act('takeback', {})}
                  />
                )}
              </Controls>
              <p class="status">
                <span id="status" role="status">
                  {said || null}
                </span>
                {game.busy && (
                  <span class="late" aria-hidden="true">
                    {' '}
                    {w.t('thinking')}
                  </span>
                )}
              </p>
              {narrow && <div class="bar">{begins}</div>}
            </div>
            <aside class="panel" aria-label={w.t('score')}>
              {D && <D.Sheet shown={s} session={game.session!} game={game} />}
              {contract && s.bids.length > 0 && (
                <details id="bids">
                  <summary>{w.b('bids')}</summary>
                  <Bids bids={s.bids} />
                </details>
              )}
              {over && last && (
                <>
                  <h3 id="result">{w.b('resultOf', { n: last.number })}</h3>
                  {D && <D.ScoreParts score={last.score} />}
                  <p class="row end">
                    <button type="button" id="review" onClick={() => setTab('review')}>
                      {w.t('review')}
                    </button>
                    {earlier ? null : s.state === 'hand_over' ? (
                      <button
                        type="button"
                        class="main"
                        id="next-hand"
                        aria-disabled={game.busy}
                        onClick={() => void act('next', {})}>
                        {w.t('nextHand')}
                      </button>
                    ) : (
                      <button type="button" class="main" id="again" onClick={() => setDialog('play')}>
                        {w.t('playAgain')}
                      </button>
                    )}
                  </p>
                </>
              )}
              <Tabs text={w.t} list={tabs} label={w.t('score')} tab={tab} set={(t) => setTab(t)}>
                {tab === 'advice' && !may && <p class="hint">{w.b('adviceLater')}</p>}
                {tab === 'review' && !over && <p class="hint">{w.t('reviewLater')}</p>}
                {tab === 'review' && over && D && (
                  <>
                    <D.SeatReview
                      answer={review}
                      setup={setup!}
                      seat={seat}
                      setSeat={setSeat}
                      you={me}
                      cursor={pace.at}
                      exchangeAt={D.exchangeAt(s)}
                      go={go}
                      jump={jump}
                    />
                    <D.Dealt setup={setup!} />
                  </>
                )}
                {tab === 'advice' && may && (
                  <p class="row">
                    <button
                      type="button"
                      id="ask"
                      title={w.b('askHint')}
                      aria-disabled={request !== null}
                      onClick={ask}>
                      {w.t('advice')}
                    </button>
                  </p>
                )}
                {tab === 'advice' && request && D && (
                  <D.AdvicePanel answer={advice} session={s} busy={game.busy} follow={follow} />
                )}
              </Tabs>
            </aside>
          </div>
        )}
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
      {dialog === 'help' && D && (
        <D.KeysDialog close={close} keys={keys} setKeys={setKeys} text={w.b('helpHidden')} rows={hiddenKeyRows(w)} />
      )}
      {dialog === 'share' && D && session?.revealed && (
        <D.RecordDialog close={close} say={say} session={session} sheet={game.session!} />
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
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}
