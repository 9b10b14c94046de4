// A game of tarok with the players of the server.

import type { components } from '../contract'
import { useGame } from '../shared/session'

export type Session = components['schemas']['TarokSession']
export type SessionRequest = components['schemas']['TarokSessionRequest']

export const useTarokGame = () => useGame<Session, SessionRequest>(true, '/v1/tarok/sessions', 'tarok-game')
