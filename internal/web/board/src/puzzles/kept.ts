// What the browser keeps of the puzzles: which ones were answered and seen, how many were found in a row, and the rating.

import * as prefs from '../shared/prefs'
import { type Rating, first, ofPuzzles, rated } from './glicko'

export interface Kept extends Rating {
  right: string[]
  wrong: string[]
  /** How many of the right ones were found with a second try or a hint. */
  second: number
  streak: number
  best: number
  /** The puzzles that were shown, the one seen last at the end. */
  seen: string[]
}

const nothing: Kept = { ...first, right: [], wrong: [], second: 0, streak: 0, best: 0, seen: [] }

export function readKept(): Kept {
  try {
    const value = JSON.parse(prefs.read('puzzles') ?? 'null') as Partial<Kept> | null
    if (value && Array.isArray(value.right) && Array.isArray(value.wrong))
      return { ...nothing, seen: [...value.right, ...value.wrong], ...value }
  } catch {
    // What is stored is not of this page.
  }
  return nothing
}

/**
 * Counts the result of a puzzle: 1, ½ with a second try or a hint, or 0. Only the first result of a puzzle counts. A
 * row is of puzzles that were found at the first try.
 */
export function answered(kept: Kept, puzzle: { id: string; rating: number }, score: number): Kept {
  const { id, rating } = puzzle
  if (kept.right.includes(id) || kept.wrong.includes(id)) return kept
  const streak = score === 1 ? kept.streak + 1 : 0
  return {
    ...kept,
    ...rated(kept, [{ rating, deviation: ofPuzzles, score }]),
    right: score > 0 ? [...kept.right, id] : kept.right,
    wrong: score > 0 ? kept.wrong : [...kept.wrong, id],
    second: kept.second + (score === 0.5 ? 1 : 0),
    streak,
    best: Math.max(kept.best, streak),
  }
}

/** Notes that a puzzle is shown. */
export const saw = (kept: Kept, id: string): Kept => ({ ...kept, seen: [...kept.seen.filter((s) => s !== id), id] })

/** Begins the rating again. What was answered and seen is kept. */
export const unrated = (kept: Kept): Kept => ({ ...kept, ...first })

/**
 * The puzzle that comes next of those that are wanted, in their order: the first one that was not seen. If all were
 * seen, it is the one that was seen first. The puzzle that is shown does not come again.
 */
export function nextOf(wanted: readonly string[], seen: readonly string[], shown: string): string | undefined {
  const others = wanted.filter((id) => id !== shown)
  return others.find((id) => !seen.includes(id)) ?? seen.find((id) => others.includes(id))
}

export const keep = (kept: Kept): void => prefs.write('puzzles', JSON.stringify(kept))
