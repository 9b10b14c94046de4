// The open mode: all cards of a deal, and what each of them is worth.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { retryAll, useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { useAsked } from '../shared/asked'
import { type Card, parseCard } from '../shared/cards'
import { CardField, Controls, HelpButton, Skip, Tabs, useKeys } from '../shared/controls'
import { KeysDialog, ShareDialog } from '../shared/dialogs'
import { Header, KeyDialog, ModeSwitch, failureText, useKeyAsked, useStatus } from '../shared/frame'
import { begin, useAddress } from '../shared/history'
import * as prefs from '../shared/prefs'
import type { Lang } from '../shared/words'
import { Contract, ImportDialog, draw, suitsFor } from './dialogs'
import { keyRows } from './help'
import { type Analysis, Review, Score, type Solution, Values, marksOf, mistakeText } from './panel'
import { type Player, type Setup, opponent, play, refusal, sizeOf, suitsOf, turnOf, upOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { type Action, type State, bodyOf, isDeal, nothing, positionOf, reduce } from './state'
import { BeloteTable, focusOn, stopOf, whyNot } from './table'
import { fragment, readFragment } from './url'
import { type BeloteText, type BeloteWords, useBelote } from './words'

type Open = '' | 'import' | 'share' | 'help' | 'key'
const tabs = ['values', 'review'] as const
type Tab = (typeof tabs)[number]

const blank: State = { setup: nothing, played: [], cursor: 0, utility: 'points', cuts: [], seed: '' }

const dealOf = (s: Setup): string => JSON.stringify(s.stacks)

export function OpenBelote({ setLang, toHidden }: { setLang(l: Lang): void; toHidden(): void }) {
  const w = useBelote()
  const started = useMemo(() => begin('belote', blank, readFragment), [])
  const [state, change] = useReducer<State, Action>(reduce, started.state)
  const [error, setError] = useState<BeloteText | null>(started.error)
  const [tab, setTab] = useState<Tab>('values')
  const [dialog, setDialog] = useState<Open>('')
  const [said, say] = useStatus(w)
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Partial<Record<Player, Card>>>({})
  const [refused, setRefused] = useState<Card | null>(null)
  const [drawFailed, setDrawFailed] = useState<Failure | undefined>()
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  const { setup, utility } = state
  const there = isDeal(setup)
  const position = useMemo(() => positionOf(state), [setup, state.played, state.cursor])
  const at = (cursor: number) => fragment({ ...state, played: state.played.slice(0, cursor), cursor })
  const key = there ? at(state.cursor) : ''
  const solution = useAnswer<Solution>(there && !position.finished ? key : '', '/v1/belote/solve', () => ({ ...bodyOf(state), goal: 'moves', utility }))
  const reviewing = tab === 'review' && there && state.played.length >= 2
  const review = useAnswer<Analysis>(reviewing ? at(state.played.length) : '', '/v1/belote/analyse', () => bodyOf(state, state.played.length))
  const marks = useMemo(() => marksOf(w, position, solution.value), [w, position, solution.value])

  const act = (action: Action) => {
    setError(null)
    setRefused(null)
    change(action)
  }

  useAddress('belote', state, dealOf(setup), error || !there ? null : { hash: fragment(state), cuts: state.cuts, seed: state.seed }, () => {
    const from = readFragment(location.hash)
    if (!from.ok) {
      if (location.hash.length > 1) setError(from.error)
      return null
    }
    setError(null)
    change({ type: 'deal', shared: from.shared })
    return dealOf(from.shared.setup)
  })

  const drawOne = async (n = suitsOf(setup).length || 4, first = false) => {
    const suits = n === suitsOf(setup).length ? suitsOf(setup) : suitsFor(n, setup.trump)
    setDrawFailed(undefined)
    const drawn = await draw(suits, setup.trump)
    if (!drawn.ok) return setDrawFailed(drawn.failure)
    const { leader, declarer } = setup
    act({ type: 'deal', seed: drawn.seed, shared: { ...state, setup: { ...drawn.setup, leader, declarer }, played: [], cursor: 0 } })
    if (!first) say((w) => w.t('saidNew', { turn: w.t('turnSay', { seat: w.player(leader) }) }))
  }
  const drawFirst = !there && !error
  useEffect(() => {
    if (drawFirst) void drawOne(4, true)
  }, [])
  useEffect(() => {
    const again = () => {
      if (drawFirst) void drawOne(4, true)
    }
    addEventListener(retryAll, again)
    return () => removeEventListener(retryAll, again)
  }, [drawFirst])

  useKeyAsked([solution, review, { failure: drawFailed }], () => setDialog('key'))

  const inTable = () => document.activeElement?.closest('#felt') != null
  const playCard = (c: Card) => {
    if (refusal(position, c) !== null) {
      setRefused(c)
      say((w) => w.t('saidRefused', { card: w.card(c), why: whyNot(w, position, c) }))
      return
    }
    wantsFocus.current = inTable()
    say((w) => playsText(w, position, [c]))
    act({ type: 'play', cards: [c] })
  }
  const playLine = (cards: readonly Card[]) => {
    const before = cards.slice(0, -1).reduce(play, position)
    say((w) => playsText(w, before, cards.slice(-1)))
    act({ type: 'play', cards })
  }
  const go = (to: number) => {
    const after = reduce(state, { type: 'go', to })
    if (after.cursor === state.cursor) return
    wantsFocus.current = inTable()
    const n = Math.min(after.cursor + 1, sizeOf(setup))
    say((w) => w.t(to === state.cursor - 1 ? 'saidBack' : 'saidGo', { n, turn: turnText(w, positionOf(after)) }))
    act({ type: 'go', to })
  }
  const best = () => {
    const m = solution.value?.moves?.[0]
    if (m) playCard(parseCard(m.card)!)
    else readValues()
  }
  const jump = (by: 1 | -1) => {
    setTab('review')
    const costly = review.value?.cards.filter((c) => c.cost > 0) ?? []
    const found = by > 0 ? costly.find((c) => c.number - 1 > state.cursor) : costly.findLast((c) => c.number - 1 < state.cursor)
    if (!found) return review.value ? say((w) => w.t('noMistake')) : undefined
    wantsFocus.current = inTable()
    say((w) => mistakeText(w, found))
    act({ type: 'go', to: found.number - 1 })
  }

  // Focus goes to the player whose turn it is, and never to nothing.
  const focusIn = (p: Player) => focusOn(stopOf(position, p, chosen[p]))
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    focusIn(turnOf(position))
  }, [state])
  useEffect(() => setChosen({}), [key])

  const valuesText = (w: BeloteWords): string => {
    const marks = marksOf(w, position, solution.value)
    return [...marks].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.'
  }
  const tell = useAsked(key, solution, say, [valuesText])
  const readValues = () => (there && !position.finished ? tell(0) : say((w) => w.t('noValues')))
  const trickText = (w: BeloteWords): string =>
    position.led === null ? w.t('saidEmpty', { turn: turnText(w, position) }) : w.t('said', { seat: w.player(position.leader), card: w.card(position.led) })

  useKeys(dialog !== '', keys, {
    at: state.cursor, of: state.played.length, go,
    letters: {
      b: best, v: readValues, s: () => say((w) => scoreText(w, position)), t: () => say(trickText), n: () => jump(1), p: () => jump(-1),
      '/': () => field.current?.focus(), m: toHidden, '?': () => setDialog('help'),
    },
  }, (e, card) => {
    const c = parseCard(card.dataset['card']!)!
    const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
    const up = upOf(position, p)
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    if (step) focusOn(up[(up.indexOf(c) + step + up.length) % up.length])
    else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      if (upOf(position, opponent(p)).length > 0) focusIn(opponent(p))
    } else return false
    return true
  })

  const close = () => setDialog('')
  return (
    <>
      <Skip to={() => focusIn(turnOf(position))} />
      <Header page="belote" setLang={setLang} mode={<ModeSwitch mode="open" change={toHidden} />}><HelpButton open={() => setDialog('help')} /></Header>
      <main>
        <h1 class="vh">{w.b('title')}</h1>
        <div class="bar" role="group" aria-label={w.t('contract')}>
          <Contract setup={setup} resize={(n) => void drawOne(n)} change={(c) => {
            say((w) => w.b('saidContract', { trump: w.trump(c.trump === undefined ? setup.trump : c.trump), player: w.player(c.declarer ?? setup.declarer) }))
            act({ type: 'contract', change: c })
          }} />
          <span class="grow" />
          <button type="button" class="main" id="new" onClick={() => void drawOne()}>{w.t('newDeal')}</button>
          <button type="button" id="import" onClick={() => setDialog('import')}>{w.b('enterIt')}</button>
          <button type="button" id="share" onClick={() => setDialog('share')}>{w.t('share')}</button>
        </div>
        {error && <p class="notice bad" id="url-error">{w.t('urlBad', { error: w.b(...error) })} <button type="button" onClick={() => void drawOne(4)}>{w.t('drawIt')}</button></p>}
        {drawFailed && <p class="notice bad" id="draw-failed">{failureText(w, drawFailed)} <button type="button" onClick={() => void drawOne()}>{w.t('retry')}</button></p>}
        <div class="page">
          <div class="play">
            <BeloteTable position={position} live={() => true} marks={marks} late={!solution.value} chosen={chosen} refused={refused} playCard={playCard} focusCard={(c) => {
              const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
              if (chosen[p] !== c) setChosen({ ...chosen, [p]: c })
            }} />
            <Controls at={state.cursor} of={state.played.length} total={sizeOf(setup)} go={go}>
              <button type="button" id="best" aria-disabled={position.finished || !solution.value} title={w.t('best')} onClick={best}><span aria-hidden="true">★ </span>{w.t('bestShort')}</button>
              <CardField label={w.t('field')} field={field} say={say} play={(c) => {
                playCard(c)
                return refusal(position, c) === null
              }} />
            </Controls>
            <p class="status" id="status" role="status">{said || null}</p>
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score position={position} />
            {state.seed && <p class="hint" id="seed">{w.b('seed', { seed: state.seed })}</p>}
            <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={(t) => setTab(t)}>
              {there && tab === 'values' && <Values position={position} answer={solution} utility={utility} setUtility={(u) => act({ type: 'utility', utility: u })} playCard={playCard} playLine={playLine} />}
              {there && tab === 'review' && <Review answer={review} setup={setup} count={state.played.length} cursor={state.cursor} go={go} jump={jump} />}
            </Tabs>
          </aside>
        </div>
      </main>
      {dialog === 'import' && <ImportDialog current={state} close={close} use={(shared, seed) => {
        act({ type: 'deal', shared, ...(seed ? { seed } : {}) })
        close()
      }} />}
      {dialog === 'share' && <ShareDialog close={close} say={say} />}
      {dialog === 'help' && <KeysDialog close={close} keys={keys} setKeys={setKeys} text={w.b('helpText')} rows={keyRows(w)} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}
