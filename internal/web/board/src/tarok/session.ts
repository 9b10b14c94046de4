// A game of tarok with the players of the server.

import type * as Schemas from '../contract'
import { useGame } from '../shared/session'

export type Session = Schemas.TarokSession
export type SessionRequest = Schemas.TarokSessionRequest

export const useTarokGame = () => useGame<Session, SessionRequest>(true, '/v1/tarok/sessions', 'tarok-game')
