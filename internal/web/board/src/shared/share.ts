// A probability in a table.

/** What to show beside a probability: certain, impossible, or a share. */
export function shareText(p: number): string {
  if (p === 0) return '✗'
  if (p === 1) return '✓'
  const n = Math.round(100 * p)
  return n === 0 ? '<1' : n === 100 ? '>99' : String(n)
}
