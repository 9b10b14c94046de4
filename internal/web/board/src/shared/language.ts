// What the texts of a page are in one language: its words, and the names of cards.

import type { Card, Suit } from './cards'
import type { LaterKey } from './laterwords-en'
import type { Key as OwnKey } from './words-en'

export type Key = OwnKey | LaterKey

export type Lang = 'en' | 'nl'

export type Vars = Record<string, string | number>

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
