// What the requests of Klaverjas carry. The types are generated from the contract.

import type * as Schemas from '../contract'

export type Solution = Schemas.KlaverjasSolution
export type Analysis = Schemas.KlaverjasAnalysis
export type TableAnswer = Schemas.KlaverjasTable
export type AnalysedCard = Schemas.KlaverjasAnalysedCard
export type NumberedDeal = Schemas.KlaverjasNumberedDeal
export type LegalMoves = Schemas.KlaverjasLegalMoves
export type Knowledge = Schemas.KlaverjasKnowledge
export type Fact = Schemas.KlaverjasFact
export type CardModel = Schemas.KlaverjasCardModel
export type CardModelStep = Schemas.KlaverjasCardModelStep
export type Advice = Schemas.KlaverjasAdvice
export type HandStrength = Schemas.KlaverjasHandStrength
export type Bid = Schemas.KlaverjasBidAdvice
export type SeatReview = Schemas.KlaverjasReview
export type ReviewedCard = Schemas.KlaverjasReviewedCard
export type Session = Schemas.KlaverjasSession
export type SessionRequest = Schemas.KlaverjasSessionRequest
export type Revealed = Schemas.KlaverjasRevealedHand
export type PositionBody = Schemas.KlaverjasPosition
