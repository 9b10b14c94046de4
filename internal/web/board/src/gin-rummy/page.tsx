// The page of Gin Rummy: a game against the computer with the estimate of its hand, or a situation that was entered.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { useAsked } from '../shared/asked'
import { AdviceButtons, Controls, HelpButton, Skip, Tabs, TakeBackButton, useKeys } from '../shared/controls'
import { Header, KeyDialog, Language, useLanguage, Waiting, useKeyAsked, useStatus, useNarrow } from '../shared/frame'
import { gameHash, recordHash } from '../shared/history'
import { useLater } from '../shared/later'
import { usePace } from '../shared/pace'
import * as prefs from '../shared/prefs'
import { LinkedRecord } from '../shared/records'
import { gameState, useBegin, useGame } from '../shared/session'
import { Trouble } from '../shared/trouble'
import type { Lang } from '../shared/words'
import { AdvicePanel, type Adviser, actionText, adviceMarks } from './advice'
import { type Card, type CardName, cardOf, wire } from './cards'
import { HeatMap } from './heat'
import { Result, Score, SituationDialog, levels, readEntered } from './play'
import type { Reviewed, Who } from './review'
import { askText, eventText, likelyText, playText, resultText, scoreText } from './say'
import {
  type Action,
  type Advice,
  type Estimate,
  type Kind,
  type Melds,
  type Session,
  type SessionRequest,
  type Situation,
  afterOwn,
  beforeDraw,
  exampleSituation,
  fitting,
  groupsOf,
  knownOf,
  laidGroups,
  mayDecide,
  situationAt,
  theirsAt,
} from './state'
import { Backs, type Mark, OwnHand, Piles, Shown } from './table'
import { fragment, readFragment } from './url'
import { type GinWords, ginWords, useGin } from './words'

const sessions = '/v1/gin-rummy/sessions'
const tabs = ['advice', 'review', 'sheet'] as const
type Open = '' | 'play' | 'layoff' | 'enter' | 'situation' | 'share' | 'help' | 'key'

export function GinPage() {
  const [w, setLang] = useLanguage((w) => ginWords(w).g('title'))
  return (
    <Language.Provider value={w}>
      <Gin setLang={setLang} />
    </Language.Provider>
  )
}

// Whether the address is neither of the game nor of a situation.
const isBad = (s: Situation | null): boolean => location.hash.length > 1 && location.hash !== gameHash && !s

const focusOn = (selector: string): boolean => {
  const target = document.querySelector<HTMLElement>(selector)
  target?.focus()
  return target !== null
}

