// What to do: each action with the deadwood that it leaves, the danger of a discard, and its value.

import type { Answer } from '../shared/answers'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import { type Mark, standingMark } from '../shared/standing'
import { Choice } from '../shared/terms'
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
  return standingMark(w, { standing: o.standing, cost: best - (o.value ?? 0), error: o.standard_error }, 10)
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

/** Whose advice can be asked for. */
export const advisers = { playout: 'ohePlay', ohe: 'oheName' } as const
export type Adviser = keyof typeof advisers

// Why the player of the paper discards the card.
function reasonText(w: GinWords, a: Advice): string {
  const option = (card?: string) => a.options.find((o) => o.action.card === card)
  const chosen = option(a.action.card)!
  const kept = a.reason!.keeps && option(a.reason!.keeps)
  const other = w.brief(cardOf(chosen.action.card!))
  if (!kept) return w.g('oheLeast', { other, n: chosen.deadwood! })
  const cards = kept.potential!.cards
  return w.g('oheKeeps', {
    card: w.brief(cardOf(kept.action.card!)),
    n: cards.length,
    cards: cards.map((c) => w.brief(cardOf(c))).join(', '),
    m: chosen.potential!.cards.length,
    other,
  })
}

interface Options {
  a: Advice
  ohe: boolean
  top: Card | undefined
  act: ((a: Action) => void) | undefined
}

/** An action with what it leaves and what it is worth. The player of the paper counts the ways to improve the hand. */
function Row({ a, ohe, top, act, option: o }: Options & { option: Option }) {
  const w = useGin()
  const mark = markOf(w, a, o)
  const discard = a.phase === 'discard'
  const ways = ohe && discard
  const tenth = (x: number) => w.number(Math.round(10 * x) / 10)
  const name =
    o.action.kind === 'discard' ? <Brief card={cardOf(o.action.card!)} /> : actionText(w, o.action, a.deadwood, top)
  return (
    <tr
      class={same(o.action, a.action) ? 'best' : ''}
      data-option={o.action.card ?? o.action.kind}
      data-deadwood={o.deadwood}
      data-danger={o.danger}
      data-value={o.value}>
      <th scope="row" style={discard ? {} : { width: 'auto' }}>
        {act ? (
          <button type="button" onClick={() => act(o.action)}>
            {name}
          </button>
        ) : (
          name
        )}
      </th>
      <td>{o.deadwood}</td>
      {discard && (
        <td>
          {Math.round(100 * o.danger!)}
          {'\u00a0%'}
        </td>
      )}
      {ways && <td>{tenth(o.potential!.w)}</td>}
      {(ways || !ohe) && (
        <td>
          {ways ? tenth(o.potential!.v) : o.value === undefined ? '' : oneDecimal(w, o.value)}
          {!!o.standard_error && (
            <small>
              {' ±'}
              {'\u00a0'}
              {tenth(2 * o.standard_error)}
            </small>
          )}
        </td>
      )}
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
}

function Table(p: Options) {
  const w = useGin()
  const { a, ohe } = p
  const discard = a.phase === 'discard'
  const ways = ohe && discard
  const options = [...a.options].sort(
    (x, y) =>
      Number(y.best) - Number(x.best) ||
      (y.value ?? -999) - (x.value ?? -999) ||
      (x.potential?.v ?? 0) - (y.potential?.v ?? 0),
  )
  return (
    <table class="advised options">
      <caption class="vh">{w.t('advice')}</caption>
      <Head
        of={[
          w.g('option'),
          w.g('deadwood'),
          discard && w.g('danger'),
          ways && w.g('oheWays'),
          (ways || !ohe) && (ways ? 'v' : w.g('value')),
          <span class="vh">{w.t('costs')}</span>,
        ]}
      />
      <tbody>
        {options.map((o) => (
          <Row key={o.action.kind + (o.action.card ?? '')} {...p} option={o} />
        ))}
      </tbody>
    </table>
  )
}

export function AdvicePanel({
  answer,
  adviser,
  setAdviser,
  top,
  act,
}: Pick<Options, 'top' | 'act'> & { answer: Answer<Advice>; adviser: Adviser; setAdviser(a: Adviser): void }) {
  const w = useGin()
  const a = answer.value
  const ohe = adviser === 'ohe'
  return (
    <>
      <Choice
        id="adviser"
        label={w.g('adviser')}
        now={adviser}
        options={(Object.keys(advisers) as Adviser[]).map((k) => [k, w.g(advisers[k])])}
        set={setAdviser}
      />
      {!a ? (
        <Waiting answer={answer} />
      ) : (
        <>
          <p class="verdict made" id="advice" data-kind={a.action.kind} data-card={a.action.card}>
            <b aria-hidden="true">★</b>
            <span>
              {actionText(w, a.action, a.deadwood, top)} <small>{a.reason ? reasonText(w, a) : w.g('bestIs')}</small>
            </span>
          </p>
          <Table a={a} ohe={ohe} top={top} act={act} />
          <p class="hint">{ohe ? w.g('oheHow') : `${w.g('adviceHow')} ${w.t('standingHint', { n: 2 })}`}</p>
        </>
      )}
    </>
  )
}
