// The texts of the page of Gin Rummy, beside those that it shares with the board.

import { useMemo } from 'preact/hooks'
import { symbols } from '../shared/cards'
import { useWords } from '../shared/frame'
import { letterOf } from '../shared/typed'
import { type Vars, type Words, fill, textsOf } from '../shared/words'
import type { LaterKey } from './laterwords-en'
import type { GinKey as OwnKey } from './words-en'
import { type Card, rankOf, suitOf } from './cards'

export type GinKey = OwnKey | LaterKey

const own = textsOf({ en: './words-gin-rummy-en.js', nl: './words-gin-rummy-nl.js' })
const later = textsOf({ en: './words-gin-rummy-later-en.js', nl: './words-gin-rummy-later-nl.js' }, true)

/** The texts of one language, including the texts of the board. There are 52 cards. */
export interface GinWords extends Words {
  g(key: GinKey, vars?: Vars): string
  /** The card by name, with a small letter: within a sentence. */
  within(c: Card): string
  cards(list: readonly Card[]): string
}

export function ginWords(w: Words): GinWords {
  const g = (key: GinKey, vars?: Vars): string => fill(own(w.lang, key) ?? later(w.lang, key) ?? key, vars)
  const face = (c: Card): string => letterOf(w.lang, rankOf(c))
  const faceName = (c: Card): string => g(`f${rankOf(c)}`)
  const within = (c: Card): string => w.t('cardName', { face: faceName(c), suit: w.suit(suitOf(c)) })
  return {
    ...w,
    g,
    face,
    faceName,
    within,
    brief: (c) => face(c) + symbols[suitOf(c)],
    card: (c) => within(c).replace(/^./, (x) => x.toUpperCase()),
    cards: (list) => list.map(within).join(', '),
  }
}

export function useGin(): GinWords {
  const w = useWords()
  return useMemo(() => ginWords(w), [w])
}
