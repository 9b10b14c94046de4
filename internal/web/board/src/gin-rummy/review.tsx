// The review of a finished round: what each draw, discard and knock of a player cost on what that player could know.

import type { Answer } from '../shared/answers'
import type * as Schemas from '../contract'
import * as review from '../shared/seatreview'
import { type Judged, isMistake, otherMistake, verdictMarks, whyText } from '../shared/verdicts'
import { cardOf } from './cards'
import type { Action } from './state'
import { Brief } from './table'
import type { Mark } from '../shared/standing'
import { type GinWords, useGin } from './words'

export type Reviewed = Schemas.GinReview
export type Who = Schemas.GinSeat
type Decision = Judged & Pick<Schemas.GinReviewedAction, 'turn' | 'action' | 'reason'> & { better: Action | undefined }

// What is marked on the table for an action: a card that is discarded, or what is done.
const keyOf = (a: Action): string => a.card ?? a.kind

// The decisions of a player. Whether to knock is decided after the discard, also where the player went on.
const decisionsOf = (r: Reviewed, seat: Who): Decision[] =>
  r.actions
    .filter((a) => a.seat === seat)
    .map((a) => ({ ...a, number: a.number + Number(a.action.kind === 'continue'), better: a.knowledge?.advised }))

const nameText = (w: GinWords, a: Action): string =>
  a.kind === 'discard' ? w.g('d_discard', { card: w.within(cardOf(a.card!)) }) : w.g(`d_${a.kind}`)

const Name = ({ action: a }: { action: Action }) => {
  const w = useGin()
  return a.kind === 'discard' ? <Brief card={cardOf(a.card!)} /> : w.g(`d_${a.kind}`)
}

/** A decision in one sentence. */
export const verdictText = (w: GinWords, d: Decision): string =>
  w.g('decisionSay', { turn: d.turn, what: nameText(w, d.action), verdict: w.t(`v_${d.verdict}`) }) +
  whyText(w, d, d.better ? nameText(w, d.better) : '') +
  (d.reason && d.better ? ' ' + reasonText(w, d.reason, d.better) : '')

// Why a decision was a mistake.
function reasonText(w: GinWords, r: Schemas.GinReason, better: Action): string {
  const { code, card, cards, ...numbers } = r
  const name = (c: string | undefined, say = w.within) => (c === undefined ? '' : say(cardOf(c)))
  return w.g(`y_${code}`, {
    ...numbers,
    in: w.g('inWorlds', { applies: r.applies, worlds: r.worlds }),
    Card: name(card, w.card),
    card: name(card),
    cards: w.cards((cards ?? []).map(cardOf)),
    other: name(better.card),
    better: nameText(w, better),
  })
}

/** The decisions that were made after a number of events, of the player and of the opponent. */
const madeAt = (r: Reviewed | undefined, cursor: number): Decision[] =>
  r ? (['A', 'B'] as const).flatMap((seat) => decisionsOf(r, seat).filter((d) => d.number - 1 === cursor)) : []

/** What is shown on the table of the next decision, by card or pile. */
export const reviewMarks = (w: GinWords, r: Reviewed | undefined, cursor: number): Map<string, Mark> =>
  new Map(madeAt(r, cursor).flatMap((d) => [...verdictMarks(w, d, keyOf(d.action), d.better && keyOf(d.better))]))

/** The next decisions in words. */
export const Next = ({ review, cursor }: { review: Reviewed | undefined; cursor: number }) => {
  const w = useGin()
  return (
    <>
      {madeAt(review, cursor).map((d) => (
        <p
          class={isMistake(d) ? 'notice bad' : 'hint'}
          key={keyOf(d.action)}
          data-next={keyOf(d.action)}
          data-verdict={d.verdict}>
          {verdictText(w, d)}
        </p>
      ))}
    </>
  )
}

/** The next or previous mistake of a player. */
export const mistakeOf = (r: Reviewed, seat: Who, by: 1 | -1, cursor: number, atEnd: boolean): Decision | undefined =>
  otherMistake(decisionsOf(r, seat), by, cursor, atEnd)

export function RoundReview({
  seat,
  ...shown
}: review.Way & { answer: Answer<Reviewed>; seat: Who; setSeat(p: Who): void }) {
  const w = useGin()
  return (
    <review.SeatReview
      {...shown}
      seat={seat}
      players={[
        ['A', w.g('you')],
        ['B', w.g('computer')],
      ]}
      decisions={(r) => decisionsOf(r, seat)}
      by={seat === 'A' ? undefined : w.g('theComputer')}
      head={w.g('option')}
      name={(d) => <Name action={d.action} />}
      idOf={(d) => `${d.number} ${keyOf(d.action)}`}
      better={(d) => d.better && <Name action={d.better} />}
      text={(d) => verdictText(w, d)}
      unit={() => w.g('unit')}
      none={w.g('nothingDone')}
    />
  )
}
