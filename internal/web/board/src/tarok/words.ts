// The texts of the page of tarok, beside those that it shares with the board.

import { useMemo } from 'preact/hooks'
import { useWords } from '../shared/frame'
import { letterOf } from '../shared/typed'
import { type Key, type Vars, type Words, fill, textsOf } from '../shared/words'
import type { LaterKey } from './laterwords-en'
import type { TarokKey as OwnKey } from './words-en'
import { type Card, type Player, isKing, isTarok, rankOf, suitOf, symbols } from './cards'
import type { Contract } from './rules'
import type { Bonus, Kontra } from './state'

export type TarokKey = OwnKey | LaterKey
export type TarokText = [TarokKey, Vars?]

const own = textsOf({ en: './words-tarok-en.js', nl: './words-tarok-nl.js' })
const later = textsOf({ en: './words-tarok-later-en.js', nl: './words-tarok-later-nl.js' }, true)

/** The texts of one language, including the texts of the board. The cards have their names in tarok. */
export interface TarokWords extends Words {
  b(key: TarokKey, vars?: Vars): string
  player(p: Player): string
  contract(c: Contract): string
  bonus(b: Bonus): string
  kontra(k: Kontra): string
  /** The cards by name, in a list. */
  cards(list: readonly Card[]): string
}

const nameOf: Record<number, TarokKey> = { 0: 'pagatName', 20: 'mondName', 21: 'skisName' }

export function tarokWords(w: Words): TarokWords {
  const b = (key: TarokKey, vars?: Vars): string => fill(own(w.lang, key) ?? later(w.lang, key) ?? key, vars)
  // The king of tarok is a koning in Dutch, with his own letter.
  const face = (c: Card): string => (isTarok(c) || isKing(c) ? rankOf(c) : letterOf(w.lang, rankOf(c)))
  const faceName = (c: Card): string =>
    '1234CK'.includes(rankOf(c)) ? b(`f${rankOf(c)}` as TarokKey) : w.t(`f${rankOf(c)}` as Key)
  const card = (c: Card): string => {
    if (isTarok(c))
      return b(c in nameOf ? 'tarokNamed' : 'tarokName', { n: c + 1, name: c in nameOf ? b(nameOf[c]!) : '' })
    const s = suitOf(c)
    const name = w.t('cardName', { face: faceName(c), suit: w.t(s === 'S' ? 'SS' : (s as 'H')) })
    return name.charAt(0).toUpperCase() + name.slice(1)
  }
  return {
    ...w,
    b,
    face,
    faceName,
    card,
    brief: (c) => (isTarok(c) ? 'T' : '') + face(c) + symbols[suitOf(c)],
    player: (p) => b('player', { p }),
    contract: (c) => b(`c_${c}`),
    bonus: (x) => b(`b_${x}`),
    kontra: (k) => b(`k_${k}`),
    cards: (list) => list.map(card).join(', '),
  }
}

export function useTarok(): TarokWords {
  const w = useWords()
  return useMemo(() => tarokWords(w), [w])
}
