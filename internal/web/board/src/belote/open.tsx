// The open mode: all cards of a deal, and what each of them is worth.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { retryAll, useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { useAsked } from '../shared/asked'
import { type Card, parseCard } from '../shared/cards'
import { BestButton, CardField, Controls, Tabs, useKeys } from '../shared/controls'
import { KeyDialog } from '../shared/dialog'
import { useKeyAsked } from '../shared/frame'
import { useFor } from '../shared/usefor'
import { begin } from '../shared/history'
import { useLater } from '../shared/later'
import { type OpenGame, useFocus, useOpenBoard } from '../shared/openboard'
import { OpenPage } from '../shared/openpage'
import { keptText } from '../shared/variation'
import type { Lang } from '../shared/words'
import { Contract, draw, suitsFor } from './dialogs'
import { type Advice, AdvicePanel, Unseen, adviceMarks } from './advice'
import { type Analysis, Review, Score, type Solution, Values, marksOf, mistakeText, playedMark } from './panel'
import type { Reviewed } from './review'
import { type Player, type Position, isUnseen, opponent, play, refusal, sizeOf, suitsOf, turnOf, upOf } from './rules'
import { playsText, scoreText, turnText } from './say'
import { unseenOf, viewBody } from './seen'
import { type Action, type Shared, type State, bodyOf, isDeal, nothing, positionOf, reduce, turnable } from './state'
import { BeloteTable, Turned, focusOn, stopOf, whichTurned, whyNot } from './table'
import { fragment, readFragment } from './url'
import { type BeloteText, type BeloteWords, useBelote } from './words'

const tabs = ['values', 'review'] as const
type Tab = (typeof tabs)[number]

const blank: State = { setup: nothing, played: [], cursor: 0, utility: 'points', cuts: [], seed: '' }

const trickText = (w: BeloteWords, p: Position): string =>
  p.led === null
    ? w.t('saidEmpty', { turn: turnText(w, p) })
    : w.t('said', { seat: w.player(p.leader), card: w.card(p.led) })

const game: OpenGame<State, Action, Position, BeloteWords, Shared, BeloteText> = {
  page: 'belote',
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
  dealOf: ({ setup: { trump, leader, stacks } }) =>
    JSON.stringify([trump, leader, ...[stacks.A, stacks.B].map((of) => of.map(([top]) => top))]),
  deal: (shared) => ({ type: 'deal', shared }),
  there: (s) => isDeal(s.setup),
  size: (s) => sizeOf(s.setup),
}

