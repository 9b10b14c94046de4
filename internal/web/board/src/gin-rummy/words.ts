// The texts of the page of Gin Rummy, beside those that it shares with the board.

import { useMemo } from 'preact/hooks'
import { symbols } from '../cards'
import { useWords } from '../frame'
import { letterOf } from '../typed'
import { type Lang, type Vars, type Words, fill, languages } from '../words'
import type { GinKey } from '../words-gin-en'
import { type Card, rankOf, suitOf } from './cards'

export type { GinKey }

const loaded: Partial<Record<Lang, Record<GinKey, string>>> = {}

/** Loads the texts of a language, which must be done before they are used. */
export async function loadGin(lang: Lang): Promise<void> {
  if (loaded[lang]) return
  const url = new URL(`words-gin-${lang}.js`, import.meta.url).href
  loaded[lang] = ((await import(url)) as { texts: Record<GinKey, string> }).texts
}

/** The texts of one language, those of the board included. Cards are those of 52. */
export interface GinWords extends Words {
  g(key: GinKey, vars?: Vars): string
  /** The card by name, with a small letter: within a sentence. */
  within(c: Card): string
  cards(list: readonly Card[]): string
}

export function ginWords(w: Words): GinWords {
  const g = (key: GinKey, vars?: Vars): string => fill(loaded[w.lang]![key], vars)
  const face = (c: Card): string => letterOf(w.lang, rankOf(c))
  const faceName = (c: Card): string => g(`f${rankOf(c)}`)
  const within = (c: Card): string => w.t('cardName', { face: faceName(c), suit: w.suit(suitOf(c)) })
  return {
    ...w, g, face, faceName, within,
    brief: (c) => face(c) + symbols[suitOf(c)],
    card: (c) => within(c).replace(/^./, (x) => x.toUpperCase()),
    cards: (list) => list.map(within).join(', '),
  }
}

export function useGin(): GinWords {
  const w = useWords()
  return useMemo(() => ginWords(w), [w])
}

/** The keys of both languages whose texts name different variables, or none; for the test. */
export async function unequalGin(): Promise<string[]> {
  for (const lang of languages) await loadGin(lang)
  const [en, nl] = [loaded.en!, loaded.nl!]
  const vars = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort().join()
  return (Object.keys(en) as GinKey[]).filter((k) => vars(en[k]) !== vars(nl[k]) || nl[k] === '')
}
