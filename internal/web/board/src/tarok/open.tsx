// The open mode: all cards of a deal, the exchange, and what each card is worth.

import { useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { useAsked } from '../shared/asked'
import { BestButton, CardField, Controls, Tabs, useKeys } from '../shared/controls'
import { useKeyAsked } from '../shared/frame'
import { useFor } from '../shared/usefor'
import { begin } from '../shared/history'
import { useLater } from '../shared/later'
import { type OpenGame, useFocus, useOpenBoard } from '../shared/openboard'
import { OpenPage } from '../shared/openpage'
import { keptText } from '../shared/variation'
import type { Lang } from '../shared/words'
import { type Card, type Player, next, parseCard, players, readTarok } from './cards'
import { ContractChoice, draw } from './deal'
import { example } from './example'
import { type Score, type Solution, Stand, Values, marksOf, mostExact, soonExact } from './panel'
import { type Position, type Rules, groupOf, play, refusal, start, turnOf } from './rules'
import { playsText, rulesText, scoreText, turnText } from './say'
import { type Action, type Shared, type State, bodyOf, isDefault, positionOf, reduce, saidBody } from './state'
import { TarokTable, focusOn, stopOf, whyNot } from './table'
import { fragment, readFragment } from './url'
import { type TarokText, type TarokWords, useTarok } from './words'

const tabs = ['values', 'tricks', 'score'] as const
type Tab = (typeof tabs)[number]

const exampleState = (): State => {
  const read = readFragment(example)
  if (!read.ok) throw new Error(String(read.error))
  return { ...read.shared, cuts: [], seed: '' }
}

const trickText = (w: TarokWords, p: Position): string =>
  p.trick.length === 0
    ? w.t('saidEmpty', { turn: turnText(w, p) })
    : p.trick.map((c, i) => w.t('said', { seat: w.player(next(p.leader, i)), card: w.card(c) })).join(' ')

const game: OpenGame<State, Action, Position, TarokWords, Shared, TarokText> = {
  page: 'tarok',
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
  dealOf: ({ setup }) => JSON.stringify([setup.hands, setup.talon, setup.contract, setup.declarer, setup.rules]),
  deal: (shared) => ({ type: 'deal', shared }),
  there: () => true,
  size: () => 48,
}

export type TarokBoard = ReturnType<typeof useOpenBoard<State, Action, Position, TarokWords, Shared, TarokText, Tab>>

export function OpenTarok({ setLang, toHidden }: { setLang(l: Lang): void; toHidden(): void }) {
  const w = useTarok()
  const started = useMemo(() => begin('tarok', exampleState(), readFragment), [])
  const board = useOpenBoard(game, w, started, 'values' as Tab)
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
    refused,
    field,
    act,
    close,
    playLine,
    go,
  } = board
  const [drawFailed, setDrawFailed] = useState<Failure | undefined>()
  const [exact, setExact] = useState(false)

  const { setup } = state
  const left = 16 - position.tricks.length
  const exactly = left <= soonExact || (exact && left <= mostExact)
  const key = fragment({ ...state, played: state.played.slice(0, state.cursor) })
  const [chosen, setChosen] = useFor<Partial<Record<Player, Card>>>(key, {})
  const searched = !error && position.phase === 'play' && setup.contract !== 'klop'
  const solution = useAnswer<Solution>(searched ? key + (exactly ? '' : '|9') : '', '/v1/tarok/solve', () => ({
    ...bodyOf(state),
    goal: 'moves',
    ...(exactly ? {} : { depth: 9, selection: 'all' }),
  }))
  const score = useAnswer<Score>(!error && position.phase === 'finished' ? key : '', '/v1/tarok/score', () => ({
    ...bodyOf(state),
    ...saidBody(state.said),
  }))
  const marks = useMemo(() => marksOf(w, position, solution.value), [w, position, solution.value])

  const drawOne = async () => {
    setDrawFailed(undefined)
    const drawn = await draw()
    if (!drawn.ok) return setDrawFailed(drawn.failure)
    const fresh = { ...setup, ...drawn.deal, group: null, discards: [] }
    act({
      type: 'deal',
      seed: drawn.seed,
      shared: { setup: fresh, said: { kontra: 'none', bonuses: {} }, played: [], cursor: 0 },
    })
    say((w) =>
      w.t('saidNew', {
        turn:
          start(fresh).phase === 'talon'
            ? w.b('saidTalon', { player: w.player(fresh.declarer) })
            : turnText(w, start(fresh)),
      }),
    )
  }
  const changeRules = (rules: Rules) => {
    const action = { type: 'rules', rules } as const
    const { played } = reduce(state, action)
    say((w) => keptText(w, state.played.length, played.length))
    act(action)
  }
  const showExample = () => {
    act({ type: 'deal', shared: exampleState() })
    say((w) => w.b('saidExample'))
  }

  useKeyAsked([solution, score, { failure: drawFailed }], () => setDialog('key'))

  const playCard = (card: Card) =>
    board.playCard(card, () => {
      if (position.phase !== 'discard') return false
      say((w) => w.b('saidDiscard', { player: w.player(setup.declarer), card: w.card(card) }))
      act({ type: 'discard', card })
      return true
    })
  const take = (group: number) => {
    board.wantsFocus.current = true
    say((w) => w.b('saidTakes', { player: w.player(setup.declarer), cards: w.cards(groupOf(setup, group)) }))
    act({ type: 'group', group })
  }
  const again = () => {
    board.wantsFocus.current = true
    say((w) => w.b('saidTalon', { player: w.player(setup.declarer) }))
    act({ type: 'group', group: null })
  }
  const best = () => {
    const m = searched ? solution.value?.moves?.[0] : undefined
    if (m) playCard(parseCard(m.card)!)
    else readValues()
  }

  // Focus goes to the player whose turn it is, and never to nothing.
  const focusIn = (p: Player) => focusOn(position.phase === 'talon' ? undefined : stopOf(position, p, chosen[p]))
  useFocus(board.wantsFocus, state, () => focusIn(turnOf(position)))
  const valuesText = (w: TarokWords): string => {
    const marks = marksOf(w, position, solution.value)
    return [...marks].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.'
  }
  const tell = useAsked(key, solution, say, [valuesText])
  const readValues = () => (searched ? tell(0) : say((w) => w.t('noValues')))
  useKeys(
    dialog !== '',
    keys,
    {
      at: state.cursor,
      of: state.played.length,
      go,
      letters: { ...board.letters, b: best, v: readValues, m: toHidden },
    },
    (e, card) => {
      const c = parseCard(card.dataset['card']!)!
      const p = players.find((x) => position.held[x].includes(c))!
      const hand = position.held[p]
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      const other = { ArrowUp: -1, ArrowDown: 1 }[e.key]
      if (step) focusOn(hand[(hand.indexOf(c) + step + hand.length) % hand.length])
      else if (other) {
        const to = next(p, other + 3)
        if (position.held[to].length > 0) focusIn(to)
      } else return false
      return true
    },
  )

  const D = useLater(
    () => import('./ondemand'),
    dialog !== '' || tab !== 'values' || error !== null,
    () => {
      close()
      say((w) => w.t('offline'))
    },
  )
  return (
    <OpenPage
      page="tarok"
      title={w.b('title')}
      setLang={setLang}
      toHidden={toHidden}
      open={setDialog}
      toTable={() => focusIn(turnOf(position))}
      draw={() => void drawOne()}
      drawFailed={drawFailed}
      error={D && error ? w.b(...error) : ''}
      linked={(drawsOne) =>
        D && (
          <D.LinkedRecord
            read={(text) => D.readImport(w, text, state, true)}
            use={({ shared }) => act({ type: 'deal', shared })}>
            {drawsOne}
          </D.LinkedRecord>
        )
      }
      contract={
        <>
          <ContractChoice
            setup={setup}
            change={(c) => {
              const after = { ...setup, ...c, group: null, discards: [] }
              say((w) =>
                w.b('saidContract', {
                  kept: keptText(w, state.played.length, 0),
                  contract: w.contract(after.contract),
                  turn:
                    start(after).phase === 'talon'
                      ? w.b('saidTalon', { player: w.player(after.declarer) })
                      : turnText(w, start(after)),
                }),
              )
              act({ type: 'contract', change: c })
            }}
          />
          <button type="button" id="rules" onClick={() => setDialog('rules')}>
            {w.b('rulesOpen')}
          </button>
          {!isDefault(setup.rules) && (
            <span class="hint" id="rules-text">
              {rulesText(w, setup.rules)}
            </span>
          )}
        </>
      }
      more={
        <button type="button" id="example" title={w.b('exampleHint')} onClick={showExample}>
          {w.b('example')}
        </button>
      }
      enterIt={w.b('enterIt')}
      table={
        <>
          <TarokTable
            position={position}
            marks={marks}
            late={searched && !solution.value}
            chosen={chosen}
            refused={refused}
            playCard={playCard}
            take={take}
            again={again}
            focusCard={(c) => {
              const p = players.find((x) => position.held[x].includes(c))
              if (p && chosen[p] !== c) setChosen({ ...chosen, [p]: c })
            }}
          />
          <Controls at={state.cursor} of={state.played.length} total={48} go={go}>
            <BestButton off={!searched || !solution.value} best={best} />
            <CardField
              label={w.t('field')}
              field={field}
              say={say}
              reader={{
                read: readTarok,
                words: w,
                example: 'T21',
                hint: w.b('fieldHint'),
                noCard: (text) => w.b('noCard', { text }),
              }}
              play={(c) => {
                playCard(c)
                return board.mayPlay(c)
              }}
            />
          </Controls>
        </>
      }
      said={said}
      panel={
        <>
          <Stand position={position} />
          {state.seed && (
            <p class="hint" id="seed">
              {w.b('seed', { seed: state.seed })}
            </p>
          )}
          <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={(t) => setTab(t)}>
            {tab === 'values' && (
              <Values
                position={position}
                answer={solution}
                exact={exact}
                setExact={setExact}
                playCard={playCard}
                playLine={playLine}
              />
            )}
            {tab === 'tricks' && D && <D.Tricks position={position} cursor={state.cursor} go={go} />}
            {tab === 'score' && D && (
              <D.Scoring
                position={position}
                said={state.said}
                answer={score}
                change={(s) => act({ type: 'said', said: s })}
              />
            )}
          </Tabs>
        </>
      }>
      {D && <D.OpenDialogs board={board} changeRules={changeRules} />}
    </OpenPage>
  )
}
