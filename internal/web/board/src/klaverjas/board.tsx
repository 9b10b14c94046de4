// The board: the state, the keys, and the parts of the page.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { retryAll, useAnswer } from '../shared/answers'
import { type Failure, call } from '../shared/api'
import { type Card, parseCard, wire } from '../shared/cards'
import { BestButton, CardField, Controls, Tabs } from '../shared/controls'
import { Language, useLanguage, useKeyAsked } from '../shared/frame'
import { useHiddenMode } from '../shared/history'
import { useLater } from '../shared/later'
import { useOpenBoard } from '../shared/openboard'
import { OpenPage } from '../shared/openpage'
import * as prefs from '../shared/prefs'
import type { Lang } from '../shared/words'
import type { Analysis, NumberedDeal, SessionRequest, TableAnswer } from './api'
import { Contract } from './contract'
import { Hidden } from './hidden'
import { requestFrom } from './ingame'
import { game, useOpenTable } from './opentable'
import { type Tab, Score, Values, bodyOf, handsOf, tabs } from './panel'
import { type Position, type Setup, complete, holdersOf, legalOf, meldsIn, turnOf } from './rules'
import { contractText } from './say'
import { seenOf } from './seen'
import { type Action, type State, blank, initial, keyOf, positionOf, reduce } from './state'
import { Table, losses } from './table'
import { type Shared, fragment, gameFragment, readFragment, rulesText } from './url'
import { type Text, type Words, klaverjasWords, useWords } from './words'

// Where the board begins: at the address, or where the last visit ended, or at a new deal.
function begin(): { state: State; error: Text | null; draw: boolean } {
  const kept = prefs.stored('board')
  if (location.hash.length > 1) {
    const read = readFragment(location.hash)
    if (!read.ok) return { state: blank(), error: read.error, draw: false }
    return { state: initial(read.shared), error: null, draw: false }
  }
  const read = kept ? readFragment(kept.hash) : null
  return read?.ok && !read.seat
    ? { state: initial(read.shared), error: null, draw: false }
    : { state: blank(), error: null, draw: true }
}

// Whether the address, or else the last visit, shows one seat with hidden cards.
function atHidden(): boolean {
  const hash = location.hash.length > 1 ? location.hash : (prefs.stored('board')?.hash ?? '')
  if (hash === gameFragment) return true
  const read = readFragment(hash)
  return read.ok && read.seat !== undefined
}

// The hand of the address, if it belongs to a review of one seat.
function reviewed(): Shared | null {
  const read = readFragment(location.hash)
  return read.ok && read.review ? read.shared : null
}

export function BoardPage() {
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef<Shared | null>(useMemo(reviewed, [])) // where the open mode was left
  const first = useRef<SessionRequest | null>(null) // the game that the hidden mode begins with
  const trial = useRef(false) // whether the open mode begins with a position that is tried again
  // A mode that comes back later, by the history of the browser, begins neither a game nor a trial.
  useEffect(() => {
    first.current = null
    trial.current = false
  }, [hidden])
  const [w, setLang] = useLanguage((w) => klaverjasWords(w).t('title'))
  return (
    <Language.Provider value={w}>
      {hidden ? (
        <Hidden
          setLang={setLang}
          known={openBoard.current}
          first={first.current}
          toOpen={(shared, again = false) => {
            trial.current = again
            const to = shared ?? openBoard.current
            go(false, to ? fragment(to) : location.pathname)
          }}
        />
      ) : (
        <Board
          setLang={setLang}
          trial={trial.current}
          play={(request) => {
            const id = prefs.game('game')
            if (id) void call('DELETE', `/v1/klaverjas/sessions/${id}`, undefined, new AbortController().signal)
            prefs.setGame('', 'game')
            first.current = request
            go(true, gameFragment)
          }}
          toHidden={(s) => {
            first.current = null
            const whole = complete(s.setup.holders)
            trial.current = false
            openBoard.current = whole ? { setup: s.setup, played: s.played, cursor: s.cursor } : null
            go(true, prefs.game('game') || !whole ? gameFragment : fragment(seenOf(s, s.seat), s.seat))
          }}
        />
      )}
    </Language.Provider>
  )
}

export type KlaverjasBoard = ReturnType<typeof useOpenBoard<State, Action, Position, Words, Shared, Text, Tab>>

