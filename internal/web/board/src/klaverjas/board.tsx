// The board: the state, the keys, and the parts of the page.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { retryAll, useAnswer } from '../shared/answers'
import { type Failure, type Job, call } from '../shared/api'
import { useAsked } from '../shared/asked'
import { type Card, parseCard, wire } from '../shared/cards'
import { CardField, Controls, HelpButton, Skip, Tabs, useKeys } from '../shared/controls'
import { Header, KeyDialog, Language, useLanguage, ModeSwitch, failureText, useKeyAsked } from '../shared/frame'
import { useHiddenMode } from '../shared/history'
import { useLater } from '../shared/later'
import { type OpenGame, useFocus, useOpenBoard } from '../shared/openboard'
import * as prefs from '../shared/prefs'
import type { Lang } from '../shared/words'
import type { Analysis, NumberedDeal, Solution, TableAnswer } from './api'
import { Contract } from './contract'
import { Hidden } from './hidden'
import { type Tab, Review, Score, Values, bodyOf, handsOf, mistakeText, tabs } from './panel'
import { type Position, complete, defaultRules, holdersOf, legalOf, play, refusal, turnOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { type Seat, next, sorted } from './seats'
import { seenOf } from './seen'
import { type Action, type State, emptySetup, initial, keyOf, positionOf, reduce } from './state'
import { Table, losses, stopOf, whyNot } from './table'
import { type Shared, fragment, gameFragment, readFragment, rulesText } from './url'
import { type Text, type Words, klaverjasWords, useWords } from './words'

const blank = (): State =>
  initial({
    setup: emptySetup({ rules: defaultRules(), trump: 'S', leader: 'S', declarer: 'NS' }),
    played: [],
    cursor: 0,
  })

// Where the board begins: at the address, or where the last visit ended, or at a new deal.
function begin(): { state: State; error: Text | null; draw: boolean } {
  const kept = prefs.stored('board')
  if (location.hash.length > 1) {
    const read = readFragment(location.hash)
    if (!read.ok) return { state: blank(), error: read.error, draw: false }
    return { state: initial(read.shared, kept?.hash === location.hash ? kept.cuts : []), error: null, draw: false }
  }
  const read = kept ? readFragment(kept.hash) : null
  return read?.ok && !read.seat
    ? { state: initial(read.shared, kept!.cuts), error: null, draw: false }
    : { state: blank(), error: null, draw: true }
}

// Whether the address, or else the last visit, is that of one seat with hidden cards.
function atHidden(): boolean {
  const hash = location.hash.length > 1 ? location.hash : (prefs.stored('board')?.hash ?? '')
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
      {hidden ? (
        <Hidden
          setLang={setLang}
          known={openBoard.current}
          toOpen={(shared) => {
            const to = shared ?? openBoard.current
            go(false, to ? fragment(to) : location.pathname)
          }}
        />
      ) : (
        <Board
          setLang={setLang}
          toHidden={(s) => {
            const whole = complete(s.setup.holders)
            openBoard.current = whole ? { setup: s.setup, played: s.played, cursor: s.cursor } : null
            go(true, prefs.game('game') || !whole ? gameFragment : fragment(seenOf(s, s.seat), s.seat))
          }}
        />
      )}
    </Language.Provider>
  )
}

const trickText = (w: Words, p: Position): string => {
  const { cards, leader } = p.trick
  if (cards.length === 0) return w.t('saidEmpty', { turn: turnText(w, p) })
  return cards.map((c, i) => w.t('said', { seat: w.seat(next(leader, i)), card: w.card(c) })).join(' ')
}

const game: OpenGame<State, Action, Position, Words, Shared, Text> = {
  page: 'board',
  reduce,
  positionOf,
  play,
  refusal,
  readFragment,
  fragment,
  whyNot,
  playsText,
  turnText,
  scoreText,
  trickText,
  dealOf: (s) => JSON.stringify(s.setup),
  deal: (shared) => ({ type: 'deal', ...shared }),
  there: (s) => s.setup.holders !== '.'.repeat(32),
  size: () => 32,
}

