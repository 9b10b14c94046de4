// Going back and forth over the cards played. What comes after the cursor is kept until a different card cuts it off,
// and going back over that card restores it.

import type { Card } from './cards'
import type { Words } from './words'

/** Cards that were cut off when a different card was played after going back. */
export interface Cut {
  at: number
  tail: Card[]
}

interface Play {
  played: Card[]
  cursor: number
  cuts: Cut[]
  /** The variation that was left last: its first card brings all of it back. */
  aside?: Cut | undefined
}

/** The first cards of a play that may be played from a position on: those that stay when the rules change. */
export function fitting<P>(
  from: P,
  cards: readonly Card[],
  refusal: (p: P, c: Card) => unknown,
  play: (p: P, c: Card) => P,
): Card[] {
  let n = 0
  for (let p = from; n < cards.length && refusal(p, cards[n]!) === null; n++) p = play(p, cards[n]!)
  return cards.slice(0, n)
}

/** The play after a change of the rules: the cards that still fit stay, and of the variations those that fit whole. */
export function keepFitting<S extends Play>(s: S, fit: (cards: readonly Card[]) => Card[]): S {
  const played = fit(s.played)
  const fits = ({ at, tail }: Cut) =>
    at < played.length && fit([...played.slice(0, at), ...tail]).length === at + tail.length
  const aside = s.aside && fits(s.aside) ? {} : { aside: undefined }
  return {
    ...s,
    ...(s.aside ? aside : {}),
    played,
    cursor: Math.min(s.cursor, played.length),
    cuts: s.cuts.filter((c) => fits(c) && c.at <= s.cursor),
  }
}

/** What is said of the cards played when the rules have changed; nothing if there were none. */
export function keptText(w: Words, before: number, after: number): string {
  if (before === 0) return ''
  if (after === before) return w.t('keptAll')
  return w.t(after > 0 ? 'keptSome' : 'keptNone', { n: after, of: before - after })
}

/** Goes to a number of cards. */
export function goTo<S extends Play>(s: S, to: number): S {
  let { played, cuts, aside } = s
  let cut = cuts[cuts.length - 1]
  while (cut && cut.at >= to && s.cursor > cut.at) {
    aside = { at: cut.at, tail: played.slice(cut.at) }
    played = [...played.slice(0, cut.at), ...cut.tail]
    cuts = cuts.slice(0, -1)
    cut = cuts[cuts.length - 1]
  }
  const left = aside === s.aside ? {} : { aside }
  return { ...s, ...left, played, cuts, cursor: Math.max(0, Math.min(to, played.length)) }
}

/** Plays a card at the cursor. */
export function playOne<S extends Play>(s: S, c: Card): S {
  if (s.played[s.cursor] === c) return { ...s, cursor: s.cursor + 1 }
  const tail = s.played.slice(s.cursor)
  const cuts = tail.length > 0 ? [...s.cuts.filter((x) => x.at < s.cursor), { at: s.cursor, tail }] : s.cuts
  const back = s.aside?.at === s.cursor && s.aside.tail[0] === c ? s.aside.tail : null
  return {
    ...s,
    played: [...s.played.slice(0, s.cursor), ...(back ?? [c])],
    cursor: s.cursor + 1,
    cuts,
    ...(s.aside && (back || tail.length > 0) ? { aside: undefined } : {}),
  }
}

/** Goes from a variation to the play that it left, or back to the variation that was left last. */
export function swap<S extends Play>(s: S): S {
  const first = s.cuts[0]
  if (first) return goTo(s.cursor > first.at ? s : { ...s, cursor: first.at + 1 }, first.at)
  if (!s.aside) return s
  return playOne({ ...s, cursor: s.aside.at }, s.aside.tail[0]!)
}
