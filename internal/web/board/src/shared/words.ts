// The texts of a page in its language: names, numbers, sentences. The texts themselves are in files of their own, one
// of each language: words-en.ts and words-nl.ts are those that all pages share, and each page has its own beside them.

import { type Card, type Suit, faceOf, suitOf, symbols } from './cards'
import { letterOf } from './typed'
import type { Key } from './words-en'

export type { Key }

export type Lang = 'en' | 'nl'
export const languages: readonly Lang[] = ['en', 'nl']

export type Vars = Record<string, string | number>

/** A text with its variables. */
export const fill = (text: string, vars: Vars = {}): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(vars[name] ?? ''))

const files: ((lang: Lang) => Promise<unknown>)[] = []

/**
 * The texts in some files, by language. load loads them. A file is written as './words-….js': make generate puts the
 * names of the files there, which have hashes.
 */
export function textsOf<K extends string>(urls: Record<Lang, string>): (lang: Lang) => Record<K, string> {
  const loaded: Partial<Record<Lang, Record<K, string>>> = {}
  files.push(async (lang) => {
    const url = new URL(urls[lang], import.meta.url).href
    loaded[lang] = ((await import(url)) as { texts: Record<K, string> }).texts
  })
  return (lang) => loaded[lang]!
}
const common = textsOf<Key>({ en: './words-en.js', nl: './words-nl.js' })

/** Loads the texts of the page in a language, which must be done before they are used. */
export const load = (lang: Lang): Promise<unknown> => Promise.all(files.map((f) => f(lang)))

export type Text = [Key, Vars?]

/** The texts of one language. */
export interface Words {
  lang: Lang
  t(key: Key, vars?: Vars): string
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
  const t = (key: Key, vars?: Vars): string => fill(common(lang)[key] ?? key, vars)
  const suit = (s: Suit): string => t(s === 'S' ? 'SS' : s)
  const face = (c: Card): string => letterOf(lang, faceOf(c))
  const faceName = (c: Card): string => t(`f${faceOf(c)}`)
  const format = new Intl.NumberFormat(lang)
  return {
    lang,
    t,
    suit,
    face,
    faceName,
    brief: (c) => face(c) + symbols[suitOf(c)],
    card: (c) => capital(t('cardName', { face: faceName(c), suit: suit(suitOf(c)) })),
    number: (n) => format.format(n),
    signed: (n) => (n > 0 ? '+' : n < 0 ? '−' : '') + format.format(Math.abs(n)),
  }
}

/** The words with the texts of a page beside those that all pages share. */
export const withTexts = <K extends string>(w: Words, own: Record<K, string>) => ({
  ...w,
  t: (key: Key | K, vars?: Vars): string => (key in own ? fill(own[key as K], vars) : w.t(key as Key, vars)),
})
