// The board: the state, the keys, and the parts of the page.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { retryAll, useAnswer } from './answers'
import { type Analysis, type Job, type NumberedDeal, type Solution, type TableAnswer, call } from './api'
import { type Card, type Seat, next, parseCard, sorted, wire } from './cards'
import { Contract, EnterDialog, HelpDialog, ImportDialog, RulesDialog, ShareDialog, holdersOf } from './dialogs'
import { Header, KeyDialog, Language, ModeSwitch, useWords } from './frame'
import { Hidden } from './hidden'
import { Review, Score, type Tab, Trumps, Values, bodyOf, handsOf, mistakeText, tabs } from './panel'
import * as prefs from './prefs'
import { type Position, complete, defaultRules, legalOf, play, refusal, turnOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { seenOf } from './seen'
import { type Action, type State, emptySetup, initial, keyOf, positionOf, reduce } from './state'
import { Table, losses, stopOf, whyNot } from './table'
import { type Shared, fragment, gameFragment, readFragment, rulesText } from './url'
import { type Lang, type Text, words } from './words'

type Open = '' | 'enter' | 'import' | 'rules' | 'share' | 'help' | 'key'

const blank = (): State => initial({ setup: emptySetup({ rules: defaultRules(), trump: 'S', leader: 'S', declarer: 'NS' }), played: [], cursor: 0 })

// Where the board begins: at the address, or where the last visit ended, or at a new deal.
function begin(): { state: State; error: Text | null; draw: boolean } {
  const kept = prefs.stored()
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
  const hash = location.hash.length > 1 ? location.hash : prefs.stored()?.hash ?? ''
  if (hash === gameFragment) return true
  const read = readFragment(hash)
  return read.ok && read.seat !== undefined
}

export function BoardPage() {
  const [lang, setLang] = useState<Lang>(prefs.language())
  const [hidden, setHidden] = useState(atHidden)
  const openBoard = useRef<Shared | null>(null) // where the open mode was left
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = w.t('title')
  }, [lang])
  useEffect(() => {
    const follow = () => setHidden(atHidden())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = (toHidden: boolean, hash: string) => {
    history.pushState(null, '', hash)
    setHidden(toHidden)
  }
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
          go(true, prefs.game() || !whole ? gameFragment : fragment(seenOf(s, s.seat), s.seat))
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
  const [said, say] = useState('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [roving, setRoving] = useState<Partial<Record<Seat, Card>>>({})
  const [refused, setRefused] = useState<Card | null>(null)
  const [drawFailed, setDrawFailed] = useState('')
  const [typed, setTyped] = useState('')
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

  // The address and the storage follow the state, before the page is shown. A new deal is a new entry of the history.
  const deal = JSON.stringify(state.setup)
  const dealBefore = useRef(deal)
  useLayoutEffect(() => {
    if (error) return
    const hash = fragment(state)
    if (state.setup.holders === '.'.repeat(32)) return
    if (location.hash !== hash) {
      if (deal !== dealBefore.current && location.hash.length > 1) history.pushState(null, '', hash)
      else history.replaceState(null, '', hash)
    }
    dealBefore.current = deal
    prefs.store({ hash, cuts: state.cuts })
  }, [state, error])

  useEffect(() => {
    const read = () => {
      if (atHidden()) return
      const from = readFragment(location.hash)
      if (from.ok) {
        dealBefore.current = JSON.stringify(from.shared.setup)
        setError(null)
        change({ type: 'deal', ...from.shared })
      } else if (location.hash.length > 1) setError(from.error)
    }
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])

  const draw = async () => {
    const { trump } = state.setup
    const reply = await call<NumberedDeal>('GET', `/v1/klaverjas/deals/random?trump=${trump}&leader=${leader}`, undefined, new AbortController().signal)
    if (!reply.ok) {
      if (reply.failure.kind === 'problem' && reply.failure.status === 401) setDialog('key')
      setDrawFailed(reply.failure.kind === 'problem' ? w.t('failed', { detail: reply.failure.problem.detail }) : w.t('offline'))
      return
    }
    setDrawFailed('')
    const setup = { ...state.setup, holders: holdersOf(reply.body.position.hands) }
    act({ type: 'deal', setup })
    if (whole) say(w.t('saidNew', { turn: w.t('turnSay', { seat: w.seat(leader) }) }))
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

  const unauthorized = [solution, review, table].some((a) => a.failure?.kind === 'problem' && a.failure.status === 401)
  useEffect(() => {
    if (unauthorized) setDialog('key')
  }, [unauthorized])

  const inTable = () => document.activeElement?.closest('#felt') !== null && document.activeElement !== document.body
  const playCard = (c: Card) => {
    if (refusal(position, c) !== null) {
      setRefused(c)
      say(w.t('saidRefused', { card: w.card(c), why: whyNot(w, position, c) }))
      return
    }
    wantsFocus.current = inTable()
    say(playsText(w, position, [c]))
    act({ type: 'play', cards: [c] })
  }
  const playLine = (cards: readonly Card[]) => {
    let p = position
    for (const c of cards.slice(0, -1)) p = play(p, c)
    say(playsText(w, p, cards.slice(-1)))
    act({ type: 'play', cards })
  }
  const go = (to: number, text: Text[0] = 'saidGo') => {
    const after = reduce(state, { type: 'go', to })
    if (after.cursor === state.cursor) return
    wantsFocus.current = inTable()
    say(w.t(text, { n: after.cursor + 1 > 32 ? 32 : after.cursor + 1, turn: turnText(w, positionOf(after)) }))
    act({ type: 'go', to })
  }
  const best = () => {
    const c = solution.value?.moves?.[0]
    if (c) playCard(parseCard(c.card)!)
    else if (!position.finished) say(w.t('noValues'))
  }
  const jump = (by: 1 | -1) => {
    setTab('review')
    const costly = review.value?.cards.filter((c) => c.cost > 0) ?? []
    const found = by > 0 ? costly.find((c) => c.number - 1 > state.cursor) : costly.findLast((c) => c.number - 1 < state.cursor)
    if (!found) return review.value ? say(w.t('noMistake')) : undefined
    wantsFocus.current = inTable()
    say(mistakeText(w, found))
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

  const valuesText = (): string => {
    const loss = losses(position, solution.value)
    if (loss.size === 0) return w.t('noValues')
    const hand = sorted(position.held[turnOf(position)], state.setup.trump).filter((c) => loss.has(wire(c)))
    return hand.map((c) => `${w.card(c)}, ${loss.get(wire(c)) === 0 ? w.t('isBest') : w.t('loses', { n: loss.get(wire(c))! })}`).join('; ') + '.'
  }
  const trickText = (): string => {
    const { cards, leader: from } = position.trick
    if (cards.length === 0) return w.t('saidEmpty', { turn: turnText(w, position) })
    return cards.map((c, i) => w.t('said', { seat: w.seat(next(from, i)), card: w.card(c) })).join(' ')
  }

  const onKey = useRef<(e: KeyboardEvent) => void>(() => {})
  onKey.current = (e) => {
    const target = e.target as HTMLElement
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || dialog !== '' || target.closest('input, select, textarea, dialog')) return
    const done = () => e.preventDefault()
    const card = target.closest<HTMLElement>('#felt [data-card]')
    if (card) {
      const c = parseCard(card.dataset['card']!)!
      const seat = state.setup.holders[c] as Seat
      const hand = sorted(position.held[seat], state.setup.trump)
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      const turnStep = { ArrowUp: -1, ArrowDown: 1 }[e.key]
      if (e.shiftKey && e.key === 'ArrowRight') return done(), go(state.cursor + 1)
      if (e.shiftKey && e.key === 'ArrowLeft') return done(), go(state.cursor - 1, 'saidBack')
      if (step) {
        const to = hand[(hand.indexOf(c) + step + hand.length) % hand.length]!
        document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
        return done()
      }
      if (turnStep) {
        let to = seat
        do to = next(to, turnStep + 4)
        while (position.held[to].length === 0)
        focusIn(to)
        return done()
      }
    }
    if (target.closest('#felt, .controls')) {
      if (e.key === 'Backspace') return done(), go(state.cursor - 1, 'saidBack')
      if (e.key === 'Home') return done(), go(0)
      if (e.key === 'End') return done(), go(state.played.length)
    }
    if (!keys || e.repeat) return
    switch (e.key) {
      case 'b': return done(), best()
      case 'v': return done(), say(valuesText())
      case 's': return done(), say(scoreText(w, position))
      case 't': return done(), say(trickText())
      case 'n': return done(), jump(1)
      case 'p': return done(), jump(-1)
      case '/': return done(), field.current?.focus()
      case 'm': return done(), toHidden(state)
      case '?': return done(), setDialog('help')
    }
  }
  useEffect(() => {
    const listen = (e: KeyboardEvent) => onKey.current(e)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const control = (id: string, label: string, path: string, enabled: boolean, does: () => void) => (
    <button type="button" id={id} class="round" aria-label={label} title={label} aria-disabled={!enabled} onClick={() => enabled && does()}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={path} fill="currentColor" /></svg>
    </button>
  )
  const close = () => setDialog('')
  const missing = [...state.setup.holders].filter((h) => h === '.').length
  return (
    <>
      <a class="skip" href="#felt" onClick={(e) => {
        e.preventDefault()
        focusIn(state.seat)
      }}>{w.t('skip')}</a>
      <Header page="board" setLang={setLang} mode={<ModeSwitch mode="open" change={() => toHidden(state)} />}><button type="button" class="round" id="help" aria-label={w.t('help')} title={w.t('help')} onClick={() => setDialog('help')}>?</button></Header>
      <main>
        <h1 class="vh">{w.t('title')}</h1>
        <div class="bar" role="group" aria-label={w.t('contract')}>
          <Contract setup={state.setup} change={(c) => {
            const after = { ...state.setup, ...c }
            say(w.t('saidContract', { trump: w.suit(after.trump), turn: w.t('turnSay', { seat: w.seat(after.leader) }) }))
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
        {drawFailed && <p class="notice bad" id="draw-failed">{drawFailed} <button type="button" onClick={() => void draw()}>{w.t('retry')}</button></p>}
        {!whole && !error && missing < 32 && <p class="notice" id="incomplete">{w.t('incomplete', { n: missing })} <button type="button" onClick={() => setDialog('enter')}>{w.t('incompleteDo')}</button></p>}
        <div class="page">
          <div class="play">
            <Table position={position} solution={whole ? solution.value : undefined} roving={roving} refused={refused} playCard={playCard} focusCard={focusCard} />
            <div class="controls" role="group" aria-label={w.t('moves')}>
              {control('first', w.t('first'), 'M5 5h3v14H5zM20 5v14L9 12z', state.cursor > 0, () => go(0))}
              {control('undo', w.t('undo'), 'M17 5v14L7 12z', state.cursor > 0, () => go(state.cursor - 1, 'saidBack'))}
              <span class="count" aria-hidden="true">{state.cursor} / 32</span>
              {control('redo', w.t('redo'), 'M7 5v14l10-7z', state.cursor < state.played.length, () => go(state.cursor + 1))}
              {control('last', w.t('last'), 'M16 5h3v14h-3zM4 5v14l11-7z', state.cursor < state.played.length, () => go(state.played.length))}
              <button type="button" id="best" aria-disabled={position.finished || !solution.value} title={w.t('best')} onClick={best}><span aria-hidden="true">★ </span>{w.t('bestShort')}</button>
              <form class="field" onSubmit={(e) => {
                e.preventDefault()
                const c = parseCard(typed)
                if (c === null) return say(w.t('noCard', { text: typed.trim().slice(0, 12) }))
                if (refusal(position, c) === null) setTyped('')
                playCard(c)
              }}>
                <label for="field">{w.t('field')}</label>
                <input id="field" ref={field} value={typed} placeholder="10H" autocomplete="off" autocapitalize="characters" spellcheck={false} size={5} aria-describedby="field-hint" onInput={(e) => setTyped(e.currentTarget.value)} />
                <span id="field-hint" class="vh">{w.t('fieldHint')}</span>
                <button type="submit">{w.t('go')}</button>
              </form>
            </div>
            <p class="status" id="status" role="status">{said}</p>
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score position={position} />
            <div class="tabs" role="tablist" aria-label={w.t('values')} onKeyDown={(e) => {
              const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
              if (!step) return
              const to = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
              setTab(to)
              document.getElementById('tab-' + to)?.focus()
            }}>
              {tabs.map((x) => <button type="button" role="tab" key={x} id={'tab-' + x} aria-selected={tab === x} aria-controls="tab-panel" tabIndex={tab === x ? 0 : -1} onClick={() => setTab(x)}>{w.t(x)}</button>)}
            </div>
            <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={'tab-' + tab} tabIndex={0}>
              {whole && tab === 'values' && <Values position={position} answer={solution} playCard={playCard} playLine={playLine} />}
              {whole && tab === 'review' && <Review answer={review} count={state.played.length} cursor={state.cursor} declarer={state.setup.declarer} go={go} jump={jump} startJob={() => void startJob()} />}
              {whole && tab === 'trumps' && <Trumps answer={table} position={position} choose={(trump, declarer) => act({ type: 'contract', change: { trump, declarer } })} />}
            </div>
          </aside>
        </div>
      </main>
      {dialog === 'enter' && <EnterDialog setup={state.setup} close={close} use={(h) => act({ type: 'deal', setup: { ...state.setup, holders: h } })} />}
      {dialog === 'import' && <ImportDialog setup={state.setup} close={close} use={(s) => {
        act({ type: 'deal', ...s })
        close()
      }} />}
      {dialog === 'rules' && <RulesDialog rules={state.setup.rules} close={close} use={(r) => act({ type: 'contract', change: { rules: r } })} />}
      {dialog === 'share' && <ShareDialog close={close} say={say} />}
      {dialog === 'help' && <HelpDialog close={close} keys={keys} setKeys={setKeys} />}
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
