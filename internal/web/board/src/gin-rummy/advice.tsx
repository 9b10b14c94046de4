// What to do: each action with the deadwood that it leaves, the danger of a discard, and its value.

import type { Answer } from '../shared/answers'
import { Waiting } from '../shared/frame'
import { type Mark, standingMark } from '../shared/standing'
import { type Card, cardOf } from './cards'
import type { Action, Advice } from './state'
import { Brief } from './table'
import { type GinWords, useGin } from './words'

const oneDecimal = (w: GinWords, x: number): string => w.signed(Math.round(10 * x) / 10)

type Option = Advice['options'][number]

const same = (a: Action, b: Action): boolean => a.kind === b.kind && a.card === b.card

// An action has a standing if its player values it.
function markOf(w: GinWords, a: Advice, o: Option): Mark | undefined {
  if (!o.standing) return undefined
  const best = a.options.find((x) => x.standing === 'best')?.value ?? 0
  return standingMark(w, { standing: o.standing, cost: best - (o.value ?? 0), error: o.error }, 10)
}

/** What is shown below each card that may be discarded. */
export function adviceMarks(w: GinWords, a: Advice | undefined): Map<Card, Mark> {
  const marks = a?.options.map((o): [string | undefined, Mark | undefined] => [o.action.card, markOf(w, a, o)]) ?? []
  return new Map(marks.flatMap(([card, mark]): [Card, Mark][] => (card && mark ? [[cardOf(card), mark]] : [])))
}

/** An action in words. n is the deadwood of the hand, and top the top discard. */
export function actionText(w: GinWords, a: Action, n: number, top: Card | undefined, name = w.brief): string {
  switch (a.kind) {
    case 'take':
      return w.g('take', { card: top === undefined ? '' : name(top) })
    case 'stock':
      return w.g('fromStock')
    case 'pass':
      return w.g('pass')
    case 'knock':
      return n === 0 ? w.g('gin') : w.g('knockN', { n })
    case 'continue':
      return w.g('goOn')
    default:
      return w.g('discardIt', { card: name(cardOf(a.card!)) })
  }
}

export function AdvicePanel({
  answer,
  top,
  act,
}: {
  answer: Answer<Advice>
  top: Card | undefined
  act: ((a: Action) => void) | undefined
}) {
  const w = useGin()
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  const options = [...a.options].sort(
    (x, y) => Number(y.best) - Number(x.best) || (y.value ?? -999) - (x.value ?? -999),
  )
  const name = (o: Action) =>
    o.kind === 'discard' ? <Brief card={cardOf(o.card!)} /> : actionText(w, o, a.deadwood, top)
  return (
    <>
      <p class="verdict made" id="advice" data-kind={a.action.kind} data-card={a.action.card}>
        <b aria-hidden="true">★</b>
        <span>
          {actionText(w, a.action, a.deadwood, top)} <small>{w.g('bestIs')}</small>
        </span>
      </p>
      <table class="advised options">
        <caption class="vh">{w.t('advice')}</caption>
        <thead>
          <tr>
            <th scope="col">{w.g('option')}</th>
            <th scope="col">{w.g('deadwood')}</th>
            {a.phase === 'discard' && <th scope="col">{w.g('danger')}</th>}
            <th scope="col">{w.g('value')}</th>
            <th scope="col">
              <span class="vh">{w.t('costs')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {options.map((o) => {
            const mark = markOf(w, a, o)
            return (
              <tr
                key={o.action.kind + (o.action.card ?? '')}
                class={same(o.action, a.action) ? 'best' : ''}
                data-option={o.action.card ?? o.action.kind}
                data-deadwood={o.deadwood}
                data-danger={o.danger}
                data-value={o.value}>
                <th scope="row" style={a.phase === 'discard' ? {} : { width: 'auto' }}>
                  {act ? (
                    <button type="button" onClick={() => act(o.action)}>
                      {name(o.action)}
                    </button>
                  ) : (
                    name(o.action)
                  )}
                </th>
                <td>{o.deadwood}</td>
                {a.phase === 'discard' && (
                  <td>
                    {Math.round(100 * o.danger!)}
                    {'\u00a0%'}
                  </td>
                )}
                <td>
                  {o.value === undefined ? '' : oneDecimal(w, o.value)}
                  {!!o.error && (
                    <small>
                      {' ±'}
                      {'\u00a0'}
                      {w.number(Math.round(20 * o.error) / 10)}
                    </small>
                  )}
                </td>
                <td>
                  {mark && (
                    <>
                      <span aria-hidden="true">{mark.text}</span>
                      <span class="vh">{mark.said}</span>
                    </>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="hint">
        {w.g('adviceHow')} {w.t('standingHint', { n: 2 })}
      </p>
    </>
  )
}
