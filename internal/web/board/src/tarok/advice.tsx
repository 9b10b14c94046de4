// What the program would do in a game: bid, exchange, announce or play, and why.

import type { Answer } from '../shared/answers'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Brief } from './art'
import { type Card, next, parseCard } from './cards'
import type { Contract } from './rules'
import type { Session } from './session'
import { bonuses } from './state'
import { type TarokWords, useTarok } from './words'

export type Advice =
  Schemas.TarokBidAdvice | Schemas.TarokExchangeAdvice | Schemas.TarokAnnounceAdvice | Schemas.TarokAdvice

/** The act of a player, as the server takes it. */
export interface Deed {
  path: string
  more: object
}

const paths: Record<string, string> = { bidding: 'bid', exchange: 'exchange', announce: 'announce', playing: 'advise' }

/** Whether there is advice on what the session waits for. */
export const advisable = (s: Session): boolean => s.state in paths

/** The request for advice: its path, and its body from what the session shows. */
export function adviceRequest(s: Session): { path: string; body: object } {
  const bids = s.bids.map((b) => b.bid)
  const said = s.words.length > 0 ? { said: s.words } : {}
  const radli = { [s.seat]: s.radli.you, [next(s.seat)]: s.radli.left, [next(s.seat, 2)]: s.radli.right }
  const more =
    s.state === 'bidding'
      ? { bids }
      : s.state === 'announce'
        ? { said: s.words }
        : s.state === 'playing'
          ? { bids, radli, ...said }
          : {}
  return { path: `/v1/tarok/${paths[s.state]}`, body: { ...s.view, ...more } }
}

/** What the advice says to do. */
export function deedOf(a: Advice): Deed {
  if ('bid' in a) return { path: 'bid', more: { bid: a.bid } }
  if ('group' in a) return { path: 'exchange', more: { group: a.group, discards: a.discards } }
  if ('say' in a)
    return {
      path: 'announce',
      more: { bonuses: a.say.bonuses ?? [], double: [...(a.say.kontra ? ['game'] : []), ...(a.say.double ?? [])] },
    }
  return { path: 'play', more: { card: a.card } }
}

const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)

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

const bidText = (w: TarokWords, bid: string): string => (bid === 'pass' ? w.t('pass') : w.contract(bid as Contract))

function saidText(w: TarokWords, say: Schemas.TarokWords): string {
  const parts = [
    ...(say.bonuses ?? []).map((b) => w.b('announceIt', { what: w.bonus(b) })),
    ...(say.kontra ? [w.b('doubleIt', { what: w.b('game') })] : []),
    ...(say.double ?? []).map((b) => w.b('doubleIt', { what: w.bonus(b) })),
  ]
  return parts.length > 0 ? parts.join('. ') : w.b('sayNothing')
}

/** What is advised, in words. */
export function deedText(w: TarokWords, a: Advice): string {
  if ('bid' in a) return bidText(w, a.bid)
  if ('group' in a) return w.b('adviseTake', { n: a.group + 1, cards: w.cards(cards(a.discards)) })
  if ('say' in a) return saidText(w, a.say)
  return w.card(parseCard(a.card)!)
}

function Prospects({ advice: a }: { advice: Schemas.TarokBidAdvice }) {
  const w = useTarok()
  return (
    <table class="advised parts">
      <caption class="vh">{w.t('advice')}</caption>
      <thead>
        <tr>
          <th scope="col">{w.t('contract')}</th>
          <th scope="col">{w.b('wonShare')}</th>
          <th scope="col">{w.t('score')}</th>
        </tr>
      </thead>
      <tbody>
        {a.contracts.map((c) => (
          <tr key={c.contract} class={a.bid === c.contract ? 'best' : ''} data-prospect={c.contract}>
            <th scope="row">{w.contract(c.contract)}</th>
            <td>{c.won === undefined ? '–' : percent(c.won)}</td>
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
      <thead>
        <tr>
          <th scope="col">{w.b('discards')}</th>
          <th scope="col">{w.b('wonShare')}</th>
          <th scope="col">{w.t('score')}</th>
        </tr>
      </thead>
      <tbody>
        {a.options.slice(0, 5).map((o, i) => (
          <tr key={i} class={i === 0 ? 'best' : ''} data-option={o.group}>
            <th scope="row">
              {o.group + 1}: <Cards list={o.discards} />
            </th>
            <td>{percent(o.won)}</td>
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
  if (a.won === undefined || !own) return null
  const other = declares ? a.opponents : a.declarer
  return (
    <table class="advised parts">
      <caption class="vh">{w.t('advice')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{w.b('ownSide')}</th>
          <th scope="col">{w.b('otherSide')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{w.b('game')}</th>
          <td>{percent(declares ? a.won : 1 - a.won)}</td>
          <td>{percent(declares ? 1 - a.won : a.won)}</td>
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

/** The legal cards, and what each is worth to the player. */
function Values({ advice: a, contract }: { advice: Schemas.TarokAdvice; contract: string | undefined }) {
  const w = useTarok()
  const best = a.cards[0]!.value
  if (best === undefined) return <p class="hint">{w.t('onlyCard')}</p>
  const round = (x: number) => w.signed(Math.round(10 * x) / 10)
  return (
    <>
      <table class="advised parts">
        <caption class="vh">{w.t('advice')}</caption>
        <thead>
          <tr>
            <th scope="col">{w.t('card')}</th>
            <th scope="col">{w.t('worth')}</th>
            <th scope="col">{w.t('costs')}</th>
          </tr>
        </thead>
        <tbody>
          {a.cards.map((c) => (
            <tr key={c.card} class={c.best ? 'best' : ''} data-value={c.value}>
              <th scope="row">
                <Cards list={[c.card]} />
              </th>
              <td>{round(c.value!)}</td>
              <td>
                {c.best ? (
                  <span aria-hidden="true">★</span>
                ) : (
                  <>
                    {round(c.value! - best)}
                    {c.error !== undefined && <small> ± {w.number(Math.round(20 * c.error) / 10)}</small>}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {measureText(w, a.measure, contract)} {w.b('someDeals', { n: w.number(a.worlds.used) })}
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
      {'bid' in a ? (
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
