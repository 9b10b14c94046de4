// The puzzle on the table: the cards that the reader tries, what the others answer, and the solution beside them.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Card, parseCard, wire } from '../shared/cards'
import { Controls, useKeys } from '../shared/controls'
import { Waiting, useNarrow } from '../shared/frame'
import { usePace } from '../shared/pace'
import { type Position, refusal, replay } from '../klaverjas/rules'
import { playsText } from '../klaverjas/say'
import { sorted } from '../klaverjas/seats'
import { SeenTable } from '../klaverjas/seentable'
import { Table, whyNot } from '../klaverjas/table'
import { Ask, hintText } from './ask'
import type { Kept } from './kept'
import { type Decision, type Puzzle, cardsOf, decisionsOf, sharedOf } from './puzzle'
import { Score } from './score'
import { Solved, marksOf, solvedOf, verdictText } from './solved'
import { triedAt } from './solving'
import { type Solving, useTries } from './tries'
import { type Words, useWords } from './words'

interface Props {
  puzzle: Puzzle
  day: string
  kept: Kept
  said: string
  say(text: string | ((w: Words) => string)): void
  /** Counts the result, 1, ½ or 0, and returns how it changes the rating. */
  count(score: number): number
  forget(): void
  next(): void
}

export function Shown({ puzzle, day, kept, said, say, count, forget, next }: Props) {
  const w = useWords()
  const shared = useMemo(() => sharedOf(puzzle), [puzzle])
  const { setup } = shared
  const solving = useTries(puzzle)
  const { tries, at, over, solution } = solving
  const [change, setChange] = useState(0) // of the rating
  const [refused, setRefused] = useState<Card | null>(null)
  const [focused, setFocused] = useState<Card | undefined>()
  const [line, setLine] = useState<{ cards: Card[]; at: number }>({ cards: [], at: 0 })
  const [viewed, view] = useState<number | null>(null)
  const decisions = useMemo(() => solution && decisionsOf(puzzle, solution), [solution])
  const place = viewed ?? at
  const decision = over ? decisions?.[place] : undefined
  const played = useMemo(() => (tries ? cardsOf(tries.played) : shared.played), [tries])
  const pace = usePace(puzzle.id, played.length, 4)
  const from = decision ? cardsOf(decision.played) : played
  const steps = decision ? line.at : 0
  const position = useMemo(
    () => replay(setup, decision ? [...from, ...line.cards.slice(0, line.at)] : played.slice(0, pace.at)),
    [decision, line, played, pace.at],
  )
  const ready = !over && !solving.waits && !pace.coming && pace.at === played.length
  useSaying(puzzle, solving, replay(setup, shared.played), played, pace.coming, say, (result) =>
    setChange(count(result)),
  )

  const playCard = (c: Card) => {
    if (over) return
    if (!ready) return pace.show(played.length)
    if (refusal(position, c) !== null) {
      setRefused(c)
      return say((w) => w.p('chooseLegal', { card: w.card(c), why: whyNot(w, position, c) }))
    }
    setRefused(null)
    if (tries?.tried.some((t) => t.decision === at + 1 && t.card === wire(c)))
      return say((w) => w.p('again', { card: w.card(c) }))
    solving.tryCard(wire(c))
    pace.show(played.length + 1)
  }
  const goStep = (to: number) =>
    over
      ? setLine({ ...line, at: Math.max(0, Math.min(line.cards.length, to - from.length)) })
      : pace.go(Math.max(shared.played.length, to), () => {})
  const control = over
    ? { at: from.length + steps, of: from.length + line.cards.length, first: from.length }
    : { at: pace.at, of: played.length, first: shared.played.length }
  const letters = { n: next, ...(over ? {} : { h: solving.hint }) }
  useKeys(false, true, { ...control, go: goStep, letters }, (e, card) => stepInHand(e, card, position, puzzle))
  const valued = decision && steps === 0 ? decision : undefined
  const missed = !over && solving.missed ? parseCard(triedAt(tries, at) ?? '') : null
  const table = { position, playCard, refused: refused ?? missed, focusCard: setFocused }
  // On a phone the question is above the table.
  const narrow = useNarrow()
  const ask = !over && <Ask puzzle={puzzle} solving={solving} ready={ready} decisions={puzzle.decisions} />
  return (
    <>
      <DealLine puzzle={puzzle} day={day} />
      {narrow && ask}
      <div class="page">
        <div class="play">
          <PuzzleTable
            {...table}
            puzzle={puzzle}
            valued={valued}
            missed={missed}
            focused={focused}
            coming={pace.coming}
            live={steps === 0 && (ready || over)}
            skip={() => pace.coming && pace.show(played.length)}
          />
          {control.of > control.first && <Controls {...control} go={goStep} />}
          <p class="status" id="status" role="status">
            {said || null}
          </p>
        </div>
        <aside class="panel" aria-label={w.p('puzzleId', { id: puzzle.id })}>
          {!narrow && ask}
          {solving.waits && <Waiting answer={solving.reply} />}
          {over && !solution && <Waiting answer={solving.answer} />}
          {decision && solution && (
            <Solved
              puzzle={puzzle}
              solution={solution}
              solving={solving}
              place={place}
              decision={decision}
              view={(n) => {
                view(n)
                setLine({ cards: [], at: 0 })
              }}
              show={(cards) => setLine({ cards, at: 1 })}
            />
          )}
          <p class="next">
            <button type="button" class={over ? 'main' : ''} id="next" onClick={next}>
              {w.p('nextPuzzle')}
            </button>
          </p>
          <Score
            kept={kept}
            change={change}
            forget={() => {
              forget()
              setChange(0)
            }}
          />
        </aside>
      </div>
    </>
  )
}

