// The panel beside the table: the score, the values of the legal cards, and the review.

import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { type Card, parseCard } from '../shared/cards'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import { Graph, ReviewTable } from '../shared/reviewtable'
import type { Mark } from '../shared/standing'
import { BestLine, Moves, lossMark } from '../shared/values'
import { Brief } from '../shared/card'
import { type Player, type Position, type Setup, players, totalOf, turnOf } from './rules'
import type { Utility } from './state'
import { type BeloteWords, useBelote } from './words'

export type Solution = Schemas.BeloteSolution
export type Analysis = Schemas.BeloteAnalysis
type Move = NonNullable<Solution['moves']>[number]
type Analysed = Analysis['cards'][number]

/** What a card loses for its player: points, or with the contract as the utility whether it loses the contract. */
export const lossOf = (p: Position, s: Solution, m: Move): number =>
  s.utility === 'contract'
    ? Number(!m.best)
    : (turnOf(p) === p.setup.declarer ? 1 : -1) * ((s.points ?? 0) - (m.points ?? 0))

function markOf(w: BeloteWords, p: Position, s: Solution, m: Move): Mark {
  const n = lossOf(p, s, m)
  if (n > 0 && s.utility === 'contract')
    return { text: '✗', said: w.b(turnOf(p) === p.setup.declarer ? 'losesContract' : 'givesContract'), tone: 'v-lost' }
  return lossMark(w, n)
}

/** What is shown below each legal card. */
export function marksOf(w: BeloteWords, p: Position, s: Solution | undefined): Map<Card, Mark> {
  return new Map(p.finished ? [] : (s?.moves ?? []).map((m) => [parseCard(m.card)!, markOf(w, p, s!, m)]))
}

export function Score({ position: p, contract = true }: { position: Position; contract?: boolean }) {
  const w = useBelote()
  const taken = (x: Player) => p.tricks.filter((t) => t.winner === x).length
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <Head
        of={[
          null,
          ...players.map((x) => (
            <>
              {w.player(x)}
              {contract && p.setup.declarer === x && (
                <span class="tag">
                  {p.setup.trump ? <SuitIcon suit={p.setup.trump} /> : '★'}
                  <span class="vh">{w.b('declares')}</span>
                </span>
              )}
            </>
          )),
        ]}
      />
      <tbody>
        <tr>
          <th scope="row">{w.t('tricks')}</th>
          {players.map((x) => (
            <td key={x}>{taken(x)}</td>
          ))}
        </tr>
        <tr class="total">
          <th scope="row">{w.b('points')}</th>
          {players.map((x) => (
            <td key={x} id={'total-' + x}>
              {p.points[x]}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

/** The declarer's points in words. */
export function Verdict({
  setup,
  points,
  won,
  note,
  id,
}: {
  setup: Setup
  points: number | undefined
  won: boolean
  note: string
  id: string
}) {
  const w = useBelote()
  const vars = { player: w.player(setup.declarer), n: setup.threshold }
  return (
    <p class={'verdict ' + (won ? 'made' : 'nat')} id={id} data-points={points} data-won={won}>
      <b>{points ?? <span aria-hidden="true">{won ? '✓' : '✗'}</span>}</b>
      <span>
        {w.b(won ? 'makesIt' : 'failsIt', vars)}{' '}
        <small>{points === undefined ? note : w.b('ofTotal', { n: totalOf(setup), note })}</small>
      </span>
    </p>
  )
}

const made = (p: Position): number => p.points[p.setup.declarer]

export function Values({
  position: p,
  answer,
  utility,
  setUtility,
  playCard,
  playLine,
}: {
  position: Position
  answer: Answer<Solution>
  utility: Utility
  setUtility(u: Utility): void
  playCard(c: Card): void
  playLine(cards: readonly Card[]): void
}) {
  const w = useBelote()
  const s = answer.value
  return (
    <>
      <div class="segments" role="group" aria-label={w.b('utility')}>
        {(['points', 'contract'] as const).map((u) => (
          <button type="button" key={u} id={'for-' + u} aria-pressed={utility === u} onClick={() => setUtility(u)}>
            {w.b(u === 'points' ? 'forPoints' : 'forContract')}
          </button>
        ))}
      </div>
      {p.finished ? (
        <Verdict id="outcome" setup={p.setup} points={made(p)} won={made(p) >= p.setup.threshold} note={w.t('soFar')} />
      ) : !s ? (
        <Waiting answer={answer} />
      ) : (
        <>
          <Verdict id="outcome" setup={p.setup} points={s.points} won={s.won} note={w.t('withBest')} />
          <Moves
            list={s.moves!}
            mark={(m) => markOf(w, p, s, m)}
            brief={(card) => <Brief card={parseCard(card)!} />}
            to={(m) => m.points}
            more={(m) => ({ 'data-points': m.points })}
            play={(card) => playCard(parseCard(card)!)}
          />
          <BestLine
            line={(s.line ?? []).map((c) => parseCard(c)!)}
            players={2}
            played={Number(p.led !== null)}
            brief={(c) => <Brief card={c} />}
            play={playLine}
          />
        </>
      )}
    </>
  )
}

/** A costly card in one sentence. */
export const mistakeText = (w: BeloteWords, c: Analysed): string =>
  w.t('mistakeSay', {
    trick: c.trick,
    seat: w.player(c.seat),
    card: w.card(parseCard(c.card)!),
    n: c.cost,
    best: w.cards(c.best.map((b) => parseCard(b)!)),
  })

/** What is shown of the card that was played next. */
export function playedMark(w: BeloteWords, a: Analysis | undefined, cursor: number): Map<Card, Mark> {
  const c = a?.cards[cursor]
  if (!c) return new Map()
  const text = c.cost > 0 ? `✗ ${w.t('losesValue', { n: c.cost })}` : '✓'
  const said = `${w.t('wasPlayed')}, ${c.cost > 0 ? w.t('loses', { n: c.cost }) : w.t('isBest')}`
  return new Map([[parseCard(c.card)!, { text, said, tone: c.cost > 0 ? 'v-much' : 'v-best' }]])
}

export function Review({
  answer,
  setup,
  count,
  cursor,
  go,
  jump,
}: {
  answer: Answer<Analysis>
  setup: Setup
  count: number
  cursor: number
  go(to: number): void
  jump(by: 1 | -1): void
}) {
  const w = useBelote()
  if (count < 2) return <p class="hint">{w.t('reviewEmpty')}</p>
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  return (
    <>
      <Verdict
        id="review-outcome"
        setup={setup}
        points={a.after}
        won={a.after >= setup.threshold}
        note={w.t(a.finished ? 'soFar' : 'withBest')}
      />
      <Graph cards={a.cards} bottom={0} top={totalOf(setup)} zero={setup.threshold} base={0} cursor={cursor} />
      <ReviewTable
        cards={a.cards.map((c) => ({ ...c, by: c.seat }))}
        names={players.map((x) => [x, w.player(x)])}
        costs={{ A: a.seats.A.cost, B: a.seats.B.cost }}
        cursor={cursor}
        go={go}
        jump={jump}
        mistake={(c) => mistakeText(w, c)}
      />
    </>
  )
}
