// What of a game is shown while its cards come to the table one by one, and what is read aloud when they have.

import { type Card, type Player, next, parseCard } from './cards'
import type { Contract } from './rules'
import type { Session } from './session'
import type { TarokWords } from './words'

export const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)
export const bidText = (w: TarokWords, b: string): string => (b === 'pass' ? w.t('passes') : w.contract(b as Contract))

// How many cards were played before the trick under way.
const before = (s: Session): number => 3 * (s.last_trick?.number ?? 0)

/** How many cards of the hand have been played. */
export const playedIn = (s: Session): number => before(s) + (s.trick?.cards.length ?? 0)

/** The session while its cards are coming: what follows from them is as it was in the session before. */
export function whileComing(s: Session, old: Session | null): Session {
  const { results, totals, radli } = old?.id === s.id ? old : s
  const { tricks, talon, discards } = old?.id === s.id && old.number === s.number ? old : s
  return { ...s, state: 'playing', legal: [], results, totals, radli, tricks, talon, discards }
}

/**
 * The trick on the table when a number of cards are shown, of which the last may be one that the server has not
 * answered yet.
 */
export function trickAt(
  s: Session,
  at: number,
  sent: string | undefined,
): { leader: Player; cards: Card[]; number: number; winner?: Player } | undefined {
  const { last_trick: last, trick } = s
  const since = at - before(s)
  if (last && since <= 0)
    return {
      ...last,
      cards: cards(last.cards.slice(0, 3 + since)),
      ...(since < 0 ? { winner: undefined } : {}),
    } as ReturnType<typeof trickAt>
  return trick && { ...trick, cards: cards([...trick.cards, ...(sent ? [sent] : [])].slice(0, since)) }
}

/**
 * What is read aloud after an answer: the cards since another session, what the others have said, and what is to be
 * done.
 */
export function news(w: TarokWords, s: Session, other: Session | null): string {
  const parts: string[] = []
  const old = other?.id === s.id && other.number === s.number ? other : null
  for (const b of s.bids.slice(old?.bids.length ?? 0))
    if (b.seat !== s.seat) parts.push(`${w.player(b.seat)}: ${bidText(w, b.bid)}.`)
  if (s.contract && !old?.contract)
    parts.push(
      w.b('saidPlays', {
        contract: w.contract(s.contract),
        player: s.declarer ? w.player(s.declarer) : w.b('everyone'),
      }),
    )
  const from = old ? playedIn(old) : before(s)
  for (const t of [s.last_trick, s.trick]) {
    if (!t) continue
    const first = 3 * (t.number - 1)
    cards(t.cards).forEach(
      (c, i) => first + i >= from && parts.push(w.t('said', { seat: w.player(next(t.leader, i)), card: w.card(c) })),
    )
    if (t.winner && first + 3 > from)
      parts.push(w.t('won', { seat: w.player(t.winner), n: t.number, points: '' }).replace(/: $/, '.'))
  }
  if (s.state === 'hand_over' || s.state === 'over')
    parts.push(
      w.b('saidEnd') +
        ' ' +
        w.b('saidTotals', {
          you: w.signed(s.totals.you),
          left: w.signed(s.totals.left),
          right: w.signed(s.totals.right),
        }),
    )
  else parts.push(w.b(`do_${s.state}`) + '.')
  return parts.join(' ')
}
