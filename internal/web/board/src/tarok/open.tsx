// The open mode: all cards of a deal, the exchange, and what each card is worth.

import { useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { begin } from '../shared/history'
import { type OpenBoard, type OpenGame, useDraw, useOpenBoard, useOpenLater, useOpenTable } from '../shared/openboard'
import { OpenPage, type OpenProps } from '../shared/openpage'
import { keptText } from '../shared/variation'
import { type Card, type Player, parseCard, players, readTarok, wire } from './cards'
import { ContractChoice, draw } from './deal'
import { example } from './example'
import { type Score, type Solution, Stand, Values, marksOf, mostExact, soonExact } from './panel'
import { type Position, type Rules, type Setup, groupOf, play, refusal, start, turnOf } from './rules'
import { playsText, rulesText, scoreText, trickText, turnText } from './say'
import { type Action, type Shared, type State, bodyOf, isDefault, positionOf, reduce, saidBody, silence } from './state'
import { TarokTable, stopOf, whyNot } from './table'
import { fragment, readFragment } from './url'
import { type TarokText, type TarokWords, useTarok } from './words'

const tabs = ['values', 'tricks', 'score'] as const
type Tab = (typeof tabs)[number]

const exampleState = (): State => {
  const read = readFragment(example)
  if (!read.ok) throw new Error(String(read.error))
  return { ...read.shared, cuts: [], seed: '' }
}

const game: OpenGame<State, Action, Position, TarokWords, Shared, TarokText, Tab, Player> = {
  page: 'tarok',
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
  dealOf: ({ setup }) => JSON.stringify([setup.hands, setup.talon, setup.contract, setup.declarer, setup.rules]),
  deal: (shared, seed) => ({ type: 'deal', shared, seed }),
  there: () => true,
  size: () => 48,
  reader: (w) => ({
    read: readTarok,
    words: w,
    example: 'T21',
    hint: w.b('fieldHint'),
    noCard: (text) => w.b('noCard', { text }),
  }),
  wire,
  parse: parseCard,
  hands: (p) => players.map((x) => [x, p.held[x]]),
  turnOf,
  // Before the exchange the keyboard goes to the talon.
  stopOf: (p, player, chosen) => (p.phase === 'talon' ? undefined : stopOf(p, player, chosen)),
}

type Board = OpenBoard<State, Action, Position, TarokWords, Shared, TarokText, Tab, Player>

/** What the page asks the server about the deal on it. */
function useAnswers({ w, state, position, error }: Board) {
  const [exact, setExact] = useState(false)
  const left = 16 - position.tricks.length
  const exactly = left <= soonExact || (exact && left <= mostExact)
  const key = fragment({ ...state, played: state.played.slice(0, state.cursor) })
  const asked = !error && position.phase === 'play' && state.setup.contract !== 'klop'
  const solution = useAnswer<Solution>(asked ? key + (exactly ? '' : '|9') : '', '/v1/tarok/solve', () => ({
    ...bodyOf(state),
    goal: 'moves',
    ...(exactly ? {} : { depth: 9, selection: 'all' }),
  }))
  const score = useAnswer<Score>(!error && position.phase === 'finished' ? key : '', '/v1/tarok/score', () => ({
    ...bodyOf(state),
    ...saidBody(state.said),
  }))
  return {
    exact,
    setExact,
    solution,
    score,
    marks: useMemo(() => marksOf(w, position, solution.value), [w, position, solution.value]),
    told: { key, asked, answer: solution, marks: (w: TarokWords) => marksOf(w, position, solution.value) },
  }
}

const talonText = (w: TarokWords, { declarer }: Setup): string => w.b('saidTalon', { player: w.player(declarer) })

/** Who is to play first, or to exchange. */
const firstText = (w: TarokWords, setup: Setup): string =>
  start(setup).phase === 'talon' ? talonText(w, setup) : turnText(w, start(setup))

/** What can be done with the deal, and what is said of it. */
function useActs({ state, act, say, wantsFocus, ...board }: Board) {
  const { setup } = state
  return {
    playCard: (card: Card) =>
      board.playCard(card, () => {
        if (board.position.phase !== 'discard') return false
        say((w) => w.b('saidDiscard', { player: w.player(setup.declarer), card: w.card(card) }))
        act({ type: 'discard', card })
        return true
      }),
    take(group: number) {
      wantsFocus.current = true
      say((w) => w.b('saidTakes', { player: w.player(setup.declarer), cards: w.cards(groupOf(setup, group)) }))
      act({ type: 'group', group })
    },
    exchangeAgain() {
      wantsFocus.current = true
      say((w) => talonText(w, setup))
      act({ type: 'group', group: null })
    },
    changeRules(rules: Rules) {
      const action = { type: 'rules', rules } as const
      const { played } = reduce(state, action)
      say((w) => keptText(w, state.played.length, played.length))
      act(action)
    },
    changeContract(change: Partial<Pick<Setup, 'contract' | 'declarer'>>) {
      const after = { ...setup, ...change, group: null, discards: [] }
      say((w) =>
        w.b('saidContract', {
          kept: keptText(w, state.played.length, 0),
          contract: w.contract(after.contract),
          turn: firstText(w, after),
        }),
      )
      act({ type: 'contract', change })
    },
    showExample() {
      act({ type: 'deal', shared: exampleState() })
      say((w) => w.b('saidExample'))
    },
  }
}

function Contract({ board: { state, setDialog }, acts }: { board: Board; acts: ReturnType<typeof useActs> }) {
  const w = useTarok()
  const { setup } = state
  return (
    <>
      <ContractChoice setup={setup} change={acts.changeContract} />
      <button type="button" id="rules" onClick={() => setDialog('rules')}>
        {w.b('rulesOpen')}
      </button>
      {!isDefault(setup.rules) && (
        <span class="hint" id="rules-text">
          {rulesText(w, setup.rules)}
        </span>
      )}
    </>
  )
}

export function OpenTarok({ setLang, toHidden }: OpenProps) {
  const w = useTarok()
  const started = useMemo(() => begin('tarok', exampleState(), readFragment), [])
  const board = useOpenBoard(game, w, started)
  const { state, position, tab } = board
  const { setup } = state
  const D = useOpenLater(board, () => import('./ondemand'))
  const a = useAnswers(board)
  const acts = useActs(board)
  const { playCard } = acts
  const draws = useDraw(board, [a.solution, a.score], async () => {
    const drawn = await draw()
    if (!drawn.ok) return drawn
    const fresh = { ...setup, ...drawn.deal, group: null, discards: [] }
    return {
      ...drawn,
      shared: { setup: fresh, said: silence, played: [], cursor: 0 },
      says: (w: TarokWords) => w.t('saidNew', { turn: firstText(w, fresh) }),
    }
  })
  const at = useOpenTable(board, a.told, { m: toHidden }, playCard)
  return (
    <OpenPage
      board={board}
      D={D}
      page="tarok"
      title={w.b('title')}
      setLang={setLang}
      toHidden={toHidden}
      draws={draws}
      at={at}
      contract={<Contract board={board} acts={acts} />}
      more={
        <button type="button" id="example" title={w.b('exampleHint')} onClick={acts.showExample}>
          {w.b('example')}
        </button>
      }
      enterIt={w.b('enterIt')}
      table={
        <TarokTable
          position={position}
          marks={a.marks}
          late={a.told.asked && !a.solution.value}
          chosen={at.chosen}
          refused={board.refused}
          playCard={playCard}
          take={acts.take}
          again={acts.exchangeAgain}
          focusCard={at.focusCard}
        />
      }
      playCard={playCard}
      noBest={!a.told.asked || !a.solution.value}
      score={<Stand position={position} />}
      panel={
        <>
          {tab === 'values' && (
            <Values
              position={position}
              answer={a.solution}
              exact={a.exact}
              setExact={a.setExact}
              playCard={playCard}
              playLine={board.playLine}
            />
          )}
          {tab === 'tricks' && D && <D.Tricks position={position} cursor={state.cursor} go={board.go} />}
          {tab === 'score' && D && (
            <D.Scoring
              position={position}
              said={state.said}
              answer={a.score}
              change={(said) => board.act({ type: 'said', said })}
            />
          )}
        </>
      }
      share={{ hand: { game: 'tarok', position: bodyOf(state, state.played.length), ...saidBody(state.said) } }}>
      {D && board.dialog === 'rules' && (
        <D.RulesDialog rules={setup.rules} close={board.close} use={acts.changeRules} />
      )}
    </OpenPage>
  )
}
