// What the page says of a position, for the test that compares it with the engine of the server.

import { wire } from './cards'
import { legalOf } from './rules'
import { positionOf } from './state'
import { readFragment } from './url'

/** The legal cards, the phase and the thirds won in tricks after the cards of an address. */
export function outline(hash: string): { legal: string[]; phase: string; won: Record<'A' | 'B' | 'C', number> } | null {
  const read = readFragment(hash)
  if (!read.ok) return null
  const p = positionOf(read.shared)
  return { legal: legalOf(p).cards.map(wire), phase: p.phase, won: p.won }
}
