// Which hands of this browser were played with help: they do not count for the rating. It stays in the browser.

const helpedPlace = 'roem.rating-helped'
const most = 1000 // hands that are kept, the last ones

/** What is kept at a place of the storage. */
export function read<T>(from: string): T[] {
  try {
    const list = JSON.parse(localStorage.getItem(from) ?? '[]') as T[]
    return Array.isArray(list) ? list : []
  } catch {
    return [] // the browser keeps nothing for this page
  }
}

/** Keeps the last ones of a list at a place of the storage. */
export function write(to: string, list: readonly unknown[]): void {
  try {
    localStorage.setItem(to, JSON.stringify(list.slice(-most)))
  } catch {
    // The page works without it.
  }
}

/** Notes that a hand was played with help, so that it does not count. What helps after its end does not matter. */
export function help(hand: string): void {
  if (!helped(hand)) write(helpedPlace, [...read<string>(helpedPlace), hand])
}

/** Whether a hand was played with help. */
export const helped = (hand: string): boolean => read<string>(helpedPlace).includes(hand)

/** The name of a hand of a game. */
export const handName = (game: { id: string; number: number }): string => `${game.id} ${game.number}`
