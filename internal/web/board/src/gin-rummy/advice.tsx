// What to do: each action with the deadwood that it leaves, the danger of a discard, and its value.

import type { Answer } from '../answers'
import { Waiting } from '../frame'
import { type Card, cardOf } from './cards'
import type { Action, Advice } from './state'
import { Brief, type Mark } from './table'
import { type GinWords, useGin } from './words'

const oneDecimal = (w: GinWords, x: number): string => w.signed(Math.round(10 * x) / 10)

/** What is shown below each card that may be discarded: what it loses to the one advised. */
export function adviceMarks(w: GinWords, a: Advice | undefined): Map<Card, Mark> {
  const out = new Map<Card, Mark>()
  const best = a?.options.find((o) => o.best)
  for (const o of a?.options ?? []) {
    if (o.action.card === undefined) continue
    const c = cardOf(o.action.card)
    if (o === best) out.set(c, { text: '★', said: w.t('advised'), tone: 'v-best' })
    else if (o.value !== undefined && best?.value !== undefined) {
      const n = Math.round(best.value - o.value)
      out.set(c, n < 1 ? { text: '≈', said: w.t('closeTo'), tone: 'v-some' } : { text: w.t('losesValue', { n }), said: w.t('costsAbout', { n }), tone: n >= 10 ? 'v-much' : 'v-some' })
    }
  }
  return out
}

/** An action in words. n is the deadwood of the hand, and top the top discard. */
export function actionText(w: GinWords, a: Action, n: number, top: Card | undefined): string {
  switch (a.kind) {
    case 'take': return w.g('take', { card: top === undefined ? '' : w.brief(top) })
    case 'stock': return w.g('fromStock')
    case 'pass': return w.g('pass')
    case 'knock': return n === 0 ? w.g('gin') : w.g('knockN', { n })
    case 'continue': return w.g('goOn')
    default: return w.g('discardIt', { card: w.brief(cardOf(a.card!)) })
  }
}

export function AdvicePanel({ answer, top, act }: { answer: Answer<Advice>; top: Card | undefined; act: ((a: Action) => void) | undefined }) {
  const w = useGin()
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  const options = [...a.options].sort((x, y) => Number(y.best) - Number(x.best) || (y.value ?? -999) - (x.value ?? -999))
  const name = (o: Action) => (o.kind === 'discard' ? <Brief card={cardOf(o.card!)} /> : actionText(w, o, a.deadwood, top))
  return (
    <>
      <p class="verdict made" id="advice" data-kind={a.action.kind} data-card={a.action.card}><b aria-hidden="true">★</b><span>{actionText(w, a.action, a.deadwood, top)} <small>{w.g('bestIs')}</small></span></p>
      <table class="advised">
        <caption class="vh">{w.t('advice')}</caption>
        <thead><tr><th scope="col">{w.g('option')}</th><th scope="col">{w.g('deadwood')}</th>{a.phase === 'discard' && <th scope="col">{w.g('danger')}</th>}<th scope="col">{w.g('value')}</th></tr></thead>
        <tbody>
          {options.map((o) => (
            <tr key={o.action.kind + (o.action.card ?? '')} class={o.best ? 'best' : ''} data-option={o.action.card ?? o.action.kind} data-deadwood={o.deadwood} data-danger={o.danger} data-value={o.value}>
              <th scope="row" style={a.phase === 'discard' ? {} : { width: 'auto' }}>{act ? <button type="button" onClick={() => act(o.action)}>{name(o.action)}</button> : name(o.action)}</th>
              <td>{o.deadwood}</td>
              {a.phase === 'discard' && <td>{Math.round(100 * o.danger!)}{'\u00a0%'}</td>}
              <td>{o.value === undefined ? '' : oneDecimal(w, o.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{w.g('adviceHow')}</p>
    </>
  )
}
