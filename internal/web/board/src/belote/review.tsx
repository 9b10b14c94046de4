// The review of a hand: what each card of a player cost, on what both players saw, and with open cards.

import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Because } from '../shared/because'
import { VerdictPanel, Whose, cardText, isMistake, otherMistake, verdictMarks } from '../shared/verdicts'
import { type Player, players } from './rules'
import type { Mark } from './table'
import { type BeloteWords, useBelote } from './words'

export type Reviewed = Schemas.BeloteReview
type ReviewedCard = Reviewed['cards'][number]

const advised = (c: ReviewedCard): Card | undefined => (c.knowledge ? parseCard(c.knowledge.advised)! : undefined)

export const verdictText = (w: BeloteWords, c: ReviewedCard): string =>
  cardText(w, c, w.card(parseCard(c.card)!), c.knowledge ? w.card(advised(c)!) : '')

/** What is shown of the card that was played next, and of the better one. */
export function reviewMarks(w: BeloteWords, r: Reviewed | undefined, cursor: number): Map<Card, Mark> {
  const c = r?.cards[cursor]
  return c ? verdictMarks(w, c, parseCard(c.card)!, advised(c)) : new Map()
}

/** The next or previous mistake of a player. */
export const mistakeOf = (r: Reviewed, seat: Player, by: 1 | -1, cursor: number): ReviewedCard | undefined =>
  otherMistake(
    r.cards.filter((c) => c.seat === seat),
    by,
    cursor,
    cursor === r.cards.length,
  )

export function SeatReview({
  answer,
  seat,
  setSeat,
  you,
  cursor,
  go,
  jump,
}: {
  answer: Answer<Reviewed>
  seat: Player
  setSeat(p: Player): void
  /** The player who reads. */
  you?: Player
  cursor: number
  go(to: number): void
  jump(by: 1 | -1): void
}) {
  const w = useBelote()
  const r = answer.value
  const of = r?.seats[seat]
  const name = (p: Player): string => (you === undefined ? w.player(p) : p === you ? w.t('toYou') : w.b('computer'))
  const why = r?.cards.find((c) => c.number === cursor + 1 && c.seat === seat)?.reason
  return (
    <>
      <Whose
        list={players.map(
          (p) => [p, you === undefined ? w.player(p) : w.b(p === you ? 'youName' : 'computerName')] as const,
        )}
        seat={seat}
        set={setSeat}
      />
      {!r ? (
        <Waiting answer={answer} />
      ) : (
        of && (
          <VerdictPanel
            of={{ decisions: r.cards.filter((c) => c.seat === seat), seat: of, rule: r.rule }}
            by={seat === you ? undefined : you === undefined ? w.player(seat) : w.b('computer')}
            cursor={cursor}
            head={w.t('card')}
            name={(c) => <Brief card={parseCard(c.card)!} />}
            idOf={(c) => c.card}
            better={(c) => c.knowledge && isMistake(c) && <Brief card={advised(c)!} />}
            text={(c) => verdictText(w, c)}
            unit={w.t('reviewHint')}
            go={go}
            jump={jump}>
            {why && (
              <Because
                of={why}
                names={{
                  card: (c) => w.brief(parseCard(c)!),
                  trump: w.b('trumpName'),
                  own: name(seat),
                  others: name(seat === 'A' ? 'B' : 'A'),
                  seat: name(why.seat),
                }}
                own={(_: 'below', better) => w.b('due_below', { better })}
              />
            )}
          </VerdictPanel>
        )
      )}
    </>
  )
}
