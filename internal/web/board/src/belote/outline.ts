// What the page says of a position, for the test that compares it with the engine of the server.

import { wire } from '../shared/cards'
import { legalOf } from './rules'
import { positionOf } from './state'
import { readFragment } from './url'

/** The legal cards and the points after the cards of an address. */
export function outline(
  hash: string,
): { legal: string[]; points: Record<'A' | 'B', number>; threshold: number } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(read.shared)
  return { legal: legalOf(p).cards.map(wire), points: p.points, threshold: p.setup.threshold }
}
