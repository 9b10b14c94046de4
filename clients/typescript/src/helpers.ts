// What follows from the rules and the notation, where mistakes are common.

import type { KlaverjasSeat, KlaverjasTeam } from './contract/types.gen.js'

/** The seats of Klaverjas, in order of play. */
export const seats = ['N', 'E', 'S', 'W'] as const

/** The team of a seat. */
export const teamOf = (seat: KlaverjasSeat): KlaverjasTeam => (seat === 'N' || seat === 'S' ? 'NS' : 'EW')

/** The seat that plays some turns after another: 1 is the next, 2 the partner. */
export const seatAfter = (seat: KlaverjasSeat, turns = 1): KlaverjasSeat =>
  seats[(((seats.indexOf(seat) + turns) % 4) + 4) % 4] as KlaverjasSeat

/**
 * An outcome as a seat or a team counts it. The `outcome` of an answer is the outcome for the declarers, whoever asks
 * and whoever is to play: the declarers play for a high one, and the defenders for a low one.
 */
export const outcomeFor = (side: KlaverjasSeat | KlaverjasTeam, outcome: number, declarer: KlaverjasTeam): number =>
  (side.length === 1 ? teamOf(side as KlaverjasSeat) : side) === declarer ? outcome : 0 - outcome

/** Who sits where: the first player on the first seat, the others in order of play. */
export function seating<P>(first: KlaverjasSeat, players: readonly [P, P, P, P]): Record<KlaverjasSeat, P> {
  const at = (seat: KlaverjasSeat) => players[(seats.indexOf(seat) - seats.indexOf(first) + 4) % 4] as P
  return { N: at('N'), E: at('E'), S: at('S'), W: at('W') }
}

/**
 * The index of a deal or a seed, as the server reads it: a decimal text, because a number above 2^53 loses digits in JSON. A number that
 * may have lost some already is an error.
 */
export function index(value: bigint | number | string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is not exact: write it as a bigint or a text`)
  const exact = BigInt(value)
  if (exact < 0n || exact >= 2n ** 64n) throw new RangeError(`${value} is not between 0 and 2^64 - 1`)
  return exact.toString()
}
