// What is read aloud when what has happened has been shown.

import { replay } from './rules'
import { playsText, turnText } from './say'
import { type Session, cards, setupOf } from './session'
import type { BeloteWords } from './words'

/** What is read aloud after an answer: the contract and the cards since another session, and who is to act. */
export function news(w: BeloteWords, s: Session, other: Session | null): string {
  if (s.state === 'bidding') return w.t('saidCall')
  const setup = setupOf(s)
  const played = cards(s.view!.played)
  const old = other?.id === s.id && other.number === s.number ? other : null
  const from = old?.view?.played.length ?? (other ? 0 : played.length)
  const before = replay(setup, played.slice(0, from))
  const contract =
    s.declarer && other && !old?.view
      ? w.b('saidContract', { trump: w.trump(setup.trump), player: w.player(s.declarer) }) + ' '
      : ''
  return contract + (played.length > from ? playsText(w, before, played.slice(from)) : turnText(w, before))
}
