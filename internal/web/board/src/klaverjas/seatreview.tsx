// What one seat's cards were, judged on what it could know: mistakes, bad luck, or right.

import type { Answer } from '../shared/answers'
import { cardColumns } from '../shared/cardreview'
import * as review from '../shared/seatreview'
import type { ReviewedCard, SeatReview } from './api'
import { Mistake, explainedOf } from './mistake'
import type { Seat } from './seats'
import type { Shared } from './url'
import { useWords } from './words'

export function SeatReviewPanel({
  seat,
  shared,
  again,
  playFrom,
  ...shown
}: review.Way & {
  answer: Answer<SeatReview>
  seat: Seat
  /** The hand with all its cards. */
  shared: Shared
  again(): void
  playFrom(): void
}) {
  const w = useWords()
  return (
    <review.SeatReview
      {...cardColumns<ReviewedCard>(w)}
      {...shown}
      seat={seat}
      decisions={(r) => r.cards}
      unit={() => w.t('reviewHint')}
      why={(r) => {
        const explained = explainedOf(shared, r.cards, shown.cursor)
        return explained && <Mistake of={explained} again={again} playFrom={playFrom} />
      }}
    />
  )
}
