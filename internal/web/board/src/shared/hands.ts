// Hands as people write them: "S: B9A7 H: 10 8", "♠ A B 9 7 ♥ ...", "schoppen aas boer", "SAB97 HV10", lists of cards,
// and several hands at once. What has two readings is asked, never guessed: every reading of a text is made, and those
// that no hand can have are left out.

import type { Suit } from './cards'
import { type Deck, type Reader, lettersOf, suitNamesOf } from './typed'
import type { Words } from './words'

type Card = number
type Group = Suit | 'T'

/** What a piece of a text can mean: cards, or the suit of the cards after it. */
export interface Meaning {
  cards: readonly Card[]
  suit?: Group
  /** Whether the faces are written as the page or as the API writes them, if that is not the same. */
  letters?: 'page' | 'api'
}

/** A piece of a text, where it is, and all that it can mean: nothing if it cannot be read. */
export interface Piece {
  text: string
  from: number
  to: number
  meanings: readonly Meaning[]
}

interface Token {
  text: string
  /** In capitals, with nothing that only changes how it looks. */
  plain: string
  /** A colon follows. */
  label: boolean
  from: number
  to: number
}

const maxText = 4000
const maxReadings = 256

const looks = /[\uFE0F\u200B]/g
const symbol = /[♠♣♥♦♤♧♡♢]/
const joined = /[♠♣♥♦♤♧♡♢]\uFE0F?/g

