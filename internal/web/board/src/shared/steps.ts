// Going from one card of a review to another.

/**
 * The next one of a list after the cursor, or the one before it; from the last one to the first, and from the first one
 * to the last. There is no other one than the one at the cursor if there is nothing to go to.
 */
export function otherOf<T extends { number: number }>(list: readonly T[], by: 1 | -1, cursor: number): T | undefined {
  const found =
    by > 0
      ? (list.find((c) => c.number - 1 > cursor) ?? list[0])
      : (list.findLast((c) => c.number - 1 < cursor) ?? list[list.length - 1])
  return found && found.number - 1 !== cursor ? found : undefined
}
