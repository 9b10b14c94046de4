// The address of the page: which puzzles are wanted, and which one is shown. #v=1&c=hidden&l=strong&t=ruff&p=24kftt, or a
// day in place of the puzzle: d=2026-12-05.

export const levels = ['casual', 'strong', 'master'] as const
export type Level = (typeof levels)[number]

export const themes = [
  'lead',
  'trump_lead',
  'follow',
  'trump_follow',
  'ruff',
  'overruff',
  'discard',
  'feed',
  'duck',
  'meld',
  'nat',
  'pit',
  'last_trick',
  'endgame',
  'declaring',
  'defending',
] as const
export type Theme = (typeof themes)[number]

export const kinds = ['open', 'hidden'] as const
export type Kind = (typeof kinds)[number]

/** What the page shows. Each filter is empty if all are wanted. Without an id and a day it shows the puzzle of today. */
export interface Where {
  cards: Kind | ''
  level: Level | ''
  theme: Theme | ''
  id: string
  date: string
}

/** Reads an address. What it does not know is left out. */
export function readWhere(hash: string): Where {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const one = <T extends string>(name: string, of: readonly T[]): T | '' => of.find((x) => x === fields.get(name)) ?? ''
  const like = (name: string, form: RegExp): string => {
    const text = fields.get(name) ?? ''
    return form.test(text) ? text : ''
  }
  const id = like('p', /^[a-z2-9]{6}$/)
  return {
    cards: one('c', kinds),
    level: one('l', levels),
    theme: one('t', themes),
    id,
    date: id ? '' : like('d', /^\d{4}-\d\d-\d\d$/),
  }
}

/** The address of what is shown, with its #. */
export function addressOf({ cards, level, theme, id, date }: Where): string {
  const fields = { v: '1', c: cards, l: level, t: theme, p: id, d: id ? '' : date }
  return '#' + new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** The filters as a query of the list of puzzles. */
export const queryOf = ({ cards, level, theme }: Where): string =>
  Object.entries({ cards, level, theme })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${value}`)
    .join('')
