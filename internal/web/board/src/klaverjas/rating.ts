// The rating: the hands of this browser that were played without help, beside what a master made of them. It stays in
// the browser.

import { helped, read, write } from './helped'
import { type Level, levels, seatWorth } from './levels'

const place = 'roem.rating'

type Entry = [hand: string, difference: number]

/** The hands that are kept, the first one first. */
export const entries = (): Entry[] => read<Entry>(place).filter((e) => Array.isArray(e) && Number.isFinite(e[1]))

/** Keeps a hand that was played without help, once. */
export function keep(hand: string, difference: number): void {
  const list = entries()
  if (helped(hand) || list.some(([h]) => h === hand)) return
  write(place, [...list, [hand, difference]])
}

export const forget = (): void => write(place, [])

/** The fewest hands with a rating. */
export const fewest = 8

export interface Rating {
  hands: number
  /** The mean difference to a master, and the ends of its interval of 95 %, in points a hand. */
  mean: number
  low: number
  high: number
  /** The level with the nearest worth in a seat, and those whose worth is in the interval. */
  level: Level
  from: Level
  to: Level
}

/** The rating of differences; null of too few. */
export function ratingOf(differences: readonly number[]): Rating | null {
  const n = differences.length
  if (n < fewest) return null
  const mean = differences.reduce((a, b) => a + b, 0) / n
  const variance = differences.reduce((a, d) => a + (d - mean) ** 2, 0) / (n - 1)
  // Student's t at 97.5 %, a little too large: 2.36 for 8 hands, 1.99 for 100.
  const wide = (1.96 + 2.8 / (n - 1)) * Math.sqrt(variance / n)
  const low = mean - wide
  const high = mean + wide
  const far = (l: Level) => Math.abs(seatWorth[l] - mean)
  const level = levels.reduce((a, b) => (far(b) < far(a) ? b : a))
  const inside = levels.filter((l) => l === level || (seatWorth[l] >= low && seatWorth[l] <= high))
  return { hands: n, mean, low, high, level, from: inside[0]!, to: inside[inside.length - 1]! }
}
