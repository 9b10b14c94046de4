// What the browser keeps of the puzzles: which ones were answered, and how many were right in a row.

import * as prefs from '../shared/prefs'

export interface Kept {
  right: string[]
  wrong: string[]
  streak: number
  best: number
}

export function readKept(): Kept {
  try {
    const value = JSON.parse(prefs.read('puzzles') ?? 'null') as Kept | null
    if (value && Array.isArray(value.right) && Array.isArray(value.wrong)) return value
  } catch {
    // What is stored is not of this page.
  }
  return { right: [], wrong: [], streak: 0, best: 0 }
}

/** Counts an answer. Only the first answer to a puzzle counts. */
export function answered(kept: Kept, id: string, right: boolean): Kept {
  if (kept.right.includes(id) || kept.wrong.includes(id)) return kept
  const streak = right ? kept.streak + 1 : 0
  return {
    right: right ? [...kept.right, id] : kept.right,
    wrong: right ? kept.wrong : [...kept.wrong, id],
    streak,
    best: Math.max(kept.best, streak),
  }
}

export const keep = (kept: Kept): void => prefs.write('puzzles', JSON.stringify(kept))