export function OpenBelote({ setLang, toHidden }: { setLang(l: Lang): void; toHidden(): void }) {
  const w = useBelote()
  const started = useMemo(() => begin('belote', blank, readFragment), [])
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
    setKeys,
    refused,
    field,
    act,
    close,
    playLine,
    go,
  } = board
  const [how, setHow] = useState<'open' | 'known'>('open')
  const [seat, setSeat] = useState<Player>('A') // whose cards are reviewed on what was seen
  const [drawFailed, setDrawFailed] = useState<Failure | undefined>()

  const { setup, utility } = state
  const there = isDeal(setup)
  const at = (cursor: number) => fragment({ ...state, played: state.played.slice(0, cursor), cursor })
  const key = there ? at(state.cursor) : ''
  const [chosen, setChosen] = useFor<Partial<Record<Player, Card>>>(key, {})
  // While nobody has seen some of the cards, there are no values: there is advice.
  const unseen = isUnseen(setup)
  const turns = turnable(position)
  const suits = suitsOf(setup)
  const D = useLater(
    () => import('./ondemand'),
    unseen || tab === 'review' || dialog !== '' || error !== null,
    () => {
      close()
      say((w) => w.t('offline'))
    },
  )
  const advice = useAnswer<Advice>(
    D && unseen && !position.finished && turns.length === 0 ? key : '',
    '/v1/belote/advise',
    () => ({ ...viewBody(setup, suits, state.played.slice(0, state.cursor)), utility }),
  )
  const solution = useAnswer<Solution>(there && !unseen && !position.finished ? key : '', '/v1/belote/solve', () => ({
    ...bodyOf(state),
    goal: 'moves',
    utility,
  }))
  const reviewing = tab === 'review' && there && !unseen && state.played.length >= 2
  const review = useAnswer<Analysis>(reviewing ? at(state.played.length) : '', '/v1/belote/analyse', () =>
    bodyOf(state, state.played.length),
  )
  // The same cards on what was seen, while cards were face down.
  const known = useAnswer<Reviewed>(
    reviewing && how === 'known' ? at(state.played.length) : '',
    '/v1/belote/review',
    () => bodyOf(state, state.played.length),
  )
  const marks = useMemo(
    () =>
      tab === 'review' && how === 'known' && D
        ? D.reviewMarks(w, known.value, state.cursor)
        : new Map([
            ...(unseen ? adviceMarks(w, advice.value) : marksOf(w, position, solution.value)),
            ...(tab === 'review' ? playedMark(w, review.value, state.cursor) : []),
          ]),
    [w, position, unseen, advice.value, solution.value, tab, how, D, known.value, review.value, state.cursor],
  )

  const drawOne = async (n = suitsOf(setup).length || 4, first = false) => {
    const suits = n === suitsOf(setup).length ? suitsOf(setup) : suitsFor(n, setup.trump)
    setDrawFailed(undefined)
    const drawn = await draw(suits, setup.trump)
    if (!drawn.ok) return setDrawFailed(drawn.failure)
    const { leader, declarer } = setup
    act({
      type: 'deal',
      seed: drawn.seed,
      shared: { ...state, setup: { ...drawn.setup, leader, declarer }, played: [], cursor: 0 },
    })
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

  useKeyAsked([solution, advice, review, known, { failure: drawFailed }], () => setDialog('key'))

  // Plays a card, or says that it was turned.
  const playCard = (c: Card) => {
    if (!turns.includes(c)) return board.playCard(c)
    say((w) => w.b('saidTurned', { card: w.card(c) }))
    board.wantsFocus.current = true
    act({ type: 'turn', card: c })
  }
  const best = () => {
    const m = unseen ? advice.value : solution.value?.moves?.[0]
    if (m) playCard(parseCard(m.card)!)
    else readValues()
  }
  const jump = (by: 1 | -1) => {
    setTab('review')
    if (how === 'open') return board.jump(by, review.value?.cards, mistakeText)
    if (!D) return
    const found = known.value && D.mistakeOf(known.value, seat, by, state.cursor)
    if (found) go(found.number - 1)
    if (known.value) say((w) => (found ? D.verdictText(w, found) : w.t('noError')))
  }

  // Focus goes to the player whose turn it is, and never to nothing.
  const focusIn = (p: Player) => focusOn(stopOf(position, p, chosen[p]))
  useFocus(board.wantsFocus, state, () => {
    const asked = document.querySelector<HTMLElement>('[data-turned]')
    if (asked) asked.focus()
    else focusIn(turnOf(position))
  })
  const valuesText = (w: BeloteWords): string => {
    const marks = unseen ? adviceMarks(w, advice.value) : marksOf(w, position, solution.value)
    return [...marks].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.'
  }
  const tell = useAsked(key, unseen ? advice : solution, say, [valuesText])
  const readValues = () => (there && !position.finished && turns.length === 0 ? tell(0) : say((w) => w.t('noValues')))
  useKeys(
    dialog !== '',
    keys,
    {
      at: state.cursor,
      of: state.played.length,
      go,
      letters: { ...board.letters, b: best, v: readValues, n: () => jump(1), p: () => jump(-1), m: toHidden },
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

  return (
    <OpenPage
      page="belote"
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
          <Contract
            setup={setup}
            resize={(n) => void drawOne(n)}
            change={(c) => {
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
            }}
          />
        </>
      }
      enterIt={w.b('enterIt')}
      table={
        <>
          <BeloteTable
            position={position}
            live={() => true}
            marks={marks}
            late={unseen ? !advice.value && turns.length === 0 : !solution.value}
            chosen={chosen}
            refused={refused}
            playCard={playCard}
            focusCard={(c) => {
              const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
              if (chosen[p] !== c) setChosen({ ...chosen, [p]: c })
            }}>
            {turns.length > 0 ? <Turned position={position} cards={turns} choose={playCard} /> : undefined}
          </BeloteTable>
          <Controls at={state.cursor} of={state.played.length} total={sizeOf(setup)} go={go}>
            <BestButton off={position.finished || !(unseen ? advice : solution).value} best={best} />
            <CardField
              label={w.t('field')}
              field={field}
              say={say}
              play={(c) => {
                playCard(c)
                return turns.includes(c) || board.mayPlay(c)
              }}
            />
          </Controls>
        </>
      }
      said={said}
      panel={
        <>
          <Score position={position} />
          {state.seed && (
            <p class="hint" id="seed">
              {w.b('seed', { seed: state.seed })}
            </p>
          )}
          <Tabs text={w.t} list={tabs} label={w.t('values')} tab={tab} set={(t) => setTab(t)}>
            {unseen && tab === 'values' && (
              <>
                {turns.length > 0 ? (
                  <p class="hint">{whichTurned(w, position)}</p>
                ) : (
                  !position.finished && <AdvicePanel answer={advice} playCard={playCard} />
                )}
                <Unseen cards={unseenOf(position.setup, suits)} suits={suits} />
              </>
            )}
            {unseen && tab === 'review' && <p class="hint">{w.b('reviewUnseen')}</p>}
            {there && !unseen && tab === 'values' && (
              <Values
                position={position}
                answer={solution}
                utility={utility}
                setUtility={(u) => act({ type: 'utility', utility: u })}
                playCard={playCard}
                playLine={playLine}
              />
            )}
            {there && !unseen && tab === 'review' && (
              <>
                <div class="segments" role="group" aria-label={w.t('review')}>
                  {(['open', 'known'] as const).map((x) => (
                    <button type="button" key={x} id={'review-' + x} aria-pressed={how === x} onClick={() => setHow(x)}>
                      {w.b(x === 'open' ? 'byOpen' : 'byKnown')}
                    </button>
                  ))}
                </div>
                {how === 'known' && reviewing && D ? (
                  <D.SeatReview
                    answer={known}
                    seat={seat}
                    setSeat={setSeat}
                    cursor={state.cursor}
                    go={go}
                    jump={jump}
                  />
                ) : (
                  <Review
                    answer={review}
                    setup={setup}
                    count={state.played.length}
                    cursor={state.cursor}
                    go={go}
                    jump={jump}
                  />
                )}
              </>
            )}
          </Tabs>
        </>
      }>
      {dialog === 'enter' && D && (
        <D.EnterDialog current={state} close={close} use={(shared) => act({ type: 'deal', shared })} />
      )}
      {dialog === 'import' && D && (
        <D.ImportDialog
          current={state}
          close={close}
          use={(shared, seed) => {
            act({ type: 'deal', shared, ...(seed ? { seed } : {}) })
            close()
          }}
        />
      )}
      {dialog === 'share' && D && (
        <D.ShareDialog
          close={close}
          say={say}
          {...(there && !unseen ? { hand: { game: 'belote', position: bodyOf(state, state.played.length) } } : {})}
        />
      )}
      {dialog === 'help' && D && <D.HelpDialog close={close} keys={keys} setKeys={setKeys} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </OpenPage>
  )
}
