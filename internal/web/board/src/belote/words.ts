// The texts of the page of Belote Découverte, beside those that it shares with the board.

import { useMemo } from 'preact/hooks'
import type { Card } from '../cards'
import { useWords } from '../frame'
import { type Lang, type Vars, type Words, fill, languages } from '../words'
import type { BeloteKey } from '../words-belote-en'
import type { Player, Trump } from './rules'

export type { BeloteKey }
export type BeloteText = [BeloteKey, Vars?]

const loaded: Partial<Record<Lang, Record<BeloteKey, string>>> = {}

/** Loads the texts of a language, which must be done before they are used. */
export async function loadBelote(lang: Lang): Promise<void> {
  if (loaded[lang]) return
  const url = new URL(`words-belote-${lang}.js`, import.meta.url).href
  loaded[lang] = ((await import(url)) as { texts: Record<BeloteKey, string> }).texts
}

/** The texts of one language, those of the board included. */
export interface BeloteWords extends Words {
  b(key: BeloteKey, vars?: Vars): string
  player(p: Player): string
  trump(t: Trump): string
  /** The cards by name, in a list. */
  cards(list: readonly Card[]): string
}

export function beloteWords(w: Words): BeloteWords {
  const b = (key: BeloteKey, vars?: Vars): string => fill(loaded[w.lang]![key], vars)
  return { ...w, b, player: (p) => b(p === 'A' ? 'playerA' : 'playerB'), trump: (t) => (t === null ? b('noTrump') : w.suit(t)), cards: (list) => list.map(w.card).join(', ') }
}

export function useBelote(): BeloteWords {
  const w = useWords()
  return useMemo(() => beloteWords(w), [w])
}

/** The keys of both languages whose texts name different variables, or none; for the test. */
export async function unequalBelote(): Promise<string[]> {
  for (const lang of languages) await loadBelote(lang)
  const [en, nl] = [loaded.en!, loaded.nl!]
  const vars = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort().join()
  return (Object.keys(en) as BeloteKey[]).filter((k) => vars(en[k]) !== vars(nl[k]) || nl[k] === '')
}
