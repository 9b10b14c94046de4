// The panel beside the table: the score and the values of the legal cards.

import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { Brief } from '../shared/card'
import { type Card, parseCard, wire } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import { BestLine, Moves } from '../shared/values'
import type { Solution } from './api'
import { type Position, outcomeOf, totalOf } from './rules'
import { type Team, seats, teams } from './seats'
import { costMark, losses } from './table'
import { useWords } from './words'

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
      <Head
        of={[
          null,
          ...teams.map((t) => (
            <>
              {w.t(t === 'NS' ? 'nsShort' : 'ewShort')}
              {p.setup.declarer === t && (
                <span class="tag">
                  <SuitIcon suit={p.setup.trump} />
                  <span class="vh">{w.t('declarer')}</span>
                </span>
              )}
            </>
          )),
        ]}
      />
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
  const loss = losses(p, s)
  return (
    <>
      <Verdict id="outcome" outcome={s.outcome} declarer={p.setup.declarer} note={w.t('withBest')} />
      <Moves
        list={s.moves!}
        mark={(m) => costMark(w, loss.get(m.card)!)}
        brief={(card) => <Brief card={parseCard(card)!} />}
        to={(m) => w.signed(m.outcome)}
        more={(m) => ({ 'data-outcome': m.outcome })}
        play={(card) => playCard(parseCard(card)!)}
      />
      <BestLine
        line={(s.line ?? []).map((c) => parseCard(c)!)}
        players={4}
        played={p.trick.cards.length}
        brief={(c) => <Brief card={c} />}
        play={playLine}
      />
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
