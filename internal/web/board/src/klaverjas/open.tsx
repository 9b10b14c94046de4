// The open mode: all cards of a deal, and what each of them is worth.

import { useMemo, useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../shared/answers'
import { call } from '../shared/api'
import { type Card, parseCard, wire } from '../shared/cards'
import { begin } from '../shared/history'
import { type Drawn, useDraw, useOpenBoard, useOpenLater, useOpenTable } from '../shared/openboard'
import { OpenPage, type OpenProps } from '../shared/openpage'
import type { Analysis, NumberedDeal, SessionRequest, Solution, TableAnswer } from './api'
import { Contract } from './contract'
import { type KlaverjasBoard, game, useValues } from './opentable'
import { Score, Values, bodyOf, handsOf } from './panel'
import { type Setup, complete, holdersOf, turnOf } from './rules'
import { contractText } from './say'
import { type State, blank, initial, keyOf, positionOf, reduce } from './state'
import { Table, losses } from './table'
import { type Shared, atHidden, readFragment, rulesText } from './url'
import { type Text, type Words, useWords } from './words'

// Where the board begins. What the last visit showed of one seat is no deal.
function beginning() {
  const { state, error } = begin('board', blank(), (hash) => {
    const read = readFragment(hash)
    return read.ok && read.seat ? { ok: false, error: ['urlSeat'] as Text } : read
  })
  return { state: initial(state), error }
}

/** What the page asks the server about the deal on it, and what it loads. tried is the position that is tried again, as its key. */
function useAnswers(board: KlaverjasBoard, tried: string) {
  const { state, position, tab } = board
  const { holders, leader, rules } = state.setup
  const whole = complete(holders)
  const { solution, told } = useValues(board, true)
  const reviewing = tab === 'review' && whole && state.played.length >= 2
  const review = useAnswer<Analysis>(reviewing ? keyOf(state, state.played.length) : '', '/v1/klaverjas/analyse', () =>
    bodyOf(state, state.played),
  )
  const trumps = useAnswer<TableAnswer>(
    tab === 'trumps' && whole ? [holders, leader, rulesText(rules)].join('|') : '',
    '/v1/klaverjas/table',
    () => ({ leader, rules, hands: handsOf(holders) }),
  )
  const branched = state.cuts.length > 0 || state.aside !== undefined
  const D = useOpenLater(board, () => import('./ondemand'), branched || tried !== '' || position.tricks.length >= 4)
  const found = reviewing
    ? (review.value?.cards.find((c) => c.number - 1 === state.cursor && c.cost > 0) ?? null)
    : null
  const rest = D && whole ? D.restSettled(position) : null
  return { whole, solution, told, review, trumps, branched, D, found, rest }
}

type Answers = ReturnType<typeof useAnswers>

async function draw({ setup }: State): Promise<Drawn<Shared, Words>> {
  const { trump, leader } = setup
  const path = `/v1/klaverjas/deals/random?trump=${trump}&leader=${leader}`
  const reply = await call<NumberedDeal>('GET', path, undefined, new AbortController().signal)
  if (!reply.ok) return reply
  return {
    ok: true,
    shared: { setup: { ...setup, holders: holdersOf(reply.body.position.hands) }, played: [], cursor: 0 },
    says: (w) => w.t('saidNew', { turn: w.t('turnSay', { seat: w.seat(leader) }) }),
  }
}

interface PanelProps {
  board: KlaverjasBoard
  a: Answers
  /** Ends the trying again, where a position is tried. */
  stop: (() => void) | undefined
  contract(c: Partial<Omit<Setup, 'holders'>>): void
  jump(by: 1 | -1): void
  playFrom(): void
  again(): void
}

function Panel({ board, a, stop, ...acts }: PanelProps) {
  const { D } = a
  if (stop) return D && <D.Trying position={board.position} stop={stop} />
  if (!a.whole) return null
  if (board.tab === 'values')
    return <Values position={board.position} answer={a.solution} playCard={board.playCard} playLine={board.playLine} />
  return D && <D.OpenTabs board={board} review={a.review} trumps={a.trumps} found={a.found} {...acts} />
}

/** The position that the reader tries again: its values are hidden until a card is played, which is then judged. */
function useTrial(board: KlaverjasBoard, trial: boolean) {
  const { state, position } = board
  const [tried, set] = useState(() => (trial ? keyOf(state) : ''))
  const trying = tried === keyOf(state)
  return {
    tried,
    trying,
    begin: () => set(keyOf(state)),
    stop: () => set(''),
    /** Plays a card. */
    play(c: Card, solution: Answer<Solution>, D: Answers['D']): boolean {
      const cost = trying ? losses(position, solution.value).get(wire(c)) : undefined
      if (!board.playCard(c)) return false
      if (cost === undefined) return true
      board.setTab('values')
      if (D) board.say((w) => D.triedText(w, c, cost))
      return true
    },
  }
}

export function OpenKlaverjas({
  setLang,
  toHidden,
  play,
  trial,
}: Pick<OpenProps, 'setLang'> & { toHidden(s: State): void; play(request: SessionRequest): void; trial: boolean }) {
  const w = useWords()
  const started = useMemo(beginning, [])
  const board = useOpenBoard(game, w, started, atHidden)
  const { state, position, say, act, dialog } = board
  const { setup } = state
  const tries = useTrial(board, trial)
  const a = useAnswers(board, tries.tried)
  const { solution, D, rest, found } = a
  const draws = useDraw(board, [solution, a.review, a.trumps], () => draw(state))
  const jump = (by: 1 | -1) => {
    board.setTab('review')
    if (D) board.jump(by, a.review.value?.cards, D.mistakeText)
  }
  const claim = () => (rest ? board.playLine(rest) : D && say((w) => w.t('noClaim')))
  const at = useOpenTable(board, a.told, { n: () => jump(1), p: () => jump(-1), r: claim, m: () => toHidden(state) })
  const contract = (change: Partial<Omit<Setup, 'holders'>>) => {
    const action = { type: 'contract', change } as const
    const after = reduce(state, action)
    say((w) => contractText(w, positionOf(after), state.played.length, after.played.length))
    act(action)
  }
  const playFrom = () => D && play(D.requestFrom(state, state.cursor, D.lastPlayers()))
  const playHere = (c: Card) => tries.play(c, solution, D)
  const again = () => {
    tries.begin()
    at.focusIn(turnOf(position))
  }
  return (
    <OpenPage
      board={board}
      D={D}
      page="klaverjas"
      title={w.t('title')}
      setLang={setLang}
      toHidden={() => toHidden(state)}
      draws={draws}
      at={tries.trying ? { ...at, best: () => {} } : at}
      contract={
        <>
          <Contract setup={setup} change={contract} />
          <button type="button" id="rules" onClick={() => board.setDialog('rules')}>
            {w.t('rules')}
          </button>
        </>
      }
      enterIt={w.t('enter')}
      notice={D && !a.whole && <D.Incomplete board={board} />}
      table={
        <Table
          position={position}
          solution={a.whole && !tries.trying ? solution.value : undefined}
          valued={!tries.trying}
          wasPlayed={found && D && !tries.trying ? parseCard(found.card) : null}
          roving={at.chosen}
          refused={board.refused}
          playCard={playHere}
          focusCard={at.focusCard}
        />
      }
      playCard={playHere}
      noBest={position.finished || !solution.value || tries.trying}
      controls={D && rest && <D.ClaimButton busy={false} claim={claim} />}
      below={a.branched && D && <D.Branch cuts={state.cuts} aside={state.aside} swap={() => act({ type: 'swap' })} />}
      score={<Score position={position} />}
      chosen={tries.stop}
      panel={
        <Panel
          board={board}
          a={a}
          stop={tries.trying ? tries.stop : undefined}
          contract={contract}
          jump={jump}
          playFrom={playFrom}
          again={again}
        />
      }
      share={
        D
          ? { embed: D.embedCode(w, state), hand: { game: 'klaverjas', position: { ...bodyOf(state, state.played) } } }
          : {}
      }>
      {D && dialog === 'rules' && (
        <D.RulesDialog rules={setup.rules} close={board.close} use={(rules) => contract({ rules })} />
      )}
      {D && dialog === 'stop' && <D.StopDialog close={board.close} stop={playFrom} />}
    </OpenPage>
  )
}
