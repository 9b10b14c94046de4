// The texts of the page of Belote Découverte, beside those that it shares with the board.

import { useMemo } from 'preact/hooks'
import type { Card } from '../shared/cards'
import { useWords } from '../shared/frame'
import { type Vars, type Words, fill, textsOf } from '../shared/words'
import type { LaterKey } from './laterwords-en'
import type { BeloteKey as OwnKey } from './words-en'
import type { Player, Trump } from './rules'

export type BeloteKey = OwnKey | LaterKey
export type BeloteText = [BeloteKey, Vars?]

const own = textsOf({ en: './words-belote-en.js', nl: './words-belote-nl.js' })
const later = textsOf({ en: './words-belote-later-en.js', nl: './words-belote-later-nl.js' }, true)

/** The texts of one language, including the texts of the board. */
export interface BeloteWords extends Words {
  b(key: BeloteKey, vars?: Vars): string
  player(p: Player): string
  trump(t: Trump): string
  /** The cards by name, in a list. */
  cards(list: readonly Card[]): string
}

export function beloteWords(w: Words): BeloteWords {
  const b = (key: BeloteKey, vars?: Vars): string => fill(own(w.lang, key) ?? later(w.lang, key) ?? key, vars)
  return {
    ...w,
    b,
    player: (p) => b(p === 'A' ? 'playerA' : 'playerB'),
    trump: (t) => (t === null ? b('noTrump') : w.suit(t)),
    cards: (list) => list.map(w.card).join(', '),
  }
}

export function useBelote(): BeloteWords {
  const w = useWords()
  return useMemo(() => beloteWords(w), [w])
}
