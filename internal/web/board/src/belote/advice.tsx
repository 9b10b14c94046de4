// What to do while cards are face down: what each open card is worth, what to call, and which cards nobody has seen.

import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { type Card, type Suit, parseCard, suitOf, wire } from '../shared/cards'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Brief } from '../shared/card'
import { Head } from '../shared/head'
import { type Mark, standingMark } from '../shared/standing'
import { Verdict } from './panel'
import { type Setup, players } from './rules'
import { type BeloteWords, useBelote } from './words'

export type Advice = Schemas.BeloteAdvice
export type Bid = Schemas.BeloteBidAdvice
export type BeloteScore = Schemas.BeloteScore
type Advised = Advice['cards'][number]
type Mean = Schemas.BeloteMean

// Costs are points, or per cent of the chance to make the contract, of which a card costs 100 at most.
function markOf(w: BeloteWords, a: Advised, utility: Advice['utility']): Mark {
  const { standing, cost, cost_error: error } = a
  return utility === 'contract'
    ? standingMark(w, { standing, cost: 100 * cost, error: Math.min(100 * error, 50 - 50 * cost) }, 20, '\u00a0%')
    : standingMark(w, { standing, cost, error })
}

/** What is shown below each legal card. */
export const adviceMarks = (w: BeloteWords, advice: Advice | undefined): Map<Card, Mark> =>
  new Map((advice?.cards ?? []).map((a) => [parseCard(a.card)!, markOf(w, a, advice!.utility)]))

const oneDecimal = (w: BeloteWords, x: number): string => w.number(Math.round(10 * x) / 10)

// The interval of 95 %.
const interval = (w: BeloteWords, m: { value: number; error: number }): string =>
  m.error === 0
    ? w.t('exactly')
    : w.t('fromTo', { from: Math.max(0, Math.round(m.value - 2 * m.error)), to: Math.round(m.value + 2 * m.error) })

const percent = (p: number): string => `${Math.round(100 * p)}\u00a0%`

