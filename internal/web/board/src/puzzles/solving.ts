// Where the reader is in a puzzle: the decision that is asked for, and what the tries were.

import type * as Schemas from '../contract'

export type Tries = Schemas.KlaverjasPuzzleAnswer

/** How many tries there are at a decision before its answer is shown. */
const triesAtDecision = 2

export interface Progress {
  /** The place of the decision that is asked for, or of the last one if there is no other. */
  at: number
  /** Whether a card was tried at it that does not hold. */
  missed: boolean
  over: boolean
  /** What the puzzle counts if it is over: ½ with a second try or a hint. */
  score: 0 | 0.5 | 1
}

/** Where the reader is after some tries. helped says that a hint was taken; stopped, that the answer was asked for. */
export function progressOf(tries: Tries | undefined, helped: boolean, stopped: boolean): Progress {
  const tried = tries?.tried ?? []
  const found = tried.filter((t) => t.holds).length
  const misses = tried.filter((t) => !t.holds && t.decision === found + 1).length
  const failed = stopped || misses >= triesAtDecision
  return {
    at: tries?.over ? found - 1 : found,
    missed: misses > 0,
    over: failed || tries?.over === true,
    score: failed ? 0 : helped || tried.some((t) => !t.holds) ? 0.5 : 1,
  }
}

/** The last card that was tried at a decision. */
export const triedAt = (tries: Tries | undefined, at: number): string | undefined =>
  tries?.tried.filter((t) => t.decision === at + 1).pop()?.card
