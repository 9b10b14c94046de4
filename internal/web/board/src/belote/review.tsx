// The review of a hand: what each card of a player cost, on what both players saw, and with open cards.

import type { Answer } from '../shared/answers'
import { parseCard } from '../shared/cards'
import type * as Schemas from '../contract'
import { Because } from '../shared/because'
import { cardColumns } from '../shared/cardreview'
import * as review from '../shared/seatreview'
import { otherMistake } from '../shared/verdicts'
import { type Player, opponent, players } from './rules'
import { useBelote } from './words'

export type Reviewed = Schemas.BeloteReview
type ReviewedCard = Reviewed['cards'][number]

const cardsOf = (r: Reviewed, seat: Player): ReviewedCard[] => r.cards.filter((c) => c.seat === seat)

/** The next or previous mistake of a player. */
export const mistakeOf = (r: Reviewed, seat: Player, by: 1 | -1, cursor: number): ReviewedCard | undefined =>
  otherMistake(cardsOf(r, seat), by, cursor, cursor === r.cards.length)

export function SeatReview({
  seat,
  you,
  ...shown
}: review.Way & {
  answer: Answer<Reviewed>
  seat: Player
  setSeat(p: Player): void
  /** The player who reads. */
  you?: Player
}) {
  const w = useBelote()
  const name = (p: Player): string => (you === undefined ? w.player(p) : p === you ? w.t('toYou') : w.b('computer'))
  return (
    <review.SeatReview
      {...cardColumns<ReviewedCard>(w)}
      {...shown}
      seat={seat}
      players={players.map((p) => [p, you === undefined ? w.player(p) : w.b(p === you ? 'youName' : 'computerName')])}
      decisions={(r) => cardsOf(r, seat)}
      by={seat === you ? undefined : name(seat)}
      unit={() => w.t('reviewHint')}
      why={(_, c) =>
        c?.reason && (
          <Because
            of={c.reason}
            names={{
              card: (c) => w.brief(parseCard(c)!),
              trump: w.b('trumpName'),
              own: name(seat),
              others: name(opponent(seat)),
              seat: name(c.reason.seat),
            }}
            own={(_: 'below', better) => w.b('due_below', { better })}
          />
        )
      }
    />
  )
}
