// What is read aloud when what has happened has been shown.

import type { Suit } from '../shared/cards'
import type { Session } from './api'
import { playedIn, seenIn } from './ingame'
import { replay } from './rules'
import { playsText } from './say'
import type { Words } from './words'

/** What has been played since a session, and after the bidding who plays for what. */
export function news(w: Words, after: Session, before: Session | null): string {
  const played = playedIn(after)
  const began = before?.id !== after.id
  const same = before?.number === after.number && !began
  const from = same ? (before.view?.played.length ?? 0) : 0
  const contract = began || (same && !before.view)
  const calls = after.calls.slice(same && before.calls.length <= after.calls.length ? before.calls.length : 0)
  const parts = (contract || after.state === 'bidding' ? calls : []).map((c) =>
    w.t('said', { seat: w.seat(c.seat), card: c.call === 'pass' ? w.t('passes') : w.suit(c.call as Suit) }),
  )
  if (after.state === 'bidding') return [...parts, w.t('saidCall')].join(' ')
  if (contract && after.view)
    parts.push(w.t('saidPlays', { team: w.team(after.view.declarer), trump: w.suit(after.view.trump) }))
  const start = replay(seenIn(after, played, 0).setup, played.slice(0, from))
  return [...parts, playsText(w, start, played.slice(from))].join(' ')
}
