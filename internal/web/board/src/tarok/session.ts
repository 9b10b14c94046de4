// A game of tarok with the players of the server.

import type * as Schemas from '../contract'

export type Session = Schemas.TarokSession
export type SessionRequest = Schemas.TarokSessionRequest

/** The tabs of a hand. */
export const tabs = ['advice', 'review'] as const
