// The texts of a page in its language: names, numbers, sentences. The texts themselves are in files of their own, one
// of each language: words-en.ts and words-nl.ts are those that all pages share, and each page has its own beside them.

import { type Card, type Suit, faceOf, suitOf, symbols } from './cards'
import { load as loadFile } from './files'
import type { Key, Lang, Vars, Words } from './language'
import { loadProblems } from './problems'
import { letterOf } from './typed'

export type { Key, Lang, Text, Vars, Words } from './language'

export const languages: readonly Lang[] = ['en', 'nl']

/** A text with its variables. {n|1 card|# cards} has a form for one and a form for any other number, which # stands for. */
export const fill = (text: string, vars: Vars = {}): string =>
  text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, more?: string) => {
    const value = String(vars[name] ?? '')
    return more === undefined ? value : value === '1' ? one! : more.replace('#', value)
  })

const files: { load(lang: Lang): Promise<unknown>; later: boolean }[] = []

/** A text in a language, if its file is loaded and has it. */
export type Texts = (lang: Lang, key: string) => string | undefined

/**
 * The texts in a file of each language. It is written as './words-….js': make generate puts the names of the files
 * there, which have hashes. Later ones are loaded with the parts of the page that are.
 */
export function textsOf(urls: Record<Lang, string>, later = false): Texts {
  const loaded: Partial<Record<Lang, Record<string, string>>> = {}
  files.push({
    later,
    load: async (lang) => {
      loaded[lang] = (await loadFile<{ texts: Record<string, string> }>(urls[lang])).texts
    },
  })
  return (lang, key) => loaded[lang]?.[key]
}
const common = textsOf({ en: './words-en.js', nl: './words-nl.js' })
const commonLater = textsOf({ en: './words-later-en.js', nl: './words-later-nl.js' }, true)

let laterToo = false

/** Loads the texts of the page in a language, which must be done before they are used. */
export async function load(lang: Lang): Promise<void> {
  const all = laterToo
  await Promise.all(files.filter((f) => all || !f.later).map((f) => f.load(lang)))
  // Later parts that came meanwhile have got their texts in the language before.
  if (laterToo && !all) return load(lang)
  if (lang === 'nl') void loadProblems().catch(() => {})
}

/** Loads also the texts of what is loaded after the page. */
export function loadLater(lang: Lang): Promise<unknown> {
  laterToo = true
  return load(lang)
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** The words of a language, of the texts that were loaded, or of others. */
export function words(lang: Lang, texts: Texts = (l, key) => common(l, key) ?? commonLater(l, key)): Words {
  const t = (key: Key, vars?: Vars): string => fill(texts(lang, key) ?? key, vars)
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

/** The words with the texts of a page, of type K, beside those that all pages share. */
export const withTexts = <K extends string>(w: Words, ...own: Texts[]) => ({
  ...w,
  t(key: Key | K, vars?: Vars): string {
    for (const of of own) {
      const text = of(w.lang, key)
      if (text !== undefined) return fill(text, vars)
    }
    return w.t(key as Key, vars)
  },
})
