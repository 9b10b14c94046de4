// The open mode: all cards of a deal, and what each of them is worth.

import { useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type Card, parseCard, wire } from '../shared/cards'
import { begin } from '../shared/history'
import { type OpenBoard, type OpenGame, useDraw, useOpenBoard, useOpenLater, useOpenTable } from '../shared/openboard'
import { OpenPage, type OpenProps } from '../shared/openpage'
import { keptText } from '../shared/variation'
import { type Advice, AdvicePanel, Unseen, adviceMarks } from './advice'
import { Contract, draw, suitsFor } from './dialogs'
import { type Analysis, Review, Score, type Solution, Values, marksOf, mistakeText, playedMark } from './panel'
import type { Reviewed } from './review'
import { type Player, type Position, isUnseen, play, players, refusal, sizeOf, suitsOf, turnOf, upOf } from './rules'
import { playsText, scoreText, trickText, turnText } from './say'
import { unseenOf, viewBody } from './seen'
import { type Action, type Shared, type State, bodyOf, isDeal, nothing, positionOf, reduce, turnable } from './state'
import { BeloteTable, Turned, stopOf, whichTurned, whyNot } from './table'
import { fragment, readFragment } from './url'
import { type BeloteText, type BeloteWords, useBelote } from './words'

const tabs = ['values', 'review'] as const
type Tab = (typeof tabs)[number]

const blank: State = { setup: nothing, played: [], cursor: 0, utility: 'points', cuts: [], seed: '' }

const game: OpenGame<State, Action, Position, BeloteWords, Shared, BeloteText, Tab, Player> = {
  page: 'belote',
  tabs,
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
  errorText: (w, e) => w.b(...e),
  seedText: (w, seed) => w.b('seed', { seed }),
  dealOf: ({ setup: { trump, leader, stacks } }) =>
    JSON.stringify([trump, leader, ...[stacks.A, stacks.B].map((of) => of.map(([top]) => top))]),
  deal: (shared, seed) => ({ type: 'deal', shared, seed }),
  there: (s) => isDeal(s.setup),
  size: (s) => sizeOf(s.setup),
  wire,
  parse: parseCard,
  hands: (p) => players.map((x) => [x, upOf(p, x)]),
  turnOf,
  stopOf,
}

type Board = OpenBoard<State, Action, Position, BeloteWords, Shared, BeloteText, Tab, Player>

/** What the page asks the server about the deal on it. While nobody has seen some of the cards, there are no values: there is advice. */
function useAnswers(board: Board) {
  const { w, state, position, tab } = board
  const [how, setHow] = useState<'open' | 'known'>('open')
  const { setup, utility } = state
  const there = isDeal(setup)
  const unseen = isUnseen(setup)
  const at = (cursor: number) => fragment({ ...state, played: state.played.slice(0, cursor), cursor })
  const key = there ? at(state.cursor) : ''
  const turns = turnable(position)
  const D = useOpenLater(board, () => import('./ondemand'), unseen)
  const asks = there && !position.finished
  const advice = useAnswer<Advice>(D && asks && unseen && turns.length === 0 ? key : '', '/v1/belote/advise', () => ({
    ...viewBody(setup, suitsOf(setup), state.played.slice(0, state.cursor)),
    utility,
  }))
  const solution = useAnswer<Solution>(asks && !unseen ? key : '', '/v1/belote/solve', () => ({
    ...bodyOf(state),
    goal: 'moves',
    utility,
  }))
  const reviewing = tab === 'review' && there && !unseen && state.played.length >= 2
  const whole = reviewing ? at(state.played.length) : ''
  const body = () => bodyOf(state, state.played.length)
  const review = useAnswer<Analysis>(whole, '/v1/belote/analyse', body)
  // The same cards on what was seen, while cards were face down.
  const known = useAnswer<Reviewed>(how === 'known' ? whole : '', '/v1/belote/review', body)
  const values = (w: BeloteWords) => (unseen ? adviceMarks(w, advice.value) : marksOf(w, position, solution.value))
  const marks = useMemo(
    () =>
      tab === 'review' && how === 'known' && D
        ? D.reviewMarks(w, known.value?.cards, state.cursor)
        : new Map([...values(w), ...(tab === 'review' ? playedMark(w, review.value, state.cursor) : [])]),
    [w, position, unseen, advice.value, solution.value, tab, how, D, known.value, review.value, state.cursor],
  )
  return {
    D,
    how,
    setHow,
    there,
    unseen,
    turns,
    advice,
    solution,
    reviewing,
    review,
    known,
    marks,
    told: { key, asked: asks && turns.length === 0, answer: unseen ? advice : solution, marks: values },
  }
}

type Answers = ReturnType<typeof useAnswers>

/** The review of the cards played: with open cards, or of a player on what both had seen. */
function useReview(board: Board, { how, review, known, D }: Answers) {
  const [seat, setSeat] = useState<Player>('A')
  const { state, go, say } = board
  const jump = (by: 1 | -1) => {
    board.setTab('review')
    if (how === 'open') return board.jump(by, review.value?.cards, mistakeText)
    if (!D || !known.value) return
    const found = D.mistakeOf(known.value, seat, by, state.cursor)
    if (found) go(found.number - 1)
    say((w) => (found ? D.verdictText(w, found) : w.t('noError')))
  }
  return { seat, setSeat, cursor: state.cursor, go, jump }
}