function Gin({ setLang }: { setLang(l: Lang): void }) {
  const w = useGin()
  const game = useGame<Session, SessionRequest>(true, sessions, 'gin')
  const [entered, enter] = useState<Situation | null>(() => readFragment(location.hash))
  const [badAddress, setBad] = useState(isBad(entered))
  const [tab, setTab] = useState<(typeof tabs)[number]>(entered ? 'advice' : (history.state?.tab ?? 'sheet'))
  const [dialog, setDialog] = useState<Open>('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Card | undefined>()
  const [refused, setRefused] = useState<Card | null>(null)
  const wantsFocus = useRef(false)

  const session = entered ? null : game.shown
  const [said, say] = useStatus(w, entered ?? gameState(session), game.busy)
  const earlier = game.earlier > 0
  const total = session?.situation.events.length ?? 0
  const pace = usePace(session ? `${session.id} ${session.number}` : '', total, 0, { earlier })
  const back = session !== null && pace.at < total // an earlier position is looked at
  const situation = useMemo(
    () => entered ?? (session && situationAt(session.situation, pace.at)),
    [entered, session, pace.at],
  )
  const looked = entered ?? (back ? situation : null)
  const key = situation ? JSON.stringify(situation) : ''
  const known = useMemo(() => (situation ? knownOf(situation) : null), [key])
  // Between the draw and the discard of the opponent the estimate stays the same.
  const guessed = useMemo(() => situation && beforeDraw(situation), [situation])
  const estimate = useAnswer<Estimate>(guessed ? JSON.stringify(guessed) : '', '/v1/gin-rummy/estimate', () => ({
    ...guessed,
    lay_offs: undefined, // they change no estimate
  }))
  const state = session?.state
  const sorted = useAnswer<Melds>(looked?.hand.join() ?? '', '/v1/gin-rummy/melds', () => ({ hand: looked!.hand }))
  const deciding = looked
    ? mayDecide(looked, sorted.value?.deadwood)
    : state === 'draw' || state === 'discard' || state === 'knock'
  const D = useLater(
    () => import('./ondemand'),
    dialog !== '' || tab !== 'sheet' || session !== null,
    () => {
      setDialog('')
      say((w: GinWords) => w.t('offline'))
    },
  )
  const [adviser, setAdviser] = useState<Adviser>('playout')
  const advice = useAnswer<Advice>(
    D && tab === 'advice' && situation && deciding ? key + (session?.number ?? '') + adviser : '',
    '/v1/gin-rummy/advise',
    () => ({
      ...situation,
      ...(session && !session.revealed ? { scores: session.scores, lay_offs: session.lay_offs } : {}),
      ...(adviser === 'playout' ? {} : { player: adviser }),
    }),
  )
  const melds = (looked ? sorted.value?.best[0] : session?.melds) ?? []
  const deadwood = looked ? sorted.value?.deadwood : session?.deadwood
  const actions: readonly Kind[] = (!back && session?.actions) || []
  const legal = useMemo(() => ((!back && session?.discards) || []).map(cardOf), [session, back])
  // What is on the table: after an act of one's own at once, before the server has answered.
  const table = useMemo(
    () => (session && game.sent.action ? knownOf(afterOwn(session.situation, game.sent.action)) : known),
    [session, game.sent, known],
  )
  const groups = useMemo(() => groupsOf(table?.own ?? [], melds), [table, melds])
  const order = groups.flatMap((g) => g.cards)
  const discarding = state === 'discard' && !game.busy && !back
  const stop = chosen !== undefined && order.includes(chosen) ? chosen : (table?.drawn ?? order[0])
  const top = table?.pile.at(-1)
  const over = state === 'round_over' || state === 'over'
  const revealed = session?.revealed
  const had = useMemo(
    () => (revealed ? (back ? theirsAt(revealed.round, pace.at) : revealed.hands.opp) : []),
    [revealed, back, pace.at],
  )
  const theirMelds = useAnswer<Melds>(back ? had.join() : '', '/v1/gin-rummy/melds', () => ({ hand: had }))
  const [seat, setSeat] = useState<Who>('me') // whose decisions are reviewed
  const review = useAnswer<Reviewed>(
    tab === 'review' && revealed ? `${session!.id} ${session!.number}` : '',
    '/v1/gin-rummy/review',
    () => revealed!.round,
  )
  const judged = useMemo(
    () => (D && revealed && tab === 'review' ? D.reviewMarks(w, review.value, pace.at) : new Map<string, Mark>()),
    [w, D, revealed, tab, review.value, pace.at],
  )
  const marks = useMemo(() => {
    if (judged.size === 0) return adviceMarks(w, tab === 'advice' ? advice.value : undefined)
    const own = [...judged].filter(([key]) => situation?.hand.some((c) => c === key))
    return new Map(own.map(([key, mark]): [Card, Mark] => [cardOf(key), mark]))
  }, [w, tab, advice.value, judged, situation])

  const refusal = estimate.failure ?? advice.failure
  useKeyAsked([game, estimate, advice, sorted, review], () => setDialog('key'))

  // A situation has an address, so that it can be shared and looked at again. The game has none: it is the server's.
  const show = (s: Situation | null) => {
    const hash = s ? (fragment(s) ?? '') : ''
    if (location.hash !== hash && (s || location.hash !== gameHash))
      history.pushState(null, '', hash || location.pathname)
    setBad(false)
    enter(s)
  }
  useEffect(() => {
    const follow = () => {
      const s = readFragment(location.hash)
      setBad(isBad(s))
      enter(s)
      if (s) setTab('advice')
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  // The entry of the history keeps the tab, so that a reload comes back to the review.
  useEffect(() => history.replaceState({ ...history.state, tab }, ''), [tab, game.earlier])

  // After an act the focus is on what may be done next: the buttons, or the card just drawn.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const card = stop !== undefined && `#felt [data-card="${wire(stop)}"]`
    if (game.busy) {
      // the card that had the focus may be gone
      if (document.activeElement === document.body && card) focusOn(card)
      return
    }
    wantsFocus.current = false
    if (back && card && focusOn(card)) return
    if (discarding && stop !== undefined) focusOn(`#felt [data-card="${wire(stop)}"]`)
    else if (!focusOn('.acts button') && !focusOn('#result .main')) focusOn('#best')
  })

  const tell = (after: Session | null, from: number) => {
    if (after) say((w: GinWords) => playText(w, after, from))
  }
  const begin = async (q: SessionRequest) => {
    show(null)
    wantsFocus.current = true
    setChosen(undefined)
    tell(await game.start(q), 0)
  }
  useBegin(game, 'gin', D && (() => void begin(D.requestLike())))
  const act = async (action: { kind: Kind; card?: CardName; melds?: Action['melds']; laid_off?: CardName[][] }) => {
    if (!session || game.busy) return
    setRefused(null)
    wantsFocus.current = true
    const before = session
    setChosen(undefined)
    const after = await game.act('play', { action })
    tell(after, before.situation.events.length)
    const { card } = action
    if (!after && card && latest.current?.situation.hand.includes(card))
      say((w: GinWords) => w.t('saidUndone', { card: w.card(cardOf(card)) }), true)
  }
  const latest = useRef(session)
  latest.current = session
  const next = async () => {
    if (!session || game.busy) return
    wantsFocus.current = true
    setChosen(undefined)
    tell(await game.act('next', {}), 0)
  }
  const takeBack = async () => {
    wantsFocus.current = true
    setChosen(undefined)
    await game.act('takeback', {})
  }
  const may = (kind: Kind): (() => void) | undefined => (actions.includes(kind) ? () => void act({ kind }) : undefined)
  useEffect(() => {
    if (earlier) say((w: GinWords) => w.g('roundN', { n: game.earlier }))
  }, [game.earlier])
  const discard = (c: Card) => {
    if (game.busy) return
    if (legal.includes(c)) return void act({ kind: 'discard', card: wire(c) })
    setRefused(c)
    say(
      (w: GinWords) => w.g('refusedSay', { card: w.card(c), why: w.g(discarding ? 'mayNotDiscard' : 'notNow') }),
      true,
    )
  }
  // An advised action as the session takes it: of the card or melds that it names.
  const follow = (a: Action) => void act(a)
  const best = () =>
    advice.value && session && !back ? follow(advice.value.action) : say((w: GinWords) => w.t('askFirst'))
  const tellAdvice = useAsked(key, advice, say, [
    (w: GinWords) =>
      w.t('saidAdvice', { what: actionText(w, advice.value!.action, advice.value!.deadwood, top, w.within) }),
  ])
  const go = (to: number) => {
    const events = session?.situation.events
    if (!events || game.busy) return
    pace.go(to, (n) => {
      wantsFocus.current ||= document.activeElement?.closest('#felt') != null
      say((w: GinWords) => w.g('stepSay', { n, of: total, what: n > 0 ? eventText(w, events[n - 1]!) : '' }))
    })
  }
  const jump = (by: 1 | -1) => {
    setTab('review')
    if (!revealed) return say((w: GinWords) => w.t('reviewLater'))
    if (!D || !review.value) return
    const found = D.mistakeOf(review.value, seat, by, pace.at, pace.at === total)
    if (found) go(found.number - 1)
    say((w: GinWords) => (found ? D.verdictText(w, found) : w.t('noError')))
  }
  const askAdvice = () => {
    setTab('advice')
    if (deciding) tellAdvice(0)
    else say((w: GinWords) => w.g('adviceLater'))
  }

  useKeys(
    dialog !== '',
    keys,
    {
      at: pace.at,
      of: total,
      go,
      letters: {
        t: () => may('take')?.(),
        s: () => may('stock')?.(),
        p: () => may('pass')?.(),
        k: () => (may('knock') ?? may('melds'))?.(),
        g: () => may('continue')?.(),
        n: () => state === 'round_over' && !earlier && void next(),
        '[': () => jump(-1),
        ']': () => jump(1),
        a: askAdvice,
        b: best,
        v: () => estimate.value && say((w: GinWords) => likelyText(w, estimate.value!)),
        '.': () => session && say((w: GinWords) => scoreText(w, session)),
        '?': () => setDialog('help'),
      },
    },
    (e, card) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[e.key]
      if (!step) return false
      const at = order.indexOf(cardOf(card.dataset['card']!))
      focusOn(`#felt [data-card="${wire(order[(at + step + order.length) % order.length]!)}"]`)
      return true
    },
  )

  const shares = useMemo(() => {
    const out = new Map<Card, Mark>()
    for (const c of estimate.value ? had : []) {
      const n = Math.round(100 * estimate.value!.probabilities[c]!)
      out.set(cardOf(c), {
        text: `${n}%`,
        said: w.g('cShare', { n }),
        tone: n >= 50 ? 'v-best' : n >= 25 ? 'v-some' : 'v-much',
      })
    }
    for (const [key, mark] of judged) if ((had as string[]).includes(key)) out.set(cardOf(key), mark)
    return out
  }, [w, had, estimate.value, judged])
  const laid = session?.revealed?.laid.opp ?? (session?.knock?.seat === 'opp' ? session.knock.laid : undefined)
  // The computer's cards while they lie open, after a knock and when the round is over.
  const lies = back ? undefined : revealed ? revealed.hands.opp : laid && [...laid.melds.flat(), ...laid.unmelded]
  const theirs =
    revealed && back
      ? groupsOf(had.map(cardOf), theirMelds.value?.best[0] ?? [])
      : laid && groupsOf(session?.revealed ? had.map(cardOf) : laidGroups(laid).flatMap((g) => g.cards), laid.melds)
  const button = (kind: Kind, id: string, text: string, main = false) =>
    actions.includes(kind) && (
      <button
        type="button"
        id={'act-' + id}
        class={main ? 'main' : ''}
        aria-disabled={game.busy}
        onClick={() => void act({ kind })}>
        {text}
      </button>
    )
  const knocked = state === 'meld' && session!.lay_offs === 'best' ? session!.knock!.laid : undefined
  const layable =
    knocked !== undefined &&
    knocked.deadwood > 0 &&
    knocked.melds.some((m) => fitting(m.map(cardOf), table!.own).length > 0)
  const close = () => setDialog('')
  const look = (s: Situation) => {
    show(s)
    setTab('advice')
    close()
  }
  const wait = { draw: 'toDraw', discard: 'toDiscard', knock: 'toKnock', meld: 'toMeld' } as const

  const narrow = useNarrow()
  const begins = (
    <>
      {D && earlier && session && <D.BackToGame game={game} />}
      {entered && (
        <button type="button" id="back" onClick={() => show(null)}>
          {w.g('backToGame')}
        </button>
      )}
      {(entered ? fragment(entered) : revealed) && (
        <button type="button" id="share" onClick={() => setDialog('share')}>
          {w.t('share')}
        </button>
      )}
      <button type="button" id="enter" onClick={() => setDialog('enter')}>
        {w.g('situation')}
      </button>
      <button type="button" id="situation" onClick={() => setDialog('situation')}>
        {w.t('importDo')}…
      </button>
      <button type="button" class={session || !situation ? '' : 'main'} id="play" onClick={() => setDialog('play')}>
        {w.t(session ? 'newGame' : 'playIt')}
      </button>
    </>
  )
  return (
    <>
      <Skip to={() => (stop !== undefined ? focusOn(`#felt [data-card="${wire(stop)}"]`) : focusOn('#lobby-play'))} />
      <Header page="gin-rummy" setLang={setLang}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main>
        <h1 class="vh">{w.g('title')}</h1>
        <div class="bar">
          <p class="deal-line" id="about">
            {entered ? (
              <span id="entered">{w.g('shownSituation')}</span>
            ) : (
              session && (
                <>
                  <span>
                    {w.g(session.target ? 'roundTo' : 'roundN', { n: session.number, to: session.target ?? 0 })}
                  </span>
                  <span class="hint">
                    {w.g('against', {
                      player: w.g(levels[session.player.split(':')[0]!] ?? 'pPlayout').split(':')[0]!,
                    })}
                  </span>
                </>
              )
            )}
          </p>
          {!narrow && (
            <>
              <span class="grow" />
              {begins}
            </>
          )}
        </div>
        {badAddress &&
          (location.hash.startsWith(recordHash) ? (
            <LinkedRecord read={(text) => readEntered(w, text, true)} use={({ situation }) => look(situation)} />
          ) : (
            <p class="notice bad" id="url-error">
              {w.t('urlBad', { error: w.g('urlNone') })}
            </p>
          ))}
        {game.news === 'conflict' && (
          <p class="notice" id="conflict">
            {w.t('newsConflict')}
          </p>
        )}
        {game.news === 'gone' && (
          <p class="notice bad" id="gone">
            {w.t('newsGone')}
          </p>
        )}
        {game.refused && (
          <p class="notice bad" id="refused">
            {w.t('failed', { detail: game.refused })}
          </p>
        )}
        <Trouble game={game} />
        {entered && refusal && refusal.kind === 'problem' && <Waiting answer={estimate.failure ? estimate : advice} />}
        <div class="page">
          <div class="play">
            {!situation || !known ? (
              <div class="felt lobby" id="felt">
                <h2>Gin Rummy</h2>
                <p>{w.g('lobbyHint')}</p>
                <div class="row">
                  <button type="button" class="main" id="lobby-play" onClick={() => setDialog('play')}>
                    {w.t('playIt')}
                  </button>
                  <button type="button" id="lobby-example" onClick={() => look(exampleSituation)}>
                    {w.g('exampleLook')}
                  </button>
                </div>
                <p class="rules">{w.g('helpText')}</p>
              </div>
            ) : (
              <div
                class="felt gin"
                id="felt"
                role="group"
                aria-label={w.t('table')}
                data-state={state}
                data-acts={session?.acts}>
                <section class="hand hand-N other" aria-labelledby="hand-opp">
                  <h2 id="hand-opp">
                    {w.g('theirHand')}
                    <span class="left">
                      {laid && !back ? w.g('deadwoodN', { n: laid.deadwood }) : w.t('nCards', { n: had.length || 10 })}
                    </span>
                  </h2>
                  {theirs ? <Shown groups={theirs} marks={shares} /> : <Backs n={10} />}
                </section>
                <Piles
                  stock={table!.stock}
                  top={top}
                  busy={game.busy}
                  draw={may('stock')}
                  take={may('take')}
                  marks={judged}
                />
                <OwnHand
                  groups={groups}
                  discarding={discarding}
                  legal={legal}
                  drawn={table!.drawn}
                  marks={marks}
                  stop={stop}
                  refused={refused}
                  discard={discard}
                  focus={setChosen}
                  title={
                    <>
                      {w.g('yourHand')}
                      {deadwood !== undefined && <span class="left">{w.g('deadwoodN', { n: deadwood })}</span>}
                      {state && state in wait && !game.busy && !back && (
                        <span class="to-play">{w.g(wait[state as keyof typeof wait])}</span>
                      )}
                    </>
                  }
                />
              </div>
            )}
            {session && (
              <Controls at={pace.at} of={total} total={total} go={go}>
                {actions.length > 0 && !discarding && (
                  <span class="acts">
                    {button('take', 'take', w.g('take', { card: top === undefined ? '' : w.brief(top) }))}
                    {button('stock', 'stock', w.g('fromStock'))}
                    {button('pass', 'pass', w.g('pass'))}
                    {button(
                      'knock',
                      'knock',
                      session.deadwood === 0 ? w.g('gin') : w.g('knockN', { n: session.deadwood }),
                      true,
                    )}
                    {button('continue', 'continue', w.g('goOn'))}
                    {button('melds', 'melds', w.g('layDown'), true)}
                    {layable && (
                      <button
                        type="button"
                        id="act-layoff"
                        aria-disabled={game.busy}
                        onClick={() => setDialog('layoff')}>
                        {w.g('layOff')}…
                      </button>
                    )}
                  </span>
                )}
                {!earlier && <TakeBackButton session={session} off={game.busy || back} act={() => void takeBack()} />}
                <AdviceButtons
                  asking={deciding}
                  best={!back && advice.value}
                  text={advice.value ? actionText(w, advice.value.action, advice.value.deadwood, top) : w.g('bestMove')}
                  ask={askAdvice}
                  follow={best}
                />
              </Controls>
            )}
            <p class={(over && !back) || !session ? 'status vh' : 'status'} id="status" role="status">
              {said || (session ? askText(w, session) : null)}
            </p>
            {revealed && tab === 'review' && D && <D.Next review={review.value} cursor={pace.at} />}
            {over && !back && session && (
              <Result
                session={session}
                earlier={earlier}
                known={known!}
                estimate={estimate.value}
                busy={game.busy}
                next={() => void next()}
                again={() => setDialog('play')}
                review={() => setTab('review')}
              />
            )}
            {narrow && <div class="bar">{begins}</div>}
            {known && <HeatMap known={known} answer={estimate} had={had} open={lies} />}
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score session={entered ? null : game.session} />
            <Tabs text={w.t} list={tabs} label={w.t('score')} tab={tab} set={(t) => setTab(t)}>
              {tab === 'review' ? (
                revealed && D ? (
                  <D.RoundReview answer={review} seat={seat} setSeat={setSeat} cursor={pace.at} go={go} jump={jump} />
                ) : (
                  <p class="hint">{w.t('reviewLater')}</p>
                )
              ) : tab === 'sheet' ? (
                session ? (
                  D && <D.Sheet session={game.session!} game={game} />
                ) : (
                  <p class="hint">{w.g('noRounds')}</p>
                )
              ) : situation && deciding ? (
                <AdvicePanel
                  answer={advice}
                  adviser={adviser}
                  setAdviser={setAdviser}
                  top={top}
                  act={session && !back ? follow : undefined}
                />
              ) : (
                <p class="hint">{over && session ? resultText(w, session) : w.g('adviceLater')}</p>
              )}
            </Tabs>
          </aside>
        </div>
      </main>
      {dialog === 'play' && D && <D.PlayDialog close={close} begin={(q) => void begin(q)} />}
      {dialog === 'enter' && D && <D.EnterDialog situation={entered} close={close} use={look} />}
      {dialog === 'layoff' && D && layable && (
        <D.LayOffDialog
          session={session!}
          close={close}
          use={(laid_off) => {
            close()
            void act({ kind: 'melds', laid_off })
          }}
        />
      )}
      {dialog === 'situation' && <SituationDialog close={close} show={look} />}
      {dialog === 'share' &&
        D &&
        (revealed ? (
          <D.RecordDialog close={close} say={say} session={session!} sheet={game.session!} />
        ) : (
          <D.ShareDialog close={close} say={say} />
        ))}
      {dialog === 'help' && D && (
        <D.KeysDialog
          close={close}
          keys={keys}
          setKeys={setKeys}
          text={w.g('helpText')}
          rows={[
            ['← →', w.g('kArrows')],
            ['Enter', w.g('kEnter')],
            ['t', w.g('kTake')],
            ['s', w.g('kStock')],
            ['p', w.g('kPass')],
            ['k', w.g('kKnock')],
            ['g', w.g('kGoOn')],
            ['n', w.g('kNext')],
            ['Backspace, Shift ←', w.t('kBack')],
            ['Shift →', w.t('kRedo')],
            ['Home, End', w.t('kEnds')],
            ['[, ]', w.g('kMistakes')],
            ['a', w.t('kAsk')],
            ['b', w.g('kBest')],
            ['v', w.g('kValues')],
            ['.', w.g('kScore')],
            ['?', w.t('kHelp')],
          ]}
        />
      )}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}
