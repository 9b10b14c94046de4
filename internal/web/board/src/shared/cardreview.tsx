// The review of a game in which every decision is a card of the pack of 32.

import { Brief } from './card'
import { type Card, parseCard } from './cards'
import type { Columns } from './seatreview'
import type { Mark } from './standing'
import { type JudgedCard, cardMarks, cardText } from './verdicts'
import type { Words } from './words'

export const verdictText = (w: Words, c: JudgedCard): string => cardText(w, c, parseCard)

/** What is shown of the card that was played next, and of the better one. */
export const reviewMarks = (w: Words, cards: readonly JudgedCard[] | undefined, cursor: number): Map<Card, Mark> =>
  cardMarks(w, cards, cursor, parseCard)

export const cardColumns = <C extends JudgedCard>(w: Words): Columns<C> => ({
  head: w.t('card'),
  name: (c) => <Brief card={parseCard(c.card)!} />,
  idOf: (c) => c.card,
  better: (c) => c.knowledge && <Brief card={parseCard(c.knowledge.advised)!} />,
  text: (c) => verdictText(w, c),
})
