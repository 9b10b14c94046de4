// What the requests of Klaverjas carry. The types are generated from the contract.

import type { components } from '../contract'

type Schemas = components['schemas']
export type Solution = Schemas['Solution']
export type Analysis = Schemas['Analysis']
export type TableAnswer = Schemas['Table']
export type AnalysedCard = Schemas['AnalysedCard']
export type NumberedDeal = Schemas['NumberedDeal']
export type LegalMoves = Schemas['LegalMoves']
export type Knowledge = Schemas['Knowledge']
export type Fact = Schemas['Fact']
export type CardModel = Schemas['CardModel']
export type CardModelStep = Schemas['CardModelStep']
export type Advice = Schemas['Advice']
export type HandStrength = Schemas['HandStrength']
export type Bid = Schemas['Bid']
export type SeatReview = Schemas['Review']
export type ReviewedCard = Schemas['ReviewedCard']
export type Session = Schemas['Session']
export type SessionRequest = Schemas['SessionRequest']
export type Revealed = Schemas['RevealedHand']
export type PositionBody = Schemas['Position']
