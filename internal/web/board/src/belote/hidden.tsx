// The hidden mode: a game against the computer with the cards below face down, and what can be known.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { useAsked } from '../shared/asked'
import { type Card, parseCard } from '../shared/cards'
import { AdviceButtons, CardField, Controls, HelpButton, Skip, Tabs, useKeys } from '../shared/controls'
import { KeysDialog } from '../shared/dialogs'
import { Header, KeyDialog, ModeSwitch, Waiting, failureText, useKeyAsked, useStatus } from '../shared/frame'
import * as prefs from '../shared/prefs'
import type { Lang } from '../shared/words'
import {
  type Advice,
  AdvicePanel,
  type BeloteScore,
  type Bid,
  BidPanel,
  Outcome,
  Unseen,
  Written,
  adviceMarks,
} from './advice'
import { type Call, type Terms, bidBody, game, sitDown, speakerAt } from './game'
import { keyRows } from './help'
import { Score } from './panel'
import { Auction, PlayDialog } from './play'
import { type Player, opponent, refusal, replay, turnOf, upOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { asSeen, unseenOf, viewBody } from './seen'
import { type Shared, bodyOf, nothing } from './state'
import { BeloteTable, focusOn, stopOf, whyNot } from './table'
import { type BeloteWords, useBelote } from './words'

type Open = '' | 'play' | 'help' | 'key'
const tabs = ['modeHidden', 'advice'] as const
type Tab = (typeof tabs)[number]

export function HiddenBelote({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(shared?: Shared): void }) {
  const w = useBelote()
  const [, changed] = useReducer<number, void>((n) => n + 1, 0)
  const [at, setAt] = useState(99) // the card that is looked at; beyond the last one it follows the game
  const [tab, setTab] = useState<Tab>('modeHidden')
  const [dialog, setDialog] = useState<Open>('')
  const [said, say] = useStatus(w)
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Partial<Record<Player, Card>>>({})
  const [refused, setRefused] = useState<Card | null>(null)
  const [failed, setFailed] = useState<Failure | undefined>()
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  const view = game.table?.view()
  const me = view?.terms.me ?? 'A'
  const count = view?.played.length ?? 0
  const cursor = Math.min(at, count)
  const played = view?.played.slice(0, cursor) ?? []
  // While the cards are dealt, the one who may choose is the one to act.
  const setup = view
    ? view.state === 'bidding'
      ? { ...view.setup, leader: speakerAt(view.calls.length) }
      : asSeen(view.setup, played)
    : nothing
  const position = replay(setup, played)
  const size = 8 * (view?.terms.suits ?? 4)
  const live = view?.state === 'playing' && cursor === count
  const bidding = view?.state === 'bidding'
  const myTurn =
    view !== undefined &&
    (bidding ? speakerAt(view.calls.length) === me : view.state === 'playing' && turnOf(position) === me)

  const body = view && !bidding ? viewBody(setup, view.suits, played) : null
  const advice = useAnswer<Advice>(
    tab === 'advice' && body && !position.finished && turnOf(position) === me ? JSON.stringify(body) : '',
    '/v1/belote/advise',
    () => body,
  )
  const bidOf = view && bidding ? bidBody(view) : null
  const bid = useAnswer<Bid>(
    tab === 'advice' && bidOf && myTurn ? JSON.stringify(bidOf) : '',
    '/v1/belote/bid',
    () => bidOf,
  )
  const whole: Shared | null =
    view?.state === 'finished'
      ? { setup: view.setup, played: [...view.played], cursor: count, utility: 'points' }
      : null
  const score = useAnswer<BeloteScore>(whole ? JSON.stringify(bodyOf(whole)) : '', '/v1/belote/score', () => ({
    position: bodyOf(whole!),
    contract: view!.contract ? 'paper' : 'none',
  }))
  const marks = useMemo(() => adviceMarks(w, advice.value), [w, advice.value])

  useKeyAsked([advice, bid, score, view?.waiting, { failure: failed }], () => setDialog('key'))
  useEffect(() => prefs.store({ hash: hiddenFragment, cuts: [] }, 'belote'), [])

  // One sentence after each card of the player: the cards up to the player's next turn.
  const saidUpTo = useRef(0)
  const talk = () => {
    const v = game.table?.view()
    if (!v) return
    if (v.state === 'bidding') return say((w) => (speakerAt(v.calls.length) === v.terms.me ? w.t('saidCall') : ''))
    const now = replay(v.setup, v.played)
    if (v.state === 'playing' && turnOf(now) !== v.terms.me) return
    const from = Math.min(saidUpTo.current, v.played.length)
    const before = replay(v.setup, v.played.slice(0, from))
    const called = from === 0 && v.calls.length > 0 && v.contract
    say(
      (w) =>
        (called
          ? w.b('saidContract', { trump: w.trump(v.setup.trump), player: w.player(v.setup.declarer) }) + ' '
          : '') + (v.played.length > from ? playsText(w, before, v.played.slice(from)) : turnText(w, now)),
    )
    saidUpTo.current = v.played.length
  }
  const update = () => {
    changed()
    talk()
  }
  const begin = async (terms: Terms) => {
    game.table?.leave()
    game.table = null
    setFailed(undefined)
    setAt(99)
    saidUpTo.current = 0
    const table = await sitDown(terms, () => game.table && latest.current())
    if ('failure' in table) setFailed(table.failure)
    else game.table = table
    latest.current()
  }
  const latest = useRef(update)
  latest.current = update

  const waiting = view?.waiting
  const thinking = waiting !== undefined && !waiting.failure && cursor === count
  const inTable = () => document.activeElement?.closest('#felt') != null
  const focusIn = (p: Player) => {
    const c = stopOf(position, p, chosen[p])
    const call = document.querySelector<HTMLElement>('.calls button')
    if (c === undefined && call) call.focus()
    else focusOn(c)
  }
  useLayoutEffect(() => {
    if (!wantsFocus.current || !myTurn) return
    wantsFocus.current = false
    focusIn(me)
  })
  const playCard = (c: Card) => {
    if (thinking) return false
    if (!live || turnOf(position) !== me || refusal(position, c) !== null) {
      setRefused(c)
      say((w) =>
        w.t('saidRefused', {
          card: w.card(c),
          why:
            !live && cursor < count
              ? w.b('notNow')
              : turnOf(position) !== me
                ? w.t('turn', { seat: w.player(turnOf(position)) })
                : whyNot(w, position, c),
        }),
      )
      return false
    }
    setRefused(null)
    if (inTable()) {
      // The card is gone at once: the focus waits on the next card of the player.
      wantsFocus.current = true
      focusOn(upOf(position, me).find((x) => x !== c))
    }
    setAt(99)
    game.table!.play(c)
    return true
  }
  const call = (c: Call) => {
    wantsFocus.current = true
    focusOn(undefined) // the buttons are gone at once
    game.table!.call(c)
  }
  const go = (to: number) => {
    const n = Math.max(0, Math.min(to, count))
    if (n === cursor) return
    say((w) =>
      w.t(to === cursor - 1 ? 'saidBack' : 'saidGo', {
        n: Math.min(n + 1, size),
        turn: turnText(w, replay(setup, view!.played.slice(0, n))),
      }),
    )
    setAt(n === count ? 99 : n)
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
    JSON.stringify(bidOf ?? body),
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
      at: cursor,
      of: count,
      go,
      letters: {
        a: () => askAdvice(0),
        b: best,
        v: () => askAdvice(1),
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
  // In the middle of the table, where it can be seen without scrolling. An earlier position shows its trick there.
  const result =
    whole && cursor === count ? (
      <section class="auction" id="result" aria-labelledby="result-title">
        <h2 id="result-title">{w.t('result')}</h2>
        {view!.contract ? (
          score.value && <Outcome score={score.value} setup={setup} />
        ) : (
          <p class="verdict made" id="outcome">
            <span>
              {scoreText(w, position)} {w.b('noContract')}
            </span>
          </p>
        )}
        <Written answer={score} />
        <p class="calls">
          <button type="button" id="review" onClick={() => toOpen(whole)}>
            {w.b('reviewIt')}
          </button>
          <button type="button" class="main" id="again" onClick={() => void begin(view!.terms)}>
            {w.t('playAgain')}
          </button>
        </p>
      </section>
    ) : undefined
  return (
    <>
      <Skip to={() => focusIn(me)} />
      <Header page="belote" setLang={setLang} mode={<ModeSwitch mode="hidden" change={() => toOpen()} />}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main>
        <h1 class="vh">{w.b('title')}</h1>
        <div class="bar">
          {view && (
            <p class="deal-line">
              <span>{w.b('suitsShown', { suits: view.suits.map(w.suit).join(', ') })}</span>
              {!bidding && (
                <span id="contract">
                  {view.contract
                    ? w.b('contractShown', {
                        trump: w.trump(setup.trump),
                        player: w.player(setup.declarer),
                        n: setup.threshold,
                      })
                    : w.b('noContract')}
                </span>
              )}
            </p>
          )}
          <span class="grow" />
          <button type="button" class="main" id="play" onClick={() => setDialog('play')}>
            {w.t(view ? 'newGame' : 'playIt')}
          </button>
        </div>
        {failed && (
          <p class="notice bad" id="draw-failed">
            {failureText(w, failed)}
          </p>
        )}
        <div class="page">
          <div class="play">
            {!view ? (
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
                hurry={(e) => thinking && game.table!.hurry(e.timeStamp)}
                playCard={playCard}
                focusCard={(c) => {
                  const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
                  if (chosen[p] !== c) setChosen({ ...chosen, [p]: c })
                }}>
                {bidding ? <Auction view={view} call={call} /> : result}
              </BeloteTable>
            )}
            {view && (
              <Controls at={cursor} of={count} total={size} go={go}>
                <AdviceButtons
                  asking={mayAsk}
                  best={advice.value && live && myTurn}
                  ask={() => askAdvice(0)}
                  follow={best}
                />
                <CardField label={w.t('field')} field={field} say={say} play={playCard} />
              </Controls>
            )}
            <p class="status" id="status" role="status">
              {said || null}
            </p>
            {waiting &&
              (waiting.failure ? (
                <Waiting answer={waiting} />
              ) : (
                <p class="hint late" id="thinking">
                  {w.b('thinking')}
                </p>
              ))}
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score position={position} contract={view?.contract ?? false} />
            <Tabs text={w.t} list={tabs} label={w.t('seenBy')} tab={tab} set={(t) => setTab(t)}>
              {view && tab === 'modeHidden' && <Unseen cards={unseenOf(setup, view.suits)} suits={view.suits} />}
              {view &&
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
      {dialog === 'play' && <PlayDialog close={close} begin={(t) => void begin(t)} />}
      {dialog === 'help' && (
        <KeysDialog close={close} keys={keys} setKeys={setKeys} text={w.b('helpHidden')} rows={keyRows(w, true)} />
      )}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}

/** The fragment of the hidden mode. The game itself is in the memory of the page. */
export const hiddenFragment = '#v=1&m=play'
