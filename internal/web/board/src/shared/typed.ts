// Cards that somebody types, in the language of the page. Beside its own letters a page takes the letters of the API:
// "KH" on a Dutch page is the klaverenheer, or the king of hearts. What has two readings is asked, never guessed.

import { type Suit, faceOf, short, suitOf, wire } from './cards'
import type { Lang, Words } from './language'

type Card = number

/** What a language calls faces and suits where it is not what the API calls them. The first name is a letter. */
const names: Record<Lang, { faces: Record<string, string>; suits: Partial<Record<Suit, string[]>> }> = {
  en: { faces: {}, suits: {} },
  nl: { faces: { J: 'B', C: 'R', Q: 'V', K: 'H' }, suits: { D: ['R'], C: ['K', 'KLAVER'] } }, // boer, ruiter, vrouw, heer; ruiten, klaveren
}

/** The letters that languages have for a face of the API. */
export const lettersOf = (face: string): string[] => Object.values(names).flatMap((n) => n.faces[face] ?? [])

/** The letter of a face of the API in a language, as it stands on the cards. */
export const letterOf = (lang: Lang, face: string): string => names[lang].faces[face] ?? face

// What people also write for a suit, in one or the other language.
const singular: Record<Suit, string[]> = {
  C: ['CLUB', 'KLAVER', 'KREUZ'],
  D: ['DIAMOND', 'RUIT', 'KARO'],
  H: ['HEART', 'HART', 'HERZ'],
  S: ['SPADE', 'SCHOP', 'PIK'],
}

const signs: Record<Suit, string[]> = { C: ['♣', '♧'], D: ['♦', '♢'], H: ['♥', '♡'], S: ['♠', '♤'] }

/** The cards of a game. more are the names of a card as a whole; one without a suit has no others. */
export interface Deck {
  cards: readonly Card[]
  face(c: Card): string
  suit(c: Card): Suit | 'T'
  more(c: Card): string[]
}

export const deck32: Deck = {
  cards: [...Array(32).keys()],
  face: faceOf,
  suit: suitOf,
  more: (c) => [wire(c), short(c)],
}

const plain = (text: string): string => text.toUpperCase().replace(/\b(OF|VAN)\b|[\s\-\uFE0F]/g, '')

// Each card under all that it can be called. The names of the page come first.
function spellings(w: Words, deck: Deck): Map<string, Card[]> {
  const out = new Map<string, Card[]>()
  const add = (text: string, c: Card) => {
    const cards = out.get(plain(text)) ?? []
    out.set(plain(text), cards.includes(c) ? cards : [...cards, c])
  }
  const pairs = (faces: string[], suits: string[], c: Card) =>
    faces.forEach((f) => suits.forEach((s) => [f + s, s + f].forEach((text) => add(text, c))))
  const suited = deck.cards.flatMap((c): [Card, Suit][] => (deck.suit(c) === 'T' ? [] : [[c, deck.suit(c) as Suit]]))
  for (const [c, s] of suited)
    pairs(
      [w.face(c), w.faceName(c), ...(deck.face(c) === '10' ? ['T'] : [])],
      [...(names[w.lang].suits[s] ?? [s]), w.suit(s), ...signs[s]],
      c,
    )
  for (const [c, s] of suited) pairs([deck.face(c)], [s, ...signs[s]], c)
  for (const c of deck.cards) deck.more(c).forEach((text) => add(text, c))
  return out
}

/** What suits are called before cards, in capitals: T are the taroks. */
export function suitNamesOf(w: Words, deck: Deck): Map<string, (Suit | 'T')[]> {
  const out = new Map<string, (Suit | 'T')[]>()
  const there = new Set(deck.cards.map((c) => deck.suit(c)))
  const add = (texts: string[], s: Suit | 'T') =>
    texts.forEach((text) => {
      const suits = out.get(text) ?? []
      if (!suits.includes(s)) out.set(text, [...suits, s])
    })
  const suits = (['C', 'D', 'H', 'S'] as const).filter((s) => there.has(s))
  for (const s of suits)
    add([...(names[w.lang].suits[s] ?? [s]), w.suit(s).toUpperCase(), ...singular[s], ...signs[s]], s)
  for (const s of suits) if (!out.has(s)) add([s], s)
  // Two letters or more are enough: no two suits begin with the same ones.
  for (const s of suits)
    for (const name of singular[s])
      for (let n = 2; n < name.length; n++) if (!out.has(name.slice(0, n))) add([name.slice(0, n)], s)
  if (there.has('T')) add(['T', 'TAROK', 'TAROKS'], 'T')
  return out
}

/** Reads typed cards of a deck: all cards that a text can mean, or none. */
export type Reader = (w: Words, text: string) => readonly Card[]

export function readerOf(deck: Deck): Reader {
  const known: Partial<Record<Lang, Map<string, Card[]>>> = {}
  return (w, text) => (known[w.lang] ??= spellings(w, deck)).get(plain(text)) ?? []
}

export const readTyped = readerOf(deck32)

/** A piece of a text, and the cards that it can mean. */
export interface Typed {
  text: string
  cards: readonly Card[]
}

/** A card as the page writes it in a field: so that it has one reading. */
export const written = (w: Words, c: Card): string => (w.lang === 'en' ? wire(c) : w.brief(c))