/** The table as the seat of the puzzle sees it, or with all cards. */
function PuzzleTable({
  puzzle,
  valued,
  missed,
  focused,
  coming,
  live,
  skip,
  ...table
}: Pick<Parameters<typeof Table>[0], 'position' | 'playCard' | 'refused' | 'focusCard'> & {
  puzzle: Puzzle
  /** The decision whose values are shown. */
  valued: Decision | undefined
  /** The card that was tried and does not hold. */
  missed: Card | null
  focused: Card | undefined
  coming: boolean
  live: boolean
  skip(): void
}) {
  const w = useWords()
  return puzzle.view ? (
    <SeenTable
      {...table}
      seat={puzzle.seat}
      gathers={coming}
      live={live}
      marks={marksOf(w, valued, missed)}
      late={false}
      chosen={focused}
      skip={skip}
    />
  ) : (
    <Table
      {...table}
      solution={valued && solvedOf(valued)}
      roving={focused === undefined ? {} : { [puzzle.seat]: focused }}
      valued={valued !== undefined}
      wasPlayed={missed}
    />
  )
}

/** Says what came of a try, when the cards of the others have been shown, and counts the result. */
function useSaying(
  puzzle: Puzzle,
  solving: Solving,
  start: Position,
  played: Card[],
  coming: boolean,
  say: Props['say'],
  count: (score: number) => void,
) {
  const { tries, over, missed, score, at, solution, hinted } = solving
  const asked = useRef(start.trick.cards.length + 4 * start.tricks.length) // the cards before the decision of the last try
  const first = asked.current === played.length
  useEffect(() => {
    if (!tries || over || coming) return
    const last = tries.tried[tries.tried.length - 1]!
    if (missed) return say((w) => w.p('again', { card: w.card(parseCard(last.card)!) }))
    if (first) return
    const position = replay(start.setup, played.slice(0, asked.current))
    const cards = played.slice(asked.current)
    asked.current = played.length
    say(
      (w) => `${w.p('right')}. ${playsText(w, position, cards)} ${w.p('cardOf', { n: at + 1, of: puzzle.decisions })}.`,
    )
  }, [tries, over, coming])
  useEffect(() => {
    if (!over && hinted === at && solution) say((w) => hintText(w, puzzle, solution, solving))
  }, [hinted, solution])
  // The result counts when the solution is there.
  useEffect(() => {
    if (!over || !solution) return
    count(score)
    say((w) => verdictText(w, puzzle, solution, score, at, triedAt(tries, at)))
  }, [over, solution])
}

/** Moves the focus to the next card of the hand. */
function stepInHand(e: KeyboardEvent, card: HTMLElement, position: Position, puzzle: Puzzle): boolean {
  const c = parseCard(card.dataset['card']!)!
  const hand = sorted(position.held[puzzle.seat], position.setup.trump)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
  if (!step || !hand.includes(c)) return false
  const to = hand[(hand.indexOf(c) + step + hand.length) % hand.length]!
  document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
  return true
}

function DealLine({ puzzle, day }: { puzzle: Puzzle; day: string }) {
  const w = useWords()
  const { setup } = sharedOf(puzzle)
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
  return (
    <p class="deal-line" id="deal-line">
      <b>
        {day
          ? w.p('ofDay', { date: new Date(day + 'T12:00:00Z').toLocaleDateString(w.lang, date) })
          : w.p('puzzleId', { id: puzzle.id })}
      </b>
      <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
      <span>{w.t('teamDeclares', { team: w.team(setup.declarer) })}</span>
      <span>{w.t(setup.rules.system)}</span>
      <span>{w.p('levelShown', { level: w.p(`for_${puzzle.level}`), rating: puzzle.rating })}</span>
    </p>
  )
}