function Board({ setLang, toHidden }: { setLang(l: Lang): void; toHidden(s: State): void }) {
  const w = useWords()
  const started = useMemo(begin, [])
  const board = useOpenBoard(game, w, started, 'values' as Tab, atHidden)
  const {
    state,
    position,
    error,
    tab,
    setTab,
    dialog,
    setDialog,
    said,
    say,
    keys,
    setKeys,
    refused,
    field,
    act,
    close,
    playCard,
    playLine,
    go,
  } = board
  const [roving, setRoving] = useState<Partial<Record<Seat, Card>>>({})
  const [drawFailed, setDrawFailed] = useState<Failure | null>(null)

  const whole = complete(state.setup.holders)
  const key = keyOf(state)
  const solution = useAnswer<Solution>(whole && !position.finished ? key : '', '/v1/klaverjas/solve', () => ({
    ...bodyOf(state, state.played.slice(0, state.cursor)),
    goal: 'moves',
  }))
  const reviewing = tab === 'review' && whole && state.played.length >= 2
  const review = useAnswer<Analysis>(reviewing ? keyOf(state, state.played.length) : '', '/v1/klaverjas/analyse', () =>
    bodyOf(state, state.played),
  )
  const { holders, leader, rules } = state.setup
  const table = useAnswer<TableAnswer>(
    tab === 'trumps' && whole ? [holders, leader, rulesText(rules)].join('|') : '',
    '/v1/klaverjas/table',
    () => ({ leader, rules, hands: handsOf(holders) }),
  )

  const draw = async () => {
    const { trump } = state.setup
    const reply = await call<NumberedDeal>(
      'GET',
      `/v1/klaverjas/deals/random?trump=${trump}&leader=${leader}`,
      undefined,
      new AbortController().signal,
    )
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

  const best = () => {
    const c = solution.value?.moves?.[0]
    if (c) playCard(parseCard(c.card)!)
    else readValues()
  }
  const jump = (by: 1 | -1) => {
    setTab('review')
    board.jump(by, review.value?.cards, mistakeText)
  }
  const startJob = async () => {
    const reply = await call<Job>(
      'POST',
      '/v1/jobs',
      { kind: 'klaverjas.analyse', request: bodyOf(state, state.played) },
      new AbortController().signal,
    )
    if (!reply.ok) return
    prefs.rememberJob(reply.body.id, fragment(state))
    location.assign('/jobs')
  }

  // Focus goes to the hand that is to play, and never to nothing.
  const focusIn = (seat: Seat) => {
    const c = stopOf(position, seat, roving[seat])
    const target =
      c === undefined ? document.getElementById('undo') : document.querySelector(`#felt [data-card="${wire(c)}"]`)
    if (target instanceof HTMLElement) target.focus()
  }
  useFocus(board.wantsFocus, state, () => focusIn(state.seat))

  const focusCard = (c: Card) => {
    const seat = state.setup.holders[c] as Seat
    if (roving[seat] !== c) setRoving({ ...roving, [seat]: c })
  }
  // A hand that is to play offers its first legal card, wherever the keyboard was before.
  useEffect(() => setRoving({}), [key])

  const valuesText = (w: Words): string => {
    const loss = losses(position, solution.value)
    const hand = sorted(position.held[turnOf(position)], state.setup.trump).filter((c) => loss.has(wire(c)))
    return (
      hand
        .map(
          (c) => `${w.card(c)}, ${loss.get(wire(c)) === 0 ? w.t('isBest') : w.t('loses', { n: loss.get(wire(c))! })}`,
        )
        .join('; ') + '.'
    )
  }
  const tell = useAsked(key, solution, say, [valuesText])
  const readValues = () => (whole && !position.finished ? tell(0) : say((w) => w.t('noValues')))

  useKeys(
    dialog !== '',
    keys,
    {
      at: state.cursor,
      of: state.played.length,
      go,
      letters: {
        ...board.letters,
        b: best,
        v: readValues,
        n: () => jump(1),
        p: () => jump(-1),
        m: () => toHidden(state),
      },
    },
    (e, card) => {
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
    },
  )

  const D = useLater(
    () => import('./ondemand'),
    dialog !== '' || tab === 'trumps',
    () => {
      close()
      say((w) => w.t('offline'))
    },
  )
  const missing = [...state.setup.holders].filter((h) => h === '.').length
  return (
    <>
      <Skip to={() => focusIn(state.seat)} />
      <Header page="klaverjas" setLang={setLang} mode={<ModeSwitch mode="open" change={() => toHidden(state)} />}>
        <HelpButton open={() => setDialog('help')} />
      </Header>
      <main>
        <h1 class="vh">{w.t('title')}</h1>
        <div class="bar" role="group" aria-label={w.t('contract')}>
          <Contract
            setup={state.setup}
            change={(c) => {
              const after = { ...state.setup, ...c }
              say((w) =>
                w.t('saidContract', {
                  trump: w.suit(after.trump),
                  turn: w.t('turnSay', { seat: w.seat(after.leader) }),
                }),
              )
              act({ type: 'contract', change: c })
            }}
          />
          <button type="button" id="rules" onClick={() => setDialog('rules')}>
            {w.t('rules')}
          </button>
          <span class="grow" />
          <button type="button" class="main" id="new" onClick={() => void draw()}>
            {w.t('newDeal')}
          </button>
          <button type="button" id="enter" onClick={() => setDialog('enter')}>
            {w.t('enter')}
          </button>
          <button type="button" id="import" onClick={() => setDialog('import')}>
            {w.t('importIt')}
          </button>
          <button type="button" id="share" onClick={() => setDialog('share')}>
            {w.t('share')}
          </button>
        </div>
        {error && (
          <p class="notice bad" id="url-error">
            {w.t('urlBad', { error: w.t(...error) })}{' '}
            <button type="button" onClick={() => void draw()}>
              {w.t('drawIt')}
            </button>
          </p>
        )}
        {drawFailed && (
          <p class="notice bad" id="draw-failed">
            {failureText(w, drawFailed)}{' '}
            <button type="button" onClick={() => void draw()}>
              {w.t('retry')}
            </button>
          </p>
        )}
        {!whole && !error && missing < 32 && (
          <p class="notice" id="incomplete">
            {w.t('incomplete', { n: missing })}{' '}
            <button type="button" onClick={() => setDialog('enter')}>
              {w.t('incompleteDo')}
            </button>
          </p>
        )}
        <div class="page">
          <div class="play">
            <Table
              position={position}
              solution={whole ? solution.value : undefined}
              roving={roving}
              refused={refused}
              playCard={playCard}
              focusCard={focusCard}
            />
            <Controls at={state.cursor} of={state.played.length} go={go}>
              <button
                type="button"
                id="best"
                aria-disabled={position.finished || !solution.value}
                title={w.t('best')}
                onClick={best}>
                <span aria-hidden="true">★ </span>
                {w.t('bestShort')}
              </button>
              <CardField
                label={w.t('field')}
                field={field}
                say={say}
                play={(c) => {
                  playCard(c)
                  return board.mayPlay(c)
                }}
              />
            </Controls>
            <p class="status" id="status" role="status">
              {said || null}
            </p>
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            <Score position={position} />
            <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={(t) => setTab(t)}>
              {whole && tab === 'values' && (
                <Values position={position} answer={solution} playCard={playCard} playLine={playLine} />
              )}
              {whole && tab === 'review' && (
                <Review
                  answer={review}
                  count={state.played.length}
                  cursor={state.cursor}
                  declarer={state.setup.declarer}
                  go={go}
                  jump={jump}
                  startJob={() => void startJob()}
                />
              )}
              {whole && tab === 'trumps' && D && (
                <D.Trumps
                  answer={table}
                  position={position}
                  choose={(trump, declarer) => act({ type: 'contract', change: { trump, declarer } })}
                />
              )}
            </Tabs>
          </aside>
        </div>
      </main>
      {dialog === 'enter' && D && (
        <D.EnterDialog
          setup={state.setup}
          close={close}
          use={(h) => act({ type: 'deal', setup: { ...state.setup, holders: h } })}
        />
      )}
      {dialog === 'import' && D && (
        <D.ImportDialog
          setup={state.setup}
          close={close}
          use={(s) => {
            act({ type: 'deal', ...s })
            close()
          }}
        />
      )}
      {dialog === 'rules' && D && (
        <D.RulesDialog
          rules={state.setup.rules}
          close={close}
          use={(r) => act({ type: 'contract', change: { rules: r } })}
        />
      )}
      {dialog === 'share' && D && <D.ShareDialog close={close} say={say} />}
      {dialog === 'help' && D && <D.HelpDialog close={close} keys={keys} setKeys={setKeys} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}

/**
 * The legal cards and the score after cards of a position, for the test that compares them with the engine of the
 * server.
 */
export function outline(
  hash: string,
): { legal: string[]; points: Position['points']; melds: Position['melds'] } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(initial(read.shared))
  const legal = p.finished ? [] : legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards.map(wire)
  return { legal, points: p.points, melds: p.melds }
}
