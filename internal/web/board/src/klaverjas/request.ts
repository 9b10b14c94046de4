// Beginning a game in a position.

import type { SessionRequest } from './api'
import { bodyOf } from './panel'
import { replay, turnOf } from './rules'
import type { Shared } from './url'

/** The request for a game that begins in a position of a hand, for the seat that is to play. */
export const requestFrom = (s: Shared, at: number, players: SessionRequest['players']): SessionRequest => {
  const played = s.played.slice(0, at)
  return { position: bodyOf(s, played) as SessionRequest['position'], seat: turnOf(replay(s.setup, played)), players }
}
