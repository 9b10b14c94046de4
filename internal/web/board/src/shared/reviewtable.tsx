// The review of a play: how to go from mistake to mistake, and the table of all cards with what each of them cost.

import type { ComponentChildren } from 'preact'
import { parseCard } from './cards'
import { useWords } from './frame'
import { Brief } from './card'
import { Head } from './head'

/** A card of the review: its number in the play from 1, who played it, and how much worse than the best card it was. */
interface Reviewed<P> {
  number: number
  trick: number
  card: string
  cost: number
  by: P
}

/**
 * What the play was worth from each card on, between bottom and top. zero is the value that decides the hand, base where the area below the curve
 * ends, and the costly cards have a dot.
 */
export function Graph({
  cards,
  bottom,
  top,
  zero,
  base,
  cursor,
  ...named
}: {
  cards: readonly { before: number; after: number; cost: number }[]
  bottom: number
  top: number
  zero: number
  base: number
  cursor: number
  'data-declarer'?: string
}) {
  const y = (v: number) => 4 + (64 * (top - v)) / (top - bottom)
  const x = (i: number) => 10 * i
  const path = `M0 ${y(cards[0]!.before)} ` + cards.map((c, i) => `H${x(i + 1)} V${y(c.after)}`).join(' ')
  return (
    <svg class="graph" viewBox="-2 0 324 72" aria-hidden="true" {...named}>
      <path class="zero" d={`M0 ${y(zero)} H320`} />
      <path class="area" d={`${path} V${y(base)} H0 Z`} />
      <path class="curve" d={path} />
      {cards.map((c, i) => (c.cost > 0 ? <circle key={i} cx={x(i + 1)} cy={y(c.after)} r="3.5" /> : null))}
      <path class="now" d={`M${x(cursor)} 0 V72`} />
    </svg>
  )
}

/**
 * The cards by trick and player. names are the players in the order of the columns; mistake is a costly card in one
 * sentence.
 */
export function ReviewTable<P extends string, C extends Reviewed<P>>({
  cards,
  names,
  costs,
  cursor,
  mistake,
  go,
  jump,
  children,
}: {
  cards: readonly C[]
  names: readonly [P, string][]
  costs: Record<P, number>
  cursor: number
  mistake(c: C): string
  go(to: number): void
  jump(by: 1 | -1): void
  /** What is said of the card at the cursor. It stands below the buttons, which keep their places. */
  children?: ComponentChildren
}) {
  const w = useWords()
  const costly = cards.filter((c) => c.cost > 0)
  const tricks = [...new Set(cards.map((c) => c.trick))]
  return (
    <>
      <p class="row">
        <span class="grow">
          {costly.length === 0
            ? w.t('allBest')
            : w.t('reviewSum', { n: costly.length, cost: costly.reduce((sum, c) => sum + c.cost, 0) })}
        </span>
        <button type="button" onClick={() => jump(-1)} aria-label={w.t('prevMistake')} title={w.t('prevMistake')}>
          ◀
        </button>
        <button
          type="button"
          id="next-mistake"
          onClick={() => jump(1)}
          aria-label={w.t('nextMistake')}
          title={w.t('nextMistake')}>
          ▶
        </button>
      </p>
      {children}
      <table class="review">
        <caption class="vh">{w.t('review')}</caption>
        <Head of={[w.t('trick'), ...names.map(([, name]) => name)]} />
        <tbody>
          {tricks.map((n) => (
            <tr key={n}>
              <th scope="row">{n}</th>
              {names.map(([p]) => {
                const c = cards.find((x) => x.trick === n && x.by === p)
                if (!c) return <td key={p} />
                const lead = c.number % names.length === 1
                return (
                  <td key={p}>
                    <button
                      type="button"
                      class={
                        (c.cost > 0 ? 'costly' : '') + (lead ? ' lead' : '') + (c.number === cursor + 1 ? ' here' : '')
                      }
                      data-number={c.number}
                      data-cost={c.cost}
                      title={c.cost > 0 ? mistake(c) : undefined}
                      onClick={() => go(c.number - 1)}>
                      <Brief card={parseCard(c.card)!} />
                      {lead && <span class="vh"> {w.t('leads')}</span>}
                      {c.cost > 0 && (
                        <span class="cost">
                          <span aria-hidden="true">{w.t('losesValue', { n: c.cost })}</span>
                          <span class="vh"> {w.t('loses', { n: c.cost })}</span>
                        </span>
                      )}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{w.t('cost')}</th>
            {names.map(([p]) => (
              <td key={p} data-sum={p}>
                {costs[p]}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </>
  )
}
