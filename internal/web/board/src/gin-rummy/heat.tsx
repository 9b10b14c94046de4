// The heat map: how likely the opponent holds each of the 52 cards, as a table of suits and ranks. Each cell has its
// number or sign, so that nothing depends on its colour.

import type { Answer } from '../shared/answers'
import { symbols } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { shareText } from '../shared/share'
import { type Card, ranks, wire } from './cards'
import type { Estimate, Known } from './state'
import { useGin } from './words'

// From the top, colours alternate.
const rows = [2, 1, 0, 3] as const
const letters = ['C', 'H', 'S', 'D'] as const

interface Props {
  known: Known
  answer: Answer<Estimate>
  /** The hand of the opponent when the round is over. */
  had: readonly string[]
  /** The cards of the opponent while they lie open on the table: nothing is guessed then. */
  open: readonly string[] | undefined
}

// Where a card is known to be; empty where it is guessed.
function placeOf(known: Known, open: Props['open'], c: Card): 'own' | 'gone' | 'kept' | '' {
  if (known.own.includes(c)) return 'own'
  if (known.pile.includes(c)) return 'gone'
  return (open ? open.includes(wire(c)) : known.kept.includes(c)) ? 'kept' : ''
}

function Cell({ card: c, known, answer, had, open }: Props & { card: Card }) {
  const w = useGin()
  const guess = answer.value?.probabilities[wire(c)]
  const p = open ? Number(open.includes(wire(c))) : guess
  const place = placeOf(known, open, c)
  const there = had.includes(wire(c))
  const sign = { own: '●', gone: '✗', kept: '✓', '': p === undefined ? '…' : shareText(p) }[place]
  const said = {
    own: w.g('cOwn'),
    gone: w.g('cGone'),
    kept: w.g('cSure'),
    '': p === undefined ? '…' : w.g('cShare', { n: shareText(p) }),
  }[place]
  return (
    <td
      data-heat={wire(c)}
      data-p={guess}
      class={(place === 'kept' ? 'sure' : place === '' ? '' : 'not') + (there ? ' had' : '')}
      style={{ '--p': `${Math.round(84 * Math.min(1, 1.4 * (p ?? 0)))}%` }}>
      <span aria-hidden="true">{sign}</span>
      <span class="vh">
        {said}
        {there && `, ${w.g('cHad')}`}
      </span>
    </td>
  )
}

export function HeatMap(props: Props) {
  const w = useGin()
  return (
    <section class="heat" aria-labelledby="heat-title">
      <h2 id="heat-title">{w.g('heat')}</h2>
      {!props.answer.value && (props.answer.failure || props.answer.wait !== undefined) && (
        <Waiting answer={props.answer} />
      )}
      <table class="holders" id="heat" data-late={props.answer.value === undefined}>
        <caption class="vh">{w.g('heat')}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="vh">{w.g('suit')}</span>
            </th>
            {ranks.map((r, i) => (
              <th scope="col" key={r} abbr={w.g(`f${r}`)}>
                <span aria-hidden="true">{w.face(i)}</span>
                <span class="vh">{w.g(`f${r}`)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((s) => (
            <tr key={s}>
              <th scope="row">
                <span aria-hidden="true" class={`brief suit-${letters[s]}`}>
                  {symbols[letters[s]]}
                </span>
                <span class="vh">{w.suit(letters[s])}</span>
              </th>
              {ranks.map((_, r) => (
                <Cell key={r} card={13 * s + r} {...props} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{w.g('heatHint')}</p>
    </section>
  )
}
