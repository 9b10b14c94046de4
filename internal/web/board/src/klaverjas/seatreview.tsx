// What one seat's cards were, judged on what it could know: mistakes, bad luck, or right.

import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { VerdictPanel, cardText, verdictMarks } from '../shared/verdicts'
import type { ReviewedCard, SeatReview } from './api'
import { Mistake, explainedOf } from './mistake'
import type { Mark } from './seentable'
import type { Shared } from './url'
import { type Words, useWords } from './words'

const betterOf = (c: ReviewedCard): Card | undefined => c.knowledge && parseCard(c.knowledge.advised)!

/** A reviewed card in one sentence. */
export function verdictText(w: Words, c: ReviewedCard): string {
  const better = betterOf(c)
  return cardText(w, c, w.card(parseCard(c.card)!), better === undefined ? '' : w.card(better))
}

/** What is shown on the table of the card at a number of cards of the play. */
export function reviewMarks(w: Words, cards: readonly ReviewedCard[], at: number): Map<Card, Mark> {
  const c = cards.find((c) => c.number - 1 === at)
  return c ? verdictMarks(w, c, parseCard(c.card)!, betterOf(c)) : new Map()
}

export function SeatReviewPanel({
  answer,
  shared,
  cursor,
  go,
  jump,
  again,
  playFrom,
}: {
  answer: Answer<SeatReview>
  /** The hand with all its cards. */
  shared: Shared
  cursor: number
  go(to: number): void
  jump(by: 1 | -1): void
  again(): void
  playFrom(): void
}) {
  const w = useWords()
  const r = answer.value
  if (!r) return <Waiting answer={answer} />
  const explained = explainedOf(shared, r.cards, cursor)
  return (
    <VerdictPanel
      of={{ decisions: r.cards, seat: r.seats[r.cards[0]!.seat]!, rule: r.rule }} // one seat was asked for
      cursor={cursor}
      head={w.t('card')}
      name={(c) => <Brief card={parseCard(c.card)!} />}
      idOf={(c) => c.card}
      better={(c) => <Brief card={betterOf(c)!} />}
      text={(c) => verdictText(w, c)}
      unit={w.t('reviewHint')}
      go={go}
      jump={jump}>
      {explained && <Mistake of={explained} again={again} playFrom={playFrom} />}
    </VerdictPanel>
  )
}
