// What the program advises in a game, and why.

import type { Answer } from '../shared/answers'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import { type Mark, standingMark } from '../shared/standing'
import { type Advice, cards, deedOf, deedText } from './advice'
import { Brief } from './brief'
import { type Card, parseCard } from './cards'
import type { Session } from './session'
import { bonuses } from './state'
import { type TarokWords, useTarok } from './words'

function Cards({ list }: { list: readonly string[] }) {
  return (
    <>
      {cards(list).map((c, i) => (
        <span key={c}>
          {i > 0 && ' '}
          <Brief card={c} />
        </span>
      ))}
    </>
  )
}

const percent = (share: number): string => `${Math.round(100 * share)} %`

function Prospects({ advice: a }: { advice: Schemas.TarokBidAdvice }) {
  const w = useTarok()
  return (
    <table class="advised parts">
      <caption class="vh">{w.t('advice')}</caption>
      <Head of={[w.t('contract'), w.b('wonShare'), w.t('score')]} />
      <tbody>
        {a.contracts.map((c) => (
          <tr key={c.contract} class={a.call === c.contract ? 'best' : ''} data-prospect={c.contract}>
            <th scope="row">{w.contract(c.contract)}</th>
            <td>{c.win_probability === undefined ? '–' : percent(c.win_probability)}</td>
            <td>{c.score === undefined ? '–' : w.signed(Math.round(c.score))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Exchanges({ advice: a }: { advice: Schemas.TarokExchangeAdvice }) {
  const w = useTarok()
  return (
    <table class="advised parts">
      <caption class="vh">{w.t('advice')}</caption>
      <Head of={[w.b('discards'), w.b('wonShare'), w.t('score')]} />
      <tbody>
        {a.options.slice(0, 5).map((o, i) => (
          <tr key={i} class={i === 0 ? 'best' : ''} data-option={o.group}>
            <th scope="row">
              {o.group + 1}: <Cards list={o.discards} />
            </th>
            <td>{percent(o.win_probability)}</td>
            <td>{w.signed(Math.round(o.score))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Shares({ advice: a, declares }: { advice: Schemas.TarokAnnounceAdvice; declares: boolean }) {
  const w = useTarok()
  const own = declares ? a.declarer : a.opponents
  if (a.win_probability === undefined || !own) return null
  const other = declares ? a.opponents : a.declarer
  return (
    <table class="advised parts">
      <caption class="vh">{w.t('advice')}</caption>
      <Head of={[null, w.b('ownSide'), w.b('otherSide')]} />
      <tbody>
        <tr>
          <th scope="row">{w.b('game')}</th>
          <td>{percent(declares ? a.win_probability : 1 - a.win_probability)}</td>
          <td>{percent(declares ? 1 - a.win_probability : a.win_probability)}</td>
        </tr>
        {bonuses.map((b) => (
          <tr key={b} data-share={b}>
            <th scope="row">{w.bonus(b)}</th>
            <td>{percent(own[b])}</td>
            <td>{other ? percent(other[b]) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// One deal of several says nothing of what a card costs. A single legal card has no value.
function markOf(w: TarokWords, a: Schemas.TarokAdvice, c: Schemas.TarokAdvisedCard): Mark {
  const cost = (a.cards[0]!.value ?? 0) - (c.value ?? 0)
  return standingMark(w, { standing: c.standing, cost, error: a.worlds.used > 1 ? c.standard_error : undefined })
}

/** What is shown below each legal card, or below each card to put aside if this group of the talon is taken. */
export function adviceMarks(w: TarokWords, a: Advice, group: number | null): Map<Card, Mark> {
  if ('card' in a) return new Map(a.cards.map((c) => [parseCard(c.card)!, markOf(w, a, c)]))
  const aside = 'group' in a && a.group === group ? a.discards : []
  return new Map(cards(aside).map((c) => [c, standingMark(w, { standing: 'best', cost: 0, error: undefined })]))
}

/** The legal cards, and what each is worth to the player. */
function Values({ advice: a, contract }: { advice: Schemas.TarokAdvice; contract: string | undefined }) {
  const w = useTarok()
  if (a.cards[0]!.value === undefined) return <p class="hint">{w.t('onlyCard')}</p>
  const round = (x: number) => w.signed(Math.round(10 * x) / 10)
  return (
    <>
      <table class="advised parts">
        <caption class="vh">{w.t('advice')}</caption>
        <Head of={[w.t('card'), w.t('worth'), w.t('costs')]} />
        <tbody>
          {a.cards.map((c) => {
            const mark = markOf(w, a, c)
            return (
              <tr key={c.card} class={c.best ? 'best' : ''} data-value={c.value}>
                <th scope="row">
                  <Cards list={[c.card]} />
                </th>
                <td>
                  {round(c.value!)}
                  {!!c.standard_error && (
                    <small>
                      {' ±'}
                      {'\u00a0'}
                      {w.number(Math.round(20 * c.standard_error) / 10)}
                    </small>
                  )}
                </td>
                <td>
                  <span aria-hidden="true">{mark.text}</span>
                  <span class="vh">{mark.said}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="hint">
        {measureText(w, a.measure, contract)} {w.b('someDeals', { n: w.number(a.worlds.used) })}{' '}
        {w.t('standingHint', { n: 2 })}
      </p>
    </>
  )
}

/** What a value counts. */
export const measureText = (w: TarokWords, m: Schemas.TarokMeasure, contract: string | undefined): string =>
  w.b(`measure_${m === 'tricks' && contract === 'beggar' ? 'beggar' : m === 'klop' ? 'lead' : m}`)

/** The advice of the program, and a button that follows it. */
export function AdvicePanel({
  answer,
  session: s,
  busy,
  follow,
}: {
  answer: Answer<Advice>
  session: Session
  busy: boolean
  follow(): void
}) {
  const w = useTarok()
  const a = answer.value
  if (!a) return <Waiting answer={answer} />
  return (
    <section id="advice" aria-labelledby="advised">
      <p class="verdict made" id="advised" data-advised={JSON.stringify(deedOf(a).more)}>
        <b aria-hidden="true">★</b>
        <span>
          {deedText(w, a)} <small>{w.t('advised')}</small>
        </span>
      </p>
      {'call' in a ? (
        <Prospects advice={a} />
      ) : 'group' in a ? (
        <Exchanges advice={a} />
      ) : 'say' in a ? (
        <Shares advice={a} declares={s.declarer === s.seat} />
      ) : (
        <Values advice={a} contract={s.contract} />
      )}
      {!('card' in a) && <p class="hint">{w.b('adviceHow')}</p>}
      <p class="row end">
        <button type="button" class="main" id="follow" aria-disabled={busy} onClick={() => !busy && follow()}>
          {w.b('doIt')}
        </button>
      </p>
    </section>
  )
}
