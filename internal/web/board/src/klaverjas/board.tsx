// The board: the state, the keys, and the parts of the page.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { retryAll, useAnswer } from '../shared/answers'
import { type Failure, type Job, call } from '../shared/api'
import { useAsked } from '../shared/asked'
import { type Card, parseCard, wire } from '../shared/cards'
import { CardField, Controls, HelpButton, Skip, Tabs, useKeys } from '../shared/controls'
import { Header, KeyDialog, Language, useLanguage, ModeSwitch, failureText, useKeyAsked, useStatus } from '../shared/frame'
import { useAddress, useHiddenMode } from '../shared/history'
import { useLater } from '../shared/later'
import * as prefs from '../shared/prefs'
import type { Lang } from '../shared/words'
import type { Analysis, NumberedDeal, Solution, TableAnswer } from './api'
import { Contract } from './contract'
import { Hidden } from './hidden'
import { type Tab, Review, Score, Trumps, Values, bodyOf, handsOf, mistakeText, tabs } from './panel'
import { type Position, complete, defaultRules, holdersOf, legalOf, play, refusal, turnOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { type Seat, next, sorted } from './seats'
import { seenOf } from './seen'
import { type Action, type State, emptySetup, initial, keyOf, positionOf, reduce } from './state'
import { Table, losses, stopOf, whyNot } from './table'
import { type Shared, fragment, gameFragment, readFragment, rulesText } from './url'
import { type Text, type Words, klaverjasWords, useWords } from './words'

type Open = '' | 'enter' | 'import' | 'rules' | 'share' | 'help' | 'key'

const blank = (): State => initial({ setup: emptySetup({ rules: defaultRules(), trump: 'S', leader: 'S', declarer: 'NS' }), played: [], cursor: 0 })

// Where the board begins: at the address, or where the last visit ended, or at a new deal.
function begin(): { state: State; error: Text | null; draw: boolean } {
  const kept = prefs.stored('board')
  if (location.hash.length > 1) {
    const read = readFragment(location.hash)
    if (!read.ok) return { state: blank(), error: read.error, draw: false }
    return { state: initial(read.shared, kept?.hash === location.hash ? kept.cuts : []), error: null, draw: false }
  }
  const read = kept ? readFragment(kept.hash) : null
  return read?.ok && !read.seat ? { state: initial(read.shared, kept!.cuts), error: null, draw: false } : { state: blank(), error: null, draw: true }
}

// Whether the address, or else the last visit, is that of one seat with hidden cards.
function atHidden(): boolean {
  const hash = location.hash.length > 1 ? location.hash : prefs.stored('board')?.hash ?? ''
  if (hash === gameFragment) return true
  const read = readFragment(hash)
  return read.ok && read.seat !== undefined
}

export function BoardPage() {
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef<Shared | null>(null) // where the open mode was left
  const [w, setLang] = useLanguage((w) => klaverjasWords(w).t('title'))
  return (
    <Language.Provider value={w}>
      {hidden
        ? <Hidden setLang={setLang} known={openBoard.current} toOpen={(shared) => {
          const to = shared ?? openBoard.current
          go(false, to ? fragment(to) : location.pathname)
        }} />
        : <Board setLang={setLang} toHidden={(s) => {
          const whole = complete(s.setup.holders)
          openBoard.current = whole ? { setup: s.setup, played: s.played, cursor: s.cursor } : null
          go(true, prefs.game('game') || !whole ? gameFragment : fragment(seenOf(s, s.seat), s.seat))
        }} />}
    </Language.Provider>
  )
}

function Board({ setLang, toHidden }: { setLang(l: Lang): void; toHidden(s: State): void }) {
  const w = useWords()
  const started = useMemo(begin, [])
  const [state, change] = useReducer<State, Action>(reduce, started.state)
  const [error, setError] = useState<Text | null>(started.error)
  const [tab, setTab] = useState<Tab>('values')
  const [dialog, setDialog] = useState<Open>('')
  const [said, say] = useStatus(w)
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [roving, setRoving] = useState<Partial<Record<Seat, Card>>>({})
  const [refused, setRefused] = useState<Card | null>(null)
  const [drawFailed, setDrawFailed] = useState<Failure | null>(null)
  const wantsFocus = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  const position = useMemo(() => positionOf(state), [state.setup, state.played, state.cursor])
  const whole = complete(state.setup.holders)
  const key = keyOf(state)
  const solution = useAnswer<Solution>(whole && !position.finished ? key : '', '/v1/klaverjas/solve', () => ({ ...bodyOf(state, state.played.slice(0, state.cursor)), goal: 'moves' }))
  const reviewing = tab === 'review' && whole && state.played.length >= 2
  const review = useAnswer<Analysis>(reviewing ? keyOf(state, state.played.length) : '', '/v1/klaverjas/analyse', () => bodyOf(state, state.played))
  const { holders, leader, rules } = state.setup
  const table = useAnswer<TableAnswer>(tab === 'trumps' && whole ? [holders, leader, rulesText(rules)].join('|') : '', '/v1/klaverjas/table', () => ({ leader, rules, hands: handsOf(holders) }))

  const act = (action: Action) => {
    setError(null)
    setRefused(null)
    change(action)
  }

  useAddress('board', state, JSON.stringify(state.setup), error || state.setup.holders === '.'.repeat(32) ? null : { hash: fragment(state), cuts: state.cuts }, () => {
    if (atHidden()) return null
    const from = readFragment(location.hash)
    if (!from.ok) {
      if (location.hash.length > 1) setError(from.error)
      return null
    }
    setError(null)
    change({ type: 'deal', ...from.shared })
    return JSON.stringify(from.shared.setup)
  })

  const draw = async () => {
    const { trump } = state.setup
    const reply = await call<NumberedDeal>('GET', `/v1/klaverjas/deals/random?trump=${trump}&leader=${leader}`, undefined, new AbortController().signal)
    if (!reply.ok) {
      if (reply.failure.kind === 'problem' && reply.failure.status === 401) setDialog('key')
      return setDrawFailed(reply.failure)
    }
    setDrawFailed(null)
    const setup = { ...state.setup, holders: holdersOf(reply.body.position.hands) }
    act({ type: 'deal', setup })
    if (whole) say((w) => w.t('saidNew', { turn: w.t('turnSay', { seat: w.seat(leader) }) }))
  }
  useEffect(() => {
    if (started.draw) void draw()
  }, [])
  useEffect(() => {
    const again = () => {
      if (!whole && started.draw) void draw()
    }
    addEventListener(retryAll, again)
    return () => removeEventListener(retryAll, again)
  }, [whole])

  useKeyAsked([solution, review, table], () => setDialog('key'))

  const inTable = () => document.activeElement?.closest('#felt') !== null && document.activeElement !== document.body
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
    let p = position
    for (const c of cards.slice(0, -1)) p = play(p, c)
    say((w) => playsText(w, p, cards.slice(-1)))
    act({ type: 'play', cards })
  }
  const go = (to: number, text: Text[0] = 'saidGo') => {
    const after = reduce(state, { type: 'go', to })
    if (after.cursor === state.cursor) return
    wantsFocus.current = inTable()
    say((w) => w.t(text, { n: after.cursor + 1 > 32 ? 32 : after.cursor + 1, turn: turnText(w, positionOf(after)) }))
    act({ type: 'go', to })
  }
  const best = () => {
    const c = solution.value?.moves?.[0]
    if (c) playCard(parseCard(c.card)!)
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
  const startJob = async () => {
    const reply = await call<Job>('POST', '/v1/jobs', { kind: 'klaverjas.analyse', request: bodyOf(state, state.played) }, new AbortController().signal)
    if (!reply.ok) return
    prefs.rememberJob(reply.body.id, fragment(state))
    location.assign('/jobs')
  }

  // Focus goes to the hand that is to play, and never to nothing.
  const focusIn = (seat: Seat) => {
    const c = stopOf(position, seat, roving[seat])
    const target = c === undefined ? document.getElementById('undo') : document.querySelector(`#felt [data-card="${wire(c)}"]`)
    if (target instanceof HTMLElement) target.focus()
  }
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    focusIn(state.seat)
  }, [state])

  const focusCard = (c: Card) => {
    const seat = state.setup.holders[c] as Seat
    if (roving[seat] !== c) setRoving({ ...roving, [seat]: c })
  }
  // A hand that is to play offers its first legal card, wherever the keyboard was before.
  useEffect(() => setRoving({}), [key])

  const valuesText = (w: Words): string => {
    const loss = losses(position, solution.value)
    const hand = sorted(position.held[turnOf(position)], state.setup.trump).filter((c) => loss.has(wire(c)))
    return hand.map((c) => `${w.card(c)}, ${loss.get(wire(c)) === 0 ? w.t('isBest') : w.t('loses', { n: loss.get(wire(c))! })}`).join('; ') + '.'
  }
  const tell = useAsked(key, solution, say, [valuesText])
  const readValues = () => (whole && !position.finished ? tell(0) : say((w) => w.t('noValues')))
  const trickText = (w: Words): string => {
    const { cards, leader: from } = position.trick
    if (cards.length === 0) return w.t('saidEmpty', { turn: turnText(w, position) })
    return cards.map((c, i) => w.t('said', { seat: w.seat(next(from, i)), card: w.card(c) })).join(' ')
  }

  useKeys(dialog !== '', keys, {
    at: state.cursor, of: state.played.length, go: (to) => go(to, to === state.cursor - 1 ? 'saidBack' : 'saidGo'),
    letters: {
      b: best, v: readValues, s: () => say((w) => scoreText(w, position)), t: () => say(trickText), n: () => jump(1), p: () => jump(-1),
      '/': () => field.current?.focus(), m: () => toHidden(state), '?': () => setDialog('help'),
    },
  }, (e, card) => {
    const c = parseCard(card.dataset['card']!)!
    const seat = state.setup.holders[c] as Seat
    const hand = sorted(position.held[seat], state.setup.trump)
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    const turnStep = { ArrowUp: -1, ArrowDown: 1 }[e.key]
    if (step) {
      const to = hand[(hand.indexOf(c) + step + hand.length) % hand.length]!
      document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
    } else if (turnStep) {
      let to = seat
      do to = next(to, turnStep + 4)
      while (position.held[to].length === 0)
      focusIn(to)
    } else return false
    return true
  })

  const close = () => setDialog('')
  const D = useLater(() => import('./ondemand'), dialog !== '', () => {
    close()
    say((w) => w.t('offline'))
  })
  const missing = [...state.setup.holders].filter((h) => h === '.').length
  return (
    <>
      <Skip to={() => focusIn(state.seat)} />
      <Header page="klaverjas" setLang={setLang} mode={<ModeSwitch mode="open" change={() => toHidden(state)} />}><HelpButton open={() => setDialog('help')} /></Header>
      <main>
        <h1 class="vh">{w.t('title')}</h1>
        <div class="bar" role="group" aria-label={w.t('contract')}>
          <Contract setup={state.setup} change={(c) => {
            const after = { ...state.setup, ...c }
            say((w) => w.t('saidContract', { trump: w.suit(after.trump), turn: w.t('turnSay', { seat: w.seat(after.leader) }) }))
            act({ type: 'contract', change: c })
          }} />
          <button type="button" id="rules" onClick={() => setDialog('rules')}>{w.t('rules')}</button>
          <span class="grow" />
          <button type="button" class="main" id="new" onClick={() => void draw()}>{w.t('newDeal')}</button>
          <button type="button" id="enter" onClick={() => setDialog('enter')}>{w.t('enter')}</button>
          <button type="button" id="import" onClick={() => setDialog('import')}>{w.t('importIt')}</button>
          <button type="button" id="share" onClick={() => setDialog('share')}>{w.t('share')}</button>
        </div>
        {error && <p class="notice bad" id="url-error">{w.t('urlBad', { error: w.t(...error) })} <button type="button" onClick={() => void draw()}>{w.t('drawIt')}</button></p>}
        {drawFailed && <p class="notice bad" id="draw-failed">{failureText(w, drawFailed)} <button type="button" onClick={() => void draw()}>{w.t('retry')}</button></p>}
        {!whole && !error && missing < 32 && <p class="notice" id="incomplete">{w.t('incomplete', { n: missing })} <button type="button" onClick={() => setDialog('enter')}>{w.t('incompleteDo')}</button></p>}
        <div class="page">
          <div class="play">
            <Table position={position} solution={whole ? solution.value : undefined} roving={roving} refused={refused} playCard={playCard} focusCard={focusCard} />
            <Controls at={state.cursor} of={state.played.length} go={(to) => go(to, to === state.cursor - 1 ? 'saidBack' : 'saidGo')}>
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
            <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={(t) => setTab(t)}>
              {whole && tab === 'values' && <Values position={position} answer={solution} playCard={playCard} playLine={playLine} />}
              {whole && tab === 'review' && <Review answer={review} count={state.played.length} cursor={state.cursor} declarer={state.setup.declarer} go={go} jump={jump} startJob={() => void startJob()} />}
              {whole && tab === 'trumps' && <Trumps answer={table} position={position} choose={(trump, declarer) => act({ type: 'contract', change: { trump, declarer } })} />}
            </Tabs>
          </aside>
        </div>
      </main>
      {dialog === 'enter' && D && <D.EnterDialog setup={state.setup} close={close} use={(h) => act({ type: 'deal', setup: { ...state.setup, holders: h } })} />}
      {dialog === 'import' && D && <D.ImportDialog setup={state.setup} close={close} use={(s) => {
        act({ type: 'deal', ...s })
        close()
      }} />}
      {dialog === 'rules' && D && <D.RulesDialog rules={state.setup.rules} close={close} use={(r) => act({ type: 'contract', change: { rules: r } })} />}
      {dialog === 'share' && D && <D.ShareDialog close={close} say={say} />}
      {dialog === 'help' && D && <D.HelpDialog close={close} keys={keys} setKeys={setKeys} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}

/** The legal cards and the score after cards of a position, for the test that compares them with the engine of the server. */
export function outline(hash: string): { legal: string[]; points: Position['points']; melds: Position['melds'] } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(initial(read.shared))
  const legal = p.finished ? [] : legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards.map(wire)
  return { legal, points: p.points, melds: p.melds }
}
