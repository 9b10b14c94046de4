// The rating: the hands of this browser beside what a master made of them. It stays in the browser.

import { type Level, levels, seatWorth } from './levels'

const place = 'roem.rating'
const most = 1000 // hands that are kept, the last ones

type Entry = [hand: string, difference: number]

/** The hands that are kept, the first one first. */
export function entries(): Entry[] {
  try {
    const list = JSON.parse(localStorage.getItem(place) ?? '[]') as Entry[]
    return Array.isArray(list) ? list.filter((e) => Array.isArray(e) && Number.isFinite(e[1])) : []
  } catch {
    return [] // the browser keeps nothing for this page
  }
}

/** Keeps a hand, once. */
export function keep(hand: string, difference: number): void {
  const list = entries()
  if (list.some(([h]) => h === hand)) return
  write([...list, [hand, difference] as Entry].slice(-most))
}

export const forget = (): void => write([])

function write(list: Entry[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(list))
  } catch {
    // The page works without it.
  }
}

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