export function AdvicePanel({ answer, playCard }: { answer: Answer<Advice>; playCard(c: Card): void }) {
  const w = useBelote()
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  const worlds = w.t(a.worlds.all ? 'allWorlds' : 'someWorlds', { n: w.number(a.worlds.used) })
  const difference = a.fusion ? Math.round(10 * a.fusion.difference) / 10 : 0
  return (
    <>
      <p
        class={'verdict ' + (a.confidence === 'clear' ? 'made' : 'close-call')}
        id="advice"
        data-card={a.card}
        data-method={a.method}>
        <b class="brief-large">
          <Brief card={parseCard(a.card)!} />
        </b>
        <span>
          {w.t(a.cards.length === 1 ? 'onlyCard' : a.confidence === 'clear' ? 'adviceClear' : 'adviceClose')}{' '}
          <small>{a.method === 'expectimax' ? w.b('expectimax') : worlds}</small>
        </span>
      </p>
      <table class="advised">
        <caption class="vh">{w.t('advice')}</caption>
        <Head of={[w.t('card'), w.t('costs'), w.b('points'), { text: w.t('between'), class: 'spread' }, w.t('wins')]} />
        <tbody>
          {a.cards.map((x) => {
            const mark = markOf(w, x, a.utility)
            return (
              <tr
                key={x.card}
                class={x.card === a.card ? 'best' : ''}
                data-advised={x.card}
                data-value={x.value}
                data-error={x.standard_error}
                data-cost={x.cost}>
                <th scope="row">
                  <button type="button" onClick={() => playCard(parseCard(x.card)!)}>
                    <Brief card={parseCard(x.card)!} />
                  </button>
                </th>
                <td>
                  <span aria-hidden="true">{mark.text}</span>
                  <span class="vh">{mark.said}</span>
                </td>
                <td>{oneDecimal(w, x.value)}</td>
                <td class="spread">{interval(w, { value: x.value, error: x.standard_error })}</td>
                <td>{x.win_probability ? percent(x.win_probability.mean) : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="hint">
        {w.b('adviceHint', { player: w.player(a.rules.declarer) })}{' '}
        {w.t('standingHint', { n: a.utility === 'contract' ? '2\u00a0%' : 5 })}
      </p>
      {difference !== 0 && (
        <p class="hint" id="fusion">
          {w.b(difference > 0 ? 'fusionMore' : 'fusionLess', { n: w.number(Math.abs(difference)) })}
        </p>
      )}
    </>
  )
}

const about = (w: BeloteWords, m: Mean): string => w.signed(Math.round(m.mean))

/** What to call while the cards are dealt, and what each call is worth. */
export function BidPanel({ answer }: { answer: Answer<Bid> }) {
  const w = useBelote()
  const b = answer.value
  if (!b) return <Waiting answer={answer} />
  return (
    <>
      <p class="verdict made" id="bid" data-call={b.call}>
        <b>{b.call === 'pass' ? w.t('pass') : <SuitIcon suit={b.call} />}</b>
        <span>
          {b.call === 'pass' ? w.t('bidPass') : w.t('bidTrump', { suit: w.suit(b.call) })}{' '}
          <small>{w.t('someWorlds', { n: w.number(b.worlds) })}</small>
        </span>
      </p>
      <table class="advised">
        <caption class="vh">{w.t('bidding')}</caption>
        <Head of={[w.t('call'), w.t('worth'), w.b('points'), w.t('wins')]} />
        <tbody>
          {b.trumps.map((x) => (
            <tr key={x.trump} class={b.call === x.trump ? 'best' : ''} data-bid={x.trump} data-score={x.score.mean}>
              <th scope="row">
                <SuitIcon suit={x.trump as Suit} />
                <span class="vh">{w.suit(x.trump as Suit)}</span>
              </th>
              <td>{about(w, x.score)}</td>
              <td>{Math.round(x.points.mean)}</td>
              <td>{percent(x.win_probability.mean)}</td>
            </tr>
          ))}
          <tr class={b.call === 'pass' ? 'best' : ''} data-bid="pass" data-score={b.pass.score.mean}>
            <th scope="row">{w.t('pass')}</th>
            <td>{about(w, b.pass.score)}</td>
            <td />
            <td />
          </tr>
        </tbody>
      </table>
      <p class="hint">{w.b('bidHint')}</p>
    </>
  )
}

/** The cards that nobody has seen, by suits. */
export function Unseen({ cards, suits }: { cards: readonly Card[]; suits: readonly Suit[] }) {
  const w = useBelote()
  return (
    <>
      <p class="hint">{cards.length === 0 ? w.b('allTurned') : w.b('unseenHint', { n: cards.length })}</p>
      <ul class="unseen" id="unseen">
        {suits
          .filter((s) => cards.some((c) => suitOf(c) === s))
          .map((s) => (
            <li key={s}>
              {cards
                .filter((c) => suitOf(c) === s)
                .map((c) => (
                  <Brief key={c} card={c} />
                ))}
            </li>
          ))}
      </ul>
    </>
  )
}

/** What became of the contract: with belote-rebelote, as it is written down. */
export function Outcome({ score: s, setup }: { score: BeloteScore; setup: Setup }) {
  const w = useBelote()
  return (
    <Verdict
      id="outcome"
      setup={{ ...setup, threshold: s.needed }}
      points={s.made[setup.declarer]}
      won={s.result === 'made'}
      note={w.t('soFar')}
    />
  )
}

/** The stacks as they were dealt, when the hand is over: the card above, and the card below it. */
export function Dealt({ stacks }: { stacks: Setup['stacks'] }) {
  const w = useBelote()
  return (
    <table class="dealt" id="dealt">
      <caption>{w.b('dealt')}</caption>
      <tbody>
        {players.map((p) => (
          <tr key={p} data-dealt={p}>
            <th scope="row">{w.player(p)}</th>
            <td>
              {stacks[p].map(([top, below]) => (
                <span class="pair" key={top} data-pair={[top, below].map((c) => (c === null ? '' : wire(c))).join(' ')}>
                  <Brief card={top} /> {below !== null && <Brief card={below} />}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What both players write down when the hand is over. */
export function Written({ score: s }: { score: BeloteScore }) {
  const w = useBelote()
  const belote = s.parts.find((p) => p.part === 'belote')
  return (
    <>
      <p id="written" data-a={s.written.A} data-b={s.written.B}>
        {w.b('written', { a: s.written.A, b: s.written.B })}
      </p>
      {belote && <p class="hint">{w.b('rebelote', { player: w.player(belote.seat) })}</p>}
    </>
  )
}
