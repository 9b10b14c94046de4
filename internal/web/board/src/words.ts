// The texts of the board in the language of the page: names, numbers, sentences. The texts themselves are in words-en.ts and words-nl.ts.

import { type Card, type Seat, type Suit, type Team, faceOf, suitOf, symbols } from './cards'
import { letterOf } from './typed'
import type { Key } from './words-en'

export type { Key }

export type Lang = 'en' | 'nl'
export const languages: readonly Lang[] = ['en', 'nl']

const loaded: Partial<Record<Lang, Record<Key, string>>> = {}

/** Loads the texts of a language, which must be done before they are used. */
export async function load(lang: Lang): Promise<void> {
  if (loaded[lang]) return
  const url = new URL(`words-${lang}.js`, import.meta.url).href
  loaded[lang] = ((await import(url)) as { texts: Record<Key, string> }).texts
}

export type Vars = Record<string, string | number>

/** A text with its variables. */
export const fill = (text: string, vars: Vars = {}): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(vars[name] ?? ''))

export type Text = [Key, Vars?]

/** The texts of one language. */
export interface Words {
  lang: Lang
  t(key: Key, vars?: Vars): string
  seat(s: Seat): string
  team(t: Team): string
  suit(s: Suit): string
  /** The face as it stands on a card: A H V B in Dutch. */
  face(c: Card): string
  /** The face by name. */
  faceName(c: Card): string
  /** The face and the symbol of the suit, to look at. */
  brief(c: Card): string
  /** The name of a card, to be read aloud. */
  card(c: Card): string
  number(n: number): string
  /** A number with its sign. */
  signed(n: number): string
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

export function words(lang: Lang): Words {
  const t = (key: Key, vars?: Vars): string => fill(loaded[lang]![key] ?? key, vars)
  const suit = (s: Suit): string => t(s === 'S' ? 'SS' : s)
  const face = (c: Card): string => letterOf(lang, faceOf(c))
  const faceName = (c: Card): string => t(`f${faceOf(c)}`)
  const format = new Intl.NumberFormat(lang)
  return {
    lang, t, suit, face, faceName,
    seat: (s) => t(s),
    team: (x) => t(x),
    brief: (c) => face(c) + symbols[suitOf(c)],
    card: (c) => capital(t('cardName', { face: faceName(c), suit: suit(suitOf(c)) })),
    number: (n) => format.format(n),
    signed: (n) => (n > 0 ? '+' : n < 0 ? '−' : '') + format.format(Math.abs(n)),
  }
}

/** The keys of both languages whose texts name different variables, or none; for the test. */
export async function unequal(): Promise<string[]> {
  for (const lang of languages) await load(lang)
  const [en, nl] = [loaded.en!, loaded.nl!]
  const vars = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort().join()
  return (Object.keys(en) as Key[]).filter((k) => vars(en[k]) !== vars(nl[k]) || nl[k] === '')
}