// The words of a text. Several suits in one word, "♠AB♥V10" or "A♠B♠", are words of their own.
function tokensOf(text: string): Token[] {
  const out: Token[] = []
  for (const m of text.slice(0, maxText).matchAll(/([^\s,;|/()[\]{}"“”:=]+)\s*([:=]?)/g)) {
    const word = m[1]!
    const parts: string[] = []
    if ((word.match(joined) ?? []).length < 2) parts.push(word)
    else {
      const cut = symbol.test(word[0]!) ? /(?=[♠♣♥♦♤♧♡♢])/ : /(?<=[♠♣♥♦♤♧♡♢]\uFE0F?)(?!\uFE0F)/
      parts.push(...word.split(cut).filter(Boolean))
    }
    let from = m.index
    parts.forEach((part, i) => {
      const plain = part.toUpperCase().replace(looks, '').replace(/\.+$/, '')
      const label = m[2] !== '' && i === parts.length - 1
      // A dash stands for no cards.
      if (plain !== '' && !/^[-–—]+$/.test(plain)) out.push({ text: part, plain, label, from, to: from + part.length })
      from += part.length
    })
  }
  return out
}

/** How hands are read: the words of the page, the deck, and its reader of single cards. */
export interface HandReader {
  words: Words
  deck: Deck
  read: Reader
}

// The cards of a suit by what the page, the API and other pages call their faces, in this order.
function facesOf({ words: w, deck }: HandReader, suit: Group): Map<string, Card>[] {
  const page = new Map<string, Card>()
  const api = new Map<string, Card>()
  const other = new Map<string, Card>()
  for (const c of deck.cards) {
    if (deck.suit(c) !== suit) continue
    const face = deck.face(c)
    for (const name of [w.face(c), w.faceName(c)]) page.set(name.toUpperCase(), c)
    if (face === '10') page.set('T', c)
    api.set(face, c)
    for (const letter of lettersOf(face)) other.set(letter, c)
  }
  return [page, api, other]
}

// The cards that faces of a suit without anything between them are; null if they are no such faces.
function runOf(faces: readonly Map<string, Card>[], text: string, numbers: boolean): Card[] | null {
  for (const names of faces) {
    const word = names.get(text)
    if (word !== undefined) return [word]
    if (numbers) continue // 145 could be 1 and 4 and 5, or 14 and 5
    const out: Card[] = []
    let rest = text
    while (rest !== '') {
      const found = [2, 1].find((n) => rest.length >= n && names.has(rest.slice(0, n)))
      if (!found) break
      out.push(names.get(rest.slice(0, found))!)
      rest = rest.slice(found)
    }
    if (rest === '' && out.length > 0) return out
  }
  return null
}

// How a suit was named: with a colon, a symbol or a word, with a bare letter, or only with the card before.
type Named = 'sure' | 'word' | 'letter' | 'last'

interface Step extends Meaning {
  tokens: number
  /** The suit that goes on. begins: a letter has just named it, so that a face comes next. */
  group?: { suit: Group; named: Named; begins?: boolean }
}

interface Parse {
  steps: { at: number; tokens: number; meaning: Meaning | null }[]
  bad: number
}

class Parser {
  private readonly suits: Map<string, Group[]>
  private readonly faces = new Map<Group, Map<string, Card>[]>()
  private readonly parses: Parse[] = []
  private readonly reader: HandReader
  readonly tokens: Token[]

  constructor(reader: HandReader, text: string) {
    this.reader = reader
    this.tokens = tokensOf(text)
    this.suits = suitNamesOf(reader.words, reader.deck)
  }

  suitsOf(token: Token): readonly Group[] {
    return this.suits.get(token.plain) ?? []
  }

  run(suit: Group, text: string): Card[] | null {
    let faces = this.faces.get(suit)
    if (!faces) this.faces.set(suit, (faces = facesOf(this.reader, suit)))
    return runOf(faces, text, suit === 'T')
  }

  // Faces of a suit as a meaning; null if they are none.
  private meant(suit: Group, text: string): Meaning | null {
    const cards = this.run(suit, text)
    if (!cards) return null
    const [page, api] = this.faces
      .get(suit)!
      .slice(0, 2)
      .map((names) => runOf([names], text, suit === 'T')?.join())
    return page === api ? { cards } : { cards, letters: page === undefined ? 'api' : 'page' }
  }

  card(from: number, tokens: number): readonly Card[] {
    const texts = this.tokens.slice(from, from + tokens)
    if (texts.length < tokens || texts.some((t) => t.label)) return []
    return this.reader.read(this.reader.words, texts.map((t) => t.plain).join(' '))
  }

  // "AB97.HV10.A.7": spades, hearts, diamonds and clubs.
  dotted(text: string): Card[] | null {
    const parts = text.split('.')
    if (parts.length !== 4) return null
    const cards = parts.map((part, i) => (/^-?$/.test(part) ? [] : this.run('SHDC'[i] as Suit, part)))
    return cards.includes(null) ? null : (cards as Card[][]).flat()
  }

  // Everything that the text can mean from a token on.
  private steps(at: number, group: Step['group'] | undefined): Step[] {
    const token = this.tokens[at]!
    const { plain } = token
    const label = (named: Named): Step[] =>
      this.suitsOf(token).map((suit) => ({
        tokens: 1,
        cards: [],
        suit,
        group: { suit, named, begins: named === 'letter' },
      }))
    if (token.label) return label('sure')
    const cards = (list: readonly Card[], tokens: number, next = group): Step[] =>
      list.map((c) => ({ tokens, cards: [c], ...(next ? { group: next } : {}) }))
    const after = this.tokens[at + 1]
    if (after && /^(OF|VAN)$/.test(after.plain)) {
      const whole = this.card(at, 3)
      if (whole.length > 0) return cards(whole, 3)
    }
    const dotted = this.dotted(plain)
    if (dotted) return [{ tokens: 1, cards: dotted }]
    const named = this.suitsOf(token)
    const whole = this.card(at, 1)
    const run = group && this.meant(group.suit, plain)
    if (named.length > 0 && whole.length === 0 && !run && (plain.length > 1 || symbol.test(plain))) {
      // A suit that no card follows names none.
      return after ? label(symbol.test(plain) ? 'sure' : 'word') : []
    }
    const inGroup: Step[] = run ? [{ ...run, tokens: 1, group: { ...group!, begins: false } }] : []
    if (run && (group!.named === 'sure' || group!.begins)) return inGroup
    const out: Step[] = []
    const first = (c: Card): Step['group'] | undefined =>
      group && group.named !== 'last' ? group : { suit: this.reader.deck.suit(c), named: 'last' }
    for (const c of whole) out.push(...cards([c], 1, first(c)))
    // "SAB97" is several cards of a suit.
    for (const suit of this.suits.get(plain[0]!) ?? []) {
      const glued = plain.length > 2 ? this.meant(suit, plain.slice(1)) : null
      if (glued && glued.cards.length > 1) out.push({ ...glued, tokens: 1, group: { suit, named: 'last' } })
    }
    // "S A B 9 7": a letter before faces.
    if (after && !after.label && (!group || group.named !== 'word' || plain.length > 1))
      out.push(...label('letter').filter((s) => this.run(s.suit!, after.plain)))
    if (out.length === 0 && !run) out.push(...cards(this.card(at, 2), 2))
    // After a list of cards, faces alone go on with the suit of the last one; what is a card by itself does not.
    return group?.named === 'last' && out.some((s) => s.cards.length > 0) ? out : [...inGroup, ...out]
  }

  private walk(at: number, group: Step['group'] | undefined, before: Parse): void {
    if (this.parses.length >= maxReadings) return
    if (at >= this.tokens.length) {
      this.parses.push(before)
      return
    }
    const steps = this.steps(at, group)
    for (const step of steps) {
      const { tokens: _, group: __, ...meaning } = step
      this.walk(at + step.tokens, step.group, {
        steps: [...before.steps, { at, tokens: step.tokens, meaning }],
        bad: before.bad,
      })
    }
    if (steps.length === 0)
      this.walk(at + 1, group, { steps: [...before.steps, { at, tokens: 1, meaning: null }], bad: before.bad + 1 })
  }

  all(): Parse[] {
    this.walk(0, undefined, { steps: [], bad: 0 })
    return this.parses
  }
}

// Whether a hand of some cards can be what a reading says: no card twice, no suit named twice, and not too many cards.
function possible(p: Parse, size: number, twice: boolean): boolean {
  const cards = p.steps.flatMap((s) => s.meaning?.cards ?? [])
  const suits = p.steps.flatMap((s) => s.meaning?.suit ?? [])
  return cards.length <= size && (twice || new Set(cards).size === cards.length) && new Set(suits).size === suits.length
}

const same = (a: Meaning, b: Meaning): boolean => a.suit === b.suit && a.cards.join() === b.cards.join()

/** Reads the hand of a player, or a list of at most size cards, in which a card can be twice. */
export function readHand(reader: HandReader, text: string, size: number, twice = false): Piece[] {
  const parser = new Parser(reader, text)
  let parses = parser.all()
  const least = Math.min(...parses.map((p) => p.bad))
  parses = parses.filter((p) => p.bad === least)
  const may = parses.filter((p) => possible(p, size, twice))
  if (may.length > 0) parses = may
  // A hand is written in the letters of one language.
  const pure = parses.filter((p) => new Set(p.steps.flatMap((s) => s.meaning?.letters ?? [])).size < 2)
  if (pure.length > 0) parses = pure
  const cardsOf = (p: Parse) => p.steps.flatMap((s) => s.meaning?.cards ?? []).join()
  parses = parses.filter((p, i) => parses.findIndex((q) => cardsOf(q) === cardsOf(p)) === i)
  const [shown] = parses
  return shown!.steps.map((step) => {
    const meanings: Meaning[] = []
    for (const p of parses) {
      const there = p.steps.find((s) => s.at === step.at)?.meaning
      if (there && !meanings.some((m) => same(m, there))) meanings.push(there)
    }
    const from = parser.tokens[step.at]!.from
    const to = parser.tokens[step.at + step.tokens - 1]!.to
    return { text: text.slice(from, to), from, to, meanings }
  })
}

/** The names of the players: in capitals, and whom they name. */
export type Names<K extends string> = Record<string, K>

/** The part of a text that is the hand of a player; what stands before the first name is nobody's. */
export interface Part<K> {
  whose: K | null
  from: number
  to: number
}

/**
 * The hands of a text that names players, such as "N: ... O: ... Z: ... W: ..."; null if it names none. order is the
 * order of the players in "N:AB97.HV10.A.7 ...", in which only the first is named.
 */
export function splitHands<K extends string>(
  reader: HandReader,
  text: string,
  names: Names<K>,
  order: readonly K[],
): Part<K>[] | null {
  const parser = new Parser(reader, text)
  const { tokens } = parser
  const playerOf = (t: Token): K | undefined => (t.label || t.plain.length > 2 ? names[t.plain] : undefined)
  const cuts: { whose: K; begin: number; from: number; to: number }[] = []
  let suits = new Set<Group>() // that the hand has named
  const surely = tokens.some((t) => playerOf(t) !== undefined && parser.suitsOf(t).length === 0)
  tokens.forEach((token, i) => {
    const player = playerOf(token)
    const [suit] = parser.suitsOf(token)
    const next = tokens[i + 1]
    let named = player !== undefined
    if (player !== undefined && suit !== undefined) {
      // S is South, or the spades of a hand.
      const begins = cuts.at(-1)?.begin === i - 1
      const faces = next !== undefined && !next.label && parser.run(suit, next.plain) !== null
      const dotted = next !== undefined && parser.dotted(next.plain) !== null
      named = dotted || (surely && !begins && next !== undefined && (suits.has(suit) || !faces))
    }
    if (named) {
      cuts.push({ whose: player!, begin: i, from: token.from, to: token.to })
      suits = new Set()
    } else if (suit !== undefined) suits.add(suit)
  })
  if (cuts.length === 0) return null
  const trimmed = (whose: K | null, begin: number, end: number): Part<K> => {
    const part = text.slice(begin, end)
    const from = begin + /^[\s:=([{,;|]*/.exec(part)![0].length
    return { whose, from, to: Math.max(from, end - /[\s,;|/()[\]{}]*$/.exec(part)![0].length) }
  }
  const parts = cuts.map(({ whose, to }, i) => trimmed(whose, to, cuts[i + 1]?.from ?? text.length))
  const before = trimmed(null, 0, cuts[0]!.from)
  if (before.to > before.from) return [before, ...parts]
  const [first] = parts
  const words = [...text.slice(first!.from).matchAll(/\S+/g)]
  if (parts.length === 1 && words.length > 1 && words.every(([x]) => x === '-' || parser.dotted(x.toUpperCase())))
    return words.slice(0, order.length).map(([x], i) => {
      const from = first!.from + words[i]!.index
      const whose = order[(order.indexOf(first!.whose!) + i) % order.length]!
      return { whose, from, to: from + (x === '-' ? 0 : x.length) }
    })
  return parts
}
