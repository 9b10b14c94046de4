// Where the keyboard is on the table.

export const inTable = (): boolean => document.activeElement?.closest('#felt') != null

/** Puts the keyboard on the first element that one of the selectors finds, and tells whether there is one. */
export const focusFirst = (...selectors: string[]): boolean => {
  const found = selectors.map((s) => document.querySelector<HTMLElement>(s)).find((x) => x !== null)
  found?.focus()
  return found !== undefined
}

/**
 * Puts it on a card of the table, which is named as the API names it. Without one, on cards that can be taken, or on the button that goes back:
 * never on nothing.
 */
export const focusOn = (card: string | undefined): boolean =>
  focusFirst(...(card === undefined ? [] : [`#felt [data-card="${card}"]`]), '#felt [data-group]', '#undo')

/** The next or previous one of a list, round the ends. */
export const nextIn = <X>(list: readonly X[], now: X, step: number): X | undefined =>
  list[(list.indexOf(now) + step + list.length) % list.length]