function Board({
  setLang,
  toHidden,
  play,
  trial,
}: {
  setLang(l: Lang): void
  toHidden(s: State): void
  play(request: SessionRequest): void
  trial: boolean
}) {
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
    refused,
    field,
    act,
    close,
    playCard,
    playLine,
    go,
  } = board
  const [trying, setTrying] = useState(() => (trial ? keyOf(started.state) : '')) // the position that the reader tries again, as its key
  const [drawFailed, setDrawFailed] = useState<Failure | null>(null)

  const whole = complete(state.setup.holders)
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

  const jump = (by: 1 | -1) => {
    setTab('review')
    if (D) board.jump(by, review.value?.cards, D.mistakeText)
  }
  const { solution, roving, best, focusIn, focusCard } = useOpenTable(board, true, {
    ...board.letters,
    n: () => jump(1),
    p: () => jump(-1),
    r: () => claim(),
    m: () => toHidden(state),
  })
  useKeyAsked([solution, review, table], () => setDialog('key'))

  const branched = state.cuts.length > 0 || state.aside !== undefined
  const D = useLater(
    () => import('./ondemand'),
    dialog !== '' || tab !== 'values' || branched || trying !== '' || position.tricks.length >= 4,
    () => {
      close()
      say((w) => w.t('offline'))
    },
  )
  const rest = D && whole ? D.restSettled(position) : null
  const claim = () => (rest ? playLine(rest) : D && say((w) => w.t('noClaim')))
  const found = reviewing
    ? (review.value?.cards.find((c) => c.number - 1 === state.cursor && c.cost > 0) ?? null)
    : null
  const isTrying = trying === keyOf(state)
  const contract = (c: Partial<Omit<Setup, 'holders'>>) => {
    const action = { type: 'contract', change: c } as const
    const after = reduce(state, action)
    say((w) => contractText(w, positionOf(after), state.played.length, after.played.length))
    act(action)
  }
  const playFrom = () => play(requestFrom(state, state.cursor, D?.lastPlayers()))
  const choose = (t: Tab) => {
    setTrying('')
    setTab(t)
  }
  // Plays a card; one that is tried again is judged.
  const playHere = (c: Card) => {
    const cost = isTrying && board.mayPlay(c) ? losses(position, solution.value).get(wire(c)) : undefined
    playCard(c)
    if (cost === undefined) return
    setTab('values')
    if (D) say((w) => D.triedText(w, c, cost))
  }
  const missing = [...state.setup.holders].filter((h) => h === '.').length
  return (
    <OpenPage
      page="klaverjas"
      title={w.t('title')}
      setLang={setLang}
      toHidden={() => toHidden(state)}
      open={setDialog}
      toTable={() => focusIn(state.seat)}
      draw={() => void draw()}
      drawFailed={drawFailed}
      error={error ? w.t(...error) : ''}
      linked={(drawsOne) =>
        D && (
          <D.LinkedRecord
            read={(text) => D.readImport(w, text, state.setup, true)}
            use={({ shared }) => act({ type: 'deal', ...shared })}>
            {drawsOne}
          </D.LinkedRecord>
        )
      }
      contract={
        <>
          <Contract setup={state.setup} change={contract} />
          <button type="button" id="rules" onClick={() => setDialog('rules')}>
            {w.t('rules')}
          </button>
        </>
      }
      enterIt={w.t('enter')}
      notice={
        !whole &&
        !error &&
        missing < 32 && (
          <p class="notice" id="incomplete">
            {w.t('incomplete', { n: missing })}{' '}
            <button type="button" onClick={() => setDialog('enter')}>
              {w.t('incompleteDo')}
            </button>
          </p>
        )
      }
      table={
        <>
          <Table
            position={position}
            solution={whole && !isTrying ? solution.value : undefined}
            valued={!isTrying}
            wasPlayed={found && D && !isTrying ? parseCard(found.card) : null}
            roving={roving}
            refused={refused}
            playCard={playHere}
            focusCard={focusCard}
          />
          <Controls at={state.cursor} of={state.played.length} go={go}>
            <BestButton off={position.finished || !solution.value || isTrying} best={() => !isTrying && best()} />
            {D && rest && <D.ClaimButton busy={false} claim={claim} />}
            <CardField
              label={w.t('field')}
              field={field}
              say={say}
              play={(c) => {
                playHere(c)
                return board.mayPlay(c)
              }}
            />
          </Controls>
        </>
      }
      said={said}
      below={branched && D && <D.Branch cuts={state.cuts} aside={state.aside} swap={() => act({ type: 'swap' })} />}
      panel={
        <>
          <Score position={position} />
          <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={choose}>
            {isTrying && D && <D.Trying position={position} stop={() => setTrying('')} />}
            {whole && !isTrying && tab === 'values' && (
              <Values position={position} answer={solution} playCard={playCard} playLine={playLine} />
            )}
            {whole && !isTrying && D && (
              <D.OpenTabs
                board={board}
                review={review}
                trumps={table}
                found={found}
                jump={jump}
                playFrom={playFrom}
                contract={contract}
                again={() => {
                  setTrying(keyOf(state))
                  focusIn(turnOf(position))
                }}
              />
            )}
          </Tabs>
        </>
      }>
      {D && <D.OpenDialogs board={board} changeRules={(rules) => contract({ rules })} playFrom={playFrom} />}
    </OpenPage>
  )
}

/**
 * The legal cards, the score and the melds of the last trick after cards of a position, for the test that compares them with the engine of the
 * server.
 */
export function outline(
  hash: string,
): { legal: string[]; points: Position['points']; melds: Position['melds']; roem: string[] } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(initial(read.shared))
  const legal = p.finished ? [] : legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards.map(wire)
  const { rules, trump } = p.setup
  const trick = p.tricks[p.tricks.length - 1]
  const roem = trick ? meldsIn(rules, trick.cards, trump).map((m) => `${m.kind} ${m.points}`) : []
  return { legal, points: p.points, melds: p.melds, roem }
}
