// The review of a finished hand: what the exchange and each card of a player cost on what that player could know.

import type { Answer } from '../shared/answers'
import type * as Schemas from '../contract'
import { Because, type Shared } from '../shared/because'
import * as review from '../shared/seatreview'
import { type Judged, type JudgedCard, cardMarks, cardText, otherMistake, whyText } from '../shared/verdicts'
import { Brief } from './brief'
import { type Card, type Player, parseCard, players } from './cards'
import { measureText } from './advicepanel'
import { type Contract, type Setup, groupOf } from './rules'
import { cards } from './shown'
import type { Mark } from '../shared/standing'
import { type TarokWords, useTarok } from './words'

export type Reviewed = Schemas.TarokReview
type Made = Schemas.TarokMadeExchange
type Decision = Judged & { trick: number; id: string; card?: string; better: string | Made | undefined }

// The decisions of a player. exchangeAt is the step of the exchange, before the first card.
function decisionsOf(r: Reviewed, seat: Player, exchangeAt: number): Decision[] {
  const x = r.exchange
  return [
    ...(x?.seat === seat
      ? [{ ...x, number: exchangeAt + 1, trick: 0, id: 'exchange', better: x.knowledge?.advised }]
      : []),
    ...r.cards.filter((c) => c.seat === seat).map((c) => ({ ...c, id: c.card, better: c.knowledge?.advised })),
  ]
}

const isCard = (x: Decision['better']): x is string => typeof x === 'string'

/** What is taken from the talon and what is put aside. */
function Exchanged({ setup, made }: { setup: Setup; made: Made }) {
  const list = (of: readonly Card[]) => of.map((c) => <Brief key={c} card={c} />)
  return (
    <>
      +{list(groupOf(setup, made.group))} −{list(cards(made.discards))}
    </>
  )
}

/** A decision in one sentence. */
export function verdictText(w: TarokWords, setup: Setup, d: Decision): string {
  if (d.id !== 'exchange') return cardText(w, d as JudgedCard, parseCard)
  const made = d.better as Made | undefined
  return (
    w.b('exchangeSay', { verdict: w.t(`v_${d.verdict}`) }) +
    whyText(w, d, made ? w.cards([...groupOf(setup, made.group), ...cards(made.discards)]) : '')
  )
}

/** What is shown of the card that was played next, and of the better one. */
export const reviewMarks = (w: TarokWords, r: Reviewed | undefined, cursor: number): Map<Card, Mark> =>
  cardMarks(w, r?.cards, cursor, parseCard)

/** The next or previous mistake of a player. */
export const mistakeOf = (
  r: Reviewed,
  seat: Player,
  by: 1 | -1,
  cursor: number,
  atEnd: boolean,
  exchangeAt: number,
): Decision | undefined => otherMistake(decisionsOf(r, seat, exchangeAt), by, cursor, atEnd)

// What the costs count, by the measures that the cards were judged with.
function unitText(w: TarokWords, r: Reviewed, contract: Contract): string {
  const measures = [...new Set(r.cards.flatMap((c) => c.knowledge?.measure ?? []))]
  return [
    w.b('unit'),
    ...measures.map((m) => measureText(w, m, contract)),
    ...(measures.includes('lead') ? [w.b('unitLead')] : []),
    ...(r.exchange ? [w.b('unitExchange')] : []),
  ].join(' ')
}

type OwnCode = Exclude<Schemas.TarokReasonCode, Shared>

/** What a reason that only tarok has says. */
function ownReason(w: TarokWords, code: OwnCode, vars: { better: string; own: string; others: string }): string {
  const [name, given] = code.split('_')
  if (name === 'kings' || name === 'trula' || name === 'pagat' || name === 'valat')
    return w.b(given ? 'due_given' : 'due_bonus', { ...vars, bonus: w.b(`b_${name}`) })
  return w.b(`due_${code as Exclude<OwnCode, `${'kings' | 'trula' | 'pagat' | 'valat'}${string}`>}`, vars)
}

/** Why a card was a mistake. The declarer plays against the two others, in klop everybody alone. */
function Why({ of, setup, seat, you }: { of: Schemas.TarokReason; setup: Setup; seat: Player; you: Player }) {
  const w = useTarok()
  const name = (p: Player): string => (p === you ? w.t('toYou') : w.player(p))
  const sides = [w.b('toDeclarer'), w.b('toOpponents')] as const
  const [own, others] =
    setup.contract === 'klop' ? [name(seat), w.b('toOthers')] : seat === setup.declarer ? sides : [sides[1], sides[0]]
  return (
    <Because
      of={of}
      names={{ card: (c) => w.brief(parseCard(c)!), trump: w.b('trumpName'), own, others, seat: name(of.seat) }}
      own={(code: OwnCode, better) => ownReason(w, code, { better, own, others })}
    />
  )
}

/** The hands as they were dealt. */
export function Dealt({ setup }: { setup: Setup }) {
  const w = useTarok()
  return (
    <table class="dealt" id="dealt">
      <caption>{w.b('dealt')}</caption>
      <tbody>
        {players.map((p) => (
          <tr key={p} data-dealt={p}>
            <th scope="row">{w.player(p)}</th>
            <td>
              {setup.hands[p].map((c) => (
                <>
                  <Brief key={c} card={c} />{' '}
                </>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function SeatReview({
  setup,
  seat,
  you,
  exchangeAt,
  ...shown
}: review.Way & {
  answer: Answer<Reviewed>
  setup: Setup
  seat: Player
  setSeat(p: Player): void
  you: Player
  exchangeAt: number
}) {
  const w = useTarok()
  const better = (d: Decision) => {
    if (isCard(d.better)) return <Brief card={parseCard(d.better)!} />
    return d.better && <Exchanged setup={setup} made={d.better} />
  }
  return (
    <review.SeatReview
      {...shown}
      seat={seat}
      players={players.map((p) => [p, p === you ? w.b('you') : w.player(p)])}
      decisions={(r) => decisionsOf(r, seat, exchangeAt)}
      by={seat === you ? undefined : w.player(seat)}
      head={w.t('card')}
      name={(d) => (d.id === 'exchange' ? w.b('exchangeName') : <Brief card={parseCard(d.id)!} />)}
      idOf={(d) => d.id}
      better={better}
      text={(d) => verdictText(w, setup, d)}
      unit={(r) => unitText(w, r, setup.contract)}
      why={(r, d) => {
        const of = r.cards.find((c) => c.number === d?.number)?.reason
        return of && <Why of={of} setup={setup} seat={seat} you={you} />
      }}
    />
  )
}
