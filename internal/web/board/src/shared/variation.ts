// Going back and forth over the cards played. What comes after the cursor is kept until a different card cuts it off,
// and going back over that card restores it.

import type { Card } from './cards'

/** Cards that were cut off when a different card was played after going back. */
export interface Cut {
  at: number
  tail: Card[]
}

interface Play {
  played: Card[]
  cursor: number
  cuts: Cut[]
}

/** Goes to a number of cards. */
export function goTo<S extends Play>(s: S, to: number): S {
  let { played, cuts } = s
  let cut = cuts[cuts.length - 1]
  while (cut && cut.at >= to && s.cursor > cut.at) {
    played = [...played.slice(0, cut.at), ...cut.tail]
    cuts = cuts.slice(0, -1)
    cut = cuts[cuts.length - 1]
  }
  return { ...s, played, cuts, cursor: Math.max(0, Math.min(to, played.length)) }
}

/** Plays a card at the cursor. */
export function playOne<S extends Play>(s: S, c: Card): S {
  if (s.played[s.cursor] === c) return { ...s, cursor: s.cursor + 1 }
  const tail = s.played.slice(s.cursor)
  const cuts = tail.length > 0 ? [...s.cuts.filter((x) => x.at < s.cursor), { at: s.cursor, tail }] : s.cuts
  return { ...s, played: [...s.played.slice(0, s.cursor), c], cursor: s.cursor + 1, cuts }
}
