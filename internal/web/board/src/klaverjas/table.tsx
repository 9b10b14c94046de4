// The table: four hands, and the trick in the middle.

import { CardFace, SuitIcon } from '../shared/art'
import { HandCard, Undealt, inHand } from '../shared/card'
import { type Card, wire } from '../shared/cards'
import type { Mark } from '../shared/standing'
import { lossMark } from '../shared/values'
import type { Solution } from './api'
import { type Position, handOf, legalOf, refusal, turnOf } from './rules'
import { callsOf } from './say'
import { type Seat, placeOf, seats, sorted, teamOf } from './seats'
import { type Words, useWords } from './words'

/** What each legal card loses for its player. */
export function losses(p: Position, s: Pick<Solution, 'outcome' | 'moves'> | undefined): Map<string, number> {
  const out = new Map<string, number>()
  if (!s?.moves || s.outcome === undefined || p.finished) return out
  const sign = teamOf(turnOf(p)) === p.setup.declarer ? 1 : -1
  for (const m of s.moves) out.set(m.card, sign * (s.outcome - m.outcome))
  return out
}

export const costMark = (w: Words, cost: number): Mark => lossMark(w, cost, 100)

// The mark of a legal card. A mistake is marked also where cards have no values.
function markOf(w: Words, cost: number | undefined, wasPlayed: boolean, valued: boolean): Mark | undefined {
  if (cost === undefined) return wasPlayed && !valued ? { text: '✗', said: '', tone: 'v-much' } : undefined
  const mark = costMark(w, cost)
  return wasPlayed ? { ...mark, text: cost ? `✗${cost}` : mark.text, said: `${w.t('wasPlayed')}, ${mark.said}` } : mark
}

/** Why a card may not be played, in words. */
export function whyNot(w: Words, p: Position, c: Card): string {
  const why = refusal(p, c)
  if (why === null) return ''
  if (why === 'turn') return w.t('turn', { seat: w.seat(turnOf(p)) })
  return w.t(why === 'finished' ? 'finishedWhy' : why)
}

/** The card of a hand that the Tab key reaches. */
export function stopOf(p: Position, seat: Seat, chosen: Card | undefined): Card | undefined {
  const hand = sorted(p.held[seat], p.setup.trump)
  if (chosen !== undefined && hand.includes(chosen)) return chosen
  if (!p.finished && seat === turnOf(p)) {
    const legal = legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[seat]).cards
    return hand.find((c) => legal.includes(c))
  }
  return hand[0]
}

interface Props {
  position: Position
  solution: Pick<Solution, 'outcome' | 'moves'> | undefined
  roving: Partial<Record<Seat, Card>>
  refused: Card | null
  playCard(c: Card): void
  focusCard(c: Card): void
  /** Whether cards have values: the values of the solution, or a sign that they will come. */
  valued?: boolean
  /** The card that was played here and was a mistake. It is marked also where cards have no values. */
  wasPlayed?: Card | null
}

function Hand({
  seat,
  position: p,
  solution,
  roving,
  refused,
  playCard,
  focusCard,
  valued = true,
  wasPlayed,
}: Props & { seat: Seat }) {
  const w = useWords()
  const { trump } = p.setup
  const turn = !p.finished && turnOf(p) === seat
  const legal = turn ? legalOf(p.setup.rules, trump, p.trick, p.held[seat]).cards : []
  const loss = turn ? losses(p, solution) : new Map<string, number>()
  const stop = stopOf(p, seat, roving[seat])
  return (
    <section class={`hand hand-${seat}${turn ? ' turn' : ''}`} aria-labelledby={'hand-' + seat}>
      <h2 id={'hand-' + seat}>
        {w.seat(seat)}
        {turn && <span class="to-play">{w.t('turnHere')}</span>}
      </h2>
      <ul>
        {handOf(p.setup.holders, seat).length === 0 && <Undealt />}
        {sorted(handOf(p.setup.holders, seat), trump).map((c) => {
          if (!p.held[seat].includes(c)) return <li key={c} class="slot" aria-hidden="true" />
          const may = legal.includes(c)
          const cost = loss.get(wire(c))
          return (
            <li key={c}>
              <HandCard
                {...inHand(w, c)}
                live={turn}
                may={may}
                why={() => whyNot(w, p, c)}
                mark={may ? markOf(w, cost, c === wasPlayed, valued) : undefined}
                late={valued}
                refused={refused}
                stop={stop}
                play={playCard}
                focus={focusCard}
                classes={c === wasPlayed ? ' was-played' : ''}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function Trick({
  position: p,
  bottom = 'S',
  gathers = false,
}: {
  position: Position
  bottom?: Seat
  gathers?: boolean
}) {
  const w = useWords()
  const done = p.trick.cards.length === 0 ? p.tricks[p.tricks.length - 1] : undefined
  const trick = done ?? p.trick
  const number = Math.min(8, p.tricks.length + (done ? 0 : 1))
  return (
    <section
      class={'trick' + (gathers ? ' paced' : '') + (done ? ' done to-' + placeOf(done.winner, bottom) : '')}
      aria-labelledby="trick-title">
      <h2 id="trick-title" class="quiet">
        {w.t('trickN', { n: number })} <SuitIcon suit={p.setup.trump} />
      </h2>
      <ol>
        {trick.cards.map((c, i) => {
          const seat = seats[(seats.indexOf(trick.leader) + i) & 3]!
          return (
            <li key={c} class={`at-${placeOf(seat, bottom)}${trick.winner === seat ? ' winning' : ''}`}>
              <span class="vh">
                {w.seat(seat)}: {w.card(c)}
              </span>
              <CardFace card={c} shown={w.face(c)} />
            </li>
          )
        })}
      </ol>
      <div class="middle" aria-hidden="true">
        {trick.cards.length === 0 && <SuitIcon suit={p.setup.trump} />}
      </div>
      {done && (
        <div class="taken">
          {callsOf(w, p).map((x) => (
            <p key={x} class="called">
              {x}
            </p>
          ))}
          <p>{w.t('won', { seat: w.seat(done.winner), n: number, points: done.points + done.melds })}</p>
        </div>
      )}
    </section>
  )
}

export function Table(props: Props) {
  const w = useWords()
  const p = props.position
  return (
    <div class="felt" id="felt" role="group" aria-label={w.t('table')}>
      {seats.map((s) => (
        <Hand key={s} seat={s} {...props} />
      ))}
      <Trick position={p} />
    </div>
  )
}
