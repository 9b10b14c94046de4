// The panel beside the table: the score, the values of the legal cards, the review, and the table of trumps.

import type { ComponentChildren } from 'preact'
import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { Brief } from '../shared/card'
import { type Card, parseCard, wire } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { ReviewTable } from '../shared/reviewtable'
import type { AnalysedCard, Analysis, Solution } from './api'
import { type Position, outcomeOf, totalOf } from './rules'
import { type Team, seats, teams } from './seats'
import { losses } from './table'
import { type Words, useWords } from './words'

export const tabs = ['values', 'review', 'trumps'] as const
export type Tab = (typeof tabs)[number]

export function Score({ position: p }: { position: Position }) {
  const w = useWords()
  const row = (name: string, of: (t: Team) => number, total = false) => (
    <tr class={total ? 'total' : ''}>
      <th scope="row">{name}</th>
      {teams.map((t) => (
        <td key={t} id={total ? 'total-' + t : undefined}>
          {of(t)}
        </td>
      ))}
    </tr>
  )
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <thead>
        <tr>
          <td />
          {teams.map((t) => (
            <th scope="col" key={t}>
              {w.t(t === 'NS' ? 'nsShort' : 'ewShort')}
              {p.setup.declarer === t && (
                <span class="tag">
                  <SuitIcon suit={p.setup.trump} />
                  <span class="vh">{w.t('declarer')}</span>
                </span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row(w.t('tricks'), (t) => p.taken[t])}
        {row(w.t('points'), (t) => p.points[t])}
        {row(w.t('roem'), (t) => p.melds[t])}
        {row(w.t('total'), (t) => totalOf(p, t), true)}
      </tbody>
    </table>
  )
}

/** The outcome in words. */
export function Verdict({
  outcome,
  declarer,
  note,
  id,
}: {
  outcome: number
  declarer: Team
  note: string
  id: string
}) {
  const w = useWords()
  return (
    <p class={'verdict ' + (outcome > 0 ? 'made' : 'nat')} id={id} data-outcome={outcome}>
      <b>{w.signed(outcome)}</b>
      <span>
        {w.t(outcome > 0 ? 'makes' : 'nat', { team: w.team(declarer), n: outcome > 0 ? outcome : w.signed(outcome) })}{' '}
        <small>{note}</small>
      </span>
    </p>
  )
}

export function Values({
  position: p,
  answer,
  playCard,
  playLine,
}: {
  position: Position
  answer: Answer<Solution>
  playCard(c: Card): void
  playLine(cards: readonly Card[]): void
}) {
  const w = useWords()
  if (p.finished) return <Verdict id="outcome" outcome={outcomeOf(p)} declarer={p.setup.declarer} note={w.t('soFar')} />
  const s = answer.value
  if (!s || s.outcome === undefined) return <Waiting answer={answer} />
  const line = (s.line ?? []).map((c) => parseCard(c)!)
  const loss = losses(p, s)
  return (
    <>
      <Verdict id="outcome" outcome={s.outcome} declarer={p.setup.declarer} note={w.t('withBest')} />
      <ul class="moves" aria-label={w.t('values')}>
        {s.moves!.map((m) => {
          const c = parseCard(m.card)!
          const cost = loss.get(m.card)!
          return (
            <li key={m.card}>
              <button
                type="button"
                class={cost === 0 ? 'best' : ''}
                onClick={() => playCard(c)}
                data-move={m.card}
                data-outcome={m.outcome}>
                <Brief card={c} />
                <span class="cost">
                  {cost === 0 ? (
                    <>
                      <span aria-hidden="true">★</span>
                      <span class="vh">{w.t('isBest')}</span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true">{w.t('losesValue', { n: cost })}</span>
                      <span class="vh">{w.t('loses', { n: cost })}</span>
                    </>
                  )}
                </span>
                <span class="to">{w.signed(m.outcome)}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <h3>{w.t('bestLine')}</h3>
      <p class="hint">{w.t('lineHint')}</p>
      <ol class="line" aria-label={w.t('bestLine')}>
        {line.map((c, i) => (
          <li key={c} class={(p.trick.cards.length + i) % 4 === 0 && i > 0 ? 'lead' : ''}>
            <button type="button" onClick={() => playLine(line.slice(0, i + 1))}>
              <Brief card={c} />
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}

function Graph({ cards, declarer, cursor }: { cards: readonly AnalysedCard[]; declarer: Team; cursor: number }) {
  const values = [cards[0]!.before, ...cards.map((c) => c.after)]
  const top = Math.max(20, ...values)
  const bottom = Math.min(-20, ...values)
  const y = (v: number) => 4 + (64 * (top - v)) / (top - bottom)
  const x = (i: number) => (i * 320) / 32
  const path = values.map((v, i) => (i === 0 ? `M0 ${y(v)}` : `H${x(i)} V${y(v)}`)).join(' ')
  return (
    <svg class="graph" viewBox="-2 0 324 72" aria-hidden="true" data-declarer={declarer}>
      <path class="zero" d={`M0 ${y(0)} H320`} />
      <path class="area" d={`${path} V${y(0)} H0 Z`} />
      <path class="curve" d={path} />
      {cards.map((c, i) => (c.cost > 0 ? <circle key={i} cx={x(i + 1)} cy={y(c.after)} r="3.5" /> : null))}
      <path class="now" d={`M${x(cursor)} 0 V72`} />
    </svg>
  )
}

/** A costly card in one sentence. */
export const mistakeText = (w: Words, c: AnalysedCard): string =>
  w.t('mistakeSay', {
    trick: c.trick,
    seat: w.seat(c.seat),
    card: w.card(parseCard(c.card)!),
    n: c.cost,
    best: c.best.map((b) => w.card(parseCard(b)!)).join(', '),
  })

export function Review({
  answer,
  count,
  cursor,
  declarer,
  go,
  jump,
  startJob,
  children,
}: {
  answer: Answer<Analysis>
  count: number
  cursor: number
  declarer: Team
  go(to: number): void
  jump(by: 1 | -1): void
  startJob(): void
  /** What is said of the mistake at the cursor. */
  children?: ComponentChildren
}) {
  const w = useWords()
  if (count < 2) return <p class="hint">{w.t('reviewEmpty')}</p>
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  return (
    <>
      <Verdict
        id="review-outcome"
        outcome={a.after}
        declarer={declarer}
        note={w.t(a.finished ? 'soFar' : 'withBest')}
      />
      <Graph cards={a.cards} declarer={declarer} cursor={cursor} />
      <ReviewTable
        cards={a.cards.map((c) => ({ ...c, by: c.seat }))}
        names={seats.map((s) => [s, w.seat(s)])}
        costs={{ N: a.seats.N.cost, E: a.seats.E.cost, S: a.seats.S.cost, W: a.seats.W.cost }}
        cursor={cursor}
        go={go}
        jump={jump}
        mistake={(c) => mistakeText(w, c)}>
        {children}
      </ReviewTable>
      <p class="hint">
        {teams.map((t) => `${w.t(t === 'NS' ? 'nsShort' : 'ewShort')} ${a.teams[t].cost}`).join(' · ')}
      </p>
      <p class="row end">
        <button type="button" id="start-job" onClick={startJob}>
          {w.t('startJob')}
        </button>
      </p>
    </>
  )
}

/** The position as the API takes it. */
export function bodyOf(p: { setup: Position['setup'] }, played: readonly Card[]) {
  const { rules, trump, leader, declarer, holders } = p.setup
  return { rules, trump, leader, declarer, hands: handsOf(holders), played: played.map(wire) }
}

export const handsOf = (holders: string) =>
  Object.fromEntries(seats.map((s) => [s, [...holders].flatMap((h, c) => (h === s ? [wire(c)] : []))])) as Record<
    (typeof seats)[number],
    string[]
  >