interface PanelProps {
  board: Board
  a: Answers
  reviewed: ReturnType<typeof useReview>
  playCard(c: Card): void
}

function UnseenPanel({ board: { tab, position }, a, playCard }: PanelProps) {
  const w = useBelote()
  if (tab === 'review') return <p class="hint">{w.b('reviewUnseen')}</p>
  const suits = suitsOf(position.setup)
  return (
    <>
      {a.turns.length > 0 ? (
        <p class="hint">{whichTurned(w, position)}</p>
      ) : (
        !position.finished && <AdvicePanel answer={a.advice} playCard={playCard} />
      )}
      <Unseen cards={unseenOf(position.setup, suits)} suits={suits} />
    </>
  )
}

function Panel(p: PanelProps) {
  const w = useBelote()
  const { board, a, reviewed, playCard } = p
  const { state, position, tab, act, playLine } = board
  if (a.unseen) return <UnseenPanel {...p} />
  if (!a.there) return null
  if (tab === 'values')
    return (
      <Values
        position={position}
        answer={a.solution}
        utility={state.utility}
        setUtility={(utility) => act({ type: 'utility', utility })}
        playCard={playCard}
        playLine={playLine}
      />
    )
  return (
    <>
      <div class="segments" role="group" aria-label={w.t('review')}>
        {(['open', 'known'] as const).map((x) => (
          <button type="button" key={x} id={'review-' + x} aria-pressed={a.how === x} onClick={() => a.setHow(x)}>
            {w.b(x === 'open' ? 'byOpen' : 'byKnown')}
          </button>
        ))}
      </div>
      {a.how === 'known' && a.reviewing && a.D ? (
        <a.D.SeatReview answer={a.known} {...reviewed} />
      ) : (
        <Review answer={a.review} setup={state.setup} count={state.played.length} {...reviewed} />
      )}
    </>
  )
}

export function OpenBelote({ setLang, toHidden }: OpenProps) {
  const w = useBelote()
  const started = useMemo(() => begin('belote', blank, readFragment), [])
  const board = useOpenBoard(game, w, started)
  const { state, position, act, say } = board
  const { setup } = state
  const a = useAnswers(board)
  const { unseen, turns } = a
  const reviewed = useReview(board, a)
  const draws = useDraw(
    board,
    [a.solution, a.advice, a.review, a.known],
    async (n: number = suitsOf(setup).length || 4) => {
      const suits = n === suitsOf(setup).length ? suitsOf(setup) : suitsFor(n, setup.trump)
      const drawn = await draw(suits, setup.trump)
      if (!drawn.ok) return drawn
      const { leader, declarer } = setup
      return {
        ...drawn,
        shared: { ...state, setup: { ...drawn.setup, leader, declarer }, played: [], cursor: 0 },
        says: (w: BeloteWords) => w.t('saidNew', { turn: w.t('turnSay', { seat: w.player(leader) }) }),
      }
    },
  )
  // Plays a card, or says that it was turned.
  const playCard = (c: Card) => {
    if (!turns.includes(c)) return board.playCard(c)
    say((w) => w.b('saidTurned', { card: w.card(c) }))
    board.wantsFocus.current = true
    act({ type: 'turn', card: c })
    return true
  }
  const { jump } = reviewed
  const at = useOpenTable(board, a.told, { n: () => jump(1), p: () => jump(-1), m: toHidden }, playCard)
  const change = (c: Parameters<Parameters<typeof Contract>[0]['change']>[0]) => {
    const action = { type: 'contract', change: c } as const
    const { played } = reduce(state, action)
    say((w) =>
      w.b('saidContract', {
        kept: keptText(w, state.played.length, played.length),
        trump: w.trump(c.trump === undefined ? setup.trump : c.trump),
        player: w.player(c.declarer ?? setup.declarer),
      }),
    )
    act(action)
  }
  return (
    <OpenPage
      board={board}
      D={a.D}
      page="belote"
      title={w.b('title')}
      setLang={setLang}
      toHidden={toHidden}
      draws={draws}
      at={at}
      contract={<Contract setup={setup} resize={draws.draw} change={change} />}
      enterIt={w.b('enterIt')}
      table={
        <BeloteTable
          position={position}
          live={() => true}
          marks={a.marks}
          late={unseen ? !a.advice.value && turns.length === 0 : !a.solution.value}
          chosen={at.chosen}
          refused={board.refused}
          playCard={playCard}
          focusCard={at.focusCard}>
          {turns.length > 0 ? <Turned position={position} cards={turns} choose={playCard} /> : undefined}
        </BeloteTable>
      }
      playCard={playCard}
      noBest={position.finished || !a.told.answer.value}
      score={<Score position={position} />}
      panel={<Panel board={board} a={a} reviewed={reviewed} playCard={playCard} />}
      share={a.there && !unseen ? { hand: { game: 'belote', position: bodyOf(state, state.played.length) } } : {}}
    />
  )
}
