// What the browser keeps: the language, the theme, the pace, whether single-letter keys work, the board, and the ids of
// its jobs.

import type { Lang } from './language'

/** What is kept under a name, or null. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem('roem.' + name)
  } catch {
    return null // the browser keeps nothing for this page
  }
}

/** Keeps a text under a name. */
export function write(name: string, value: string): void {
  try {
    localStorage.setItem('roem.' + name, value)
  } catch {
    // The page works without it.
  }
}

export function language(): Lang {
  const chosen = read('language')
  if (chosen === 'en' || chosen === 'nl') return chosen
  return navigator.language.toLowerCase().startsWith('nl') ? 'nl' : 'en'
}
export const setLanguage = (lang: Lang): void => write('language', lang)

export type Theme = 'light' | 'dark'
export function theme(): Theme {
  const chosen = read('theme')
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
export function showTheme(shown: Theme = theme()): void {
  document.documentElement.dataset['theme'] = shown
}
export const setTheme = (t: Theme): void => {
  write('theme', t)
  showTheme()
}

/** How fast the cards of the others come. */
export const paces = ['off', 'fast', 'normal', 'slow'] as const
export type PaceName = (typeof paces)[number]
export const pace = (): PaceName => paces.find((p) => p === read('pace')) ?? 'normal'
export function setPace(p: PaceName): void {
  write('pace', p)
  showPace()
}
/** Tells the style sheet how fast a trick is gathered. */
export function showPace(): void {
  document.documentElement.dataset['pace'] = pace()
}

export const shortcuts = (): boolean => read('shortcuts') !== 'off'
export const setShortcuts = (on: boolean): void => write('shortcuts', on ? 'on' : 'off')

/** The board of the last visit: its fragment, and the cards that were cut off. */
export interface Stored {
  hash: string
  cuts: { at: number; tail: number[] }[]
  /** The seed that the deal was drawn with, where there is one. */
  seed?: string
}
export function stored(page: string): Stored | null {
  try {
    const value = JSON.parse(read(page) ?? 'null') as Stored | null
    return value && typeof value.hash === 'string' && Array.isArray(value.cuts) ? value : null
  } catch {
    return null
  }
}
export const store = (value: Stored, page: string): void => write(page, JSON.stringify(value))

// The jobs that pages of this browser have started or opened, the last one first. Each has the fragment of the board that
// started it, since a job does not repeat its request; the fragment is empty if no board did.
function jobsHere(): [string, string][] {
  try {
    return JSON.parse(read('jobs') ?? '[]') as [string, string][]
  } catch {
    return []
  }
}

/** The fragment of the board that started a job. */
export const boardOf = (job: string): string | undefined => jobsHere().find(([id]) => id === job)?.[1] || undefined

/** The ids of the jobs that pages of this browser have started or opened: at most as many as a list is asked for by. */
export const jobIds = (): string[] => jobsHere().map(([id]) => id)

export function rememberJob(job: string, hash: string): void {
  write('jobs', JSON.stringify([[job, hash], ...jobsHere().filter(([id]) => id !== job)].slice(0, 100)))
}

/** The id of the game with the players of the server. It is all that is kept of it. */
export const game = (name: string): string => read(name) ?? ''
export const setGame = (id: string, name: string): void => write(name, id)
