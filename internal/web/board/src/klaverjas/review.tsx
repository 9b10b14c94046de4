// The review of a hand with all cards open: what each card cost. It is loaded after the page.

import type { ComponentChildren } from 'preact'
import type { Answer } from '../shared/answers'
import { parseCard } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { Graph, ReviewTable } from '../shared/reviewtable'
import type { AnalysedCard, Analysis } from './api'
import { Verdict } from './panel'
import { type Team, seats, teams } from './seats'
import { type Words, useWords } from './words'

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
  const values = [a.cards[0]!.before, ...a.cards.map((c) => c.after)]
  return (
    <>
      <Verdict
        id="review-outcome"
        outcome={a.after}
        declarer={declarer}
        note={w.t(a.finished ? 'soFar' : 'withBest')}
      />
      <Graph
        cards={a.cards}
        bottom={Math.min(-20, ...values)}
        top={Math.max(20, ...values)}
        zero={0}
        base={0}
        cursor={cursor}
        data-declarer={declarer}
      />
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
