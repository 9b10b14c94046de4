// The entering of a deal: a line for each hand, and those for the play, and what is written in them. The games say which hands there are and
// what may be played.

import { type HandReader, type Names, type Piece, readHand, splitHands } from './hands'
import type { LaterKey } from './laterwords-en'
import type { Words } from './words'

type Card = number

/** A line: whose cards, and how many. */
export interface Line<K extends string> {
  id: K
  /** On the line, and the letter on the cards. */
  name: string
  letter: string
  label: string
  size: number
  /** How many cards there must be at least; size if it is left out. */
  least?: number
  /** Whether the line fills itself with what is left when the other lines are full. */
  rest?: boolean
}

/** Cards of the deal of which the rules know which may come next: those that were played, or put aside before. */
export interface PlayLine<P> {
  id: string
  name: string
  label: string
  /** How many cards there are at the end; Infinity if there is no end. */
  size: number
  /** Its own reader, if more than cards can be written in it. */
  reader?: HandReader
  /** It stays when the hands are changed. */
  stays?: boolean
  /** A card can be in it twice. */
  twice?: boolean
  /** All of its cards are there, or none. */
  all?: boolean
  /** Where it begins: with the hands, and where the play line before it ends. */
  start(hands: Record<string, Card[]>, before: P | null): P
  play(p: P, c: Card): P
  /** The card that comes next without being chosen; if it is left out, the only one that may. */
  forced?(p: P): Card | undefined
  /** The cards that may be played, none at the end. */
  legal(p: P): readonly Card[]
  whose(p: P): string
  /** Who is to play, where it is not one of the lines. */
  turn?(p: P): string
  /** Why a card may not be played. */
  whyNot(p: P, c: Card): string
  /** Where the play is. */
  says(p: P): string
}

export interface PickerGame<K extends string, P> {
  reader: HandReader
  /** A card as it is written into a line. */
  write(c: Card): string
  lines: readonly Line<K>[]
  names: Names<K>
  /** The players in the order of the deal. */
  order: readonly K[]
  /** The deck as it is shown. */
  rows: readonly (readonly Card[])[]
  /** What happened with the cards, in its order. A line begins when the one before it is full. */
  plays?: readonly PlayLine<P>[]
}

export const forcedOf = <P>(play: PlayLine<P>, p: P): Card | undefined => {
  if (play.forced) return play.forced(p)
  const legal = play.legal(p)
  return legal.length === 1 ? legal[0] : undefined
}

export type Texts = Record<string, string>

interface Read {
  cards: Card[]
  errors: string[]
  unclear: Piece | null
  pieces: Piece[]
}

export interface Picked<P> {
  read: Record<string, Read>
  /** The line that has each card. */
  holder: Map<Card, string>
  /** The hands have all their cards, and nothing in them is wrong. */
  whole: boolean
  /** Something is wrong or missing. */
  wrong: boolean
  /** Where each play line ends; of those that can be filled. */
  at: Map<string, P>
  /** Where the last of them ends, and the cards of the last play line. */
  position: P | null
  played: Card[]
}

/** What a picker keeps while it is open. */
export interface Picking {
  texts: Texts
  marked: string
  /** The line that has filled itself. */
  auto?: string | undefined
}

/** Says why something cannot be read. */
export type Tell = (key: LaterKey, vars?: Record<string, string | number>) => string

export function readLines<K extends string, P>(
  game: PickerGame<K, P>,
  tell: Tell,
  texts: Texts,
): { read: Record<string, Read>; holder: Map<Card, string> } {
  const holder = new Map<Card, string>()
  const read: Record<string, Read> = {}
  const { words } = game.reader
  for (const line of game.lines) {
    const text = texts[line.id] ?? ''
    const pieces = readHand(game.reader, text, line.size)
    const here: Read = { cards: [], errors: [], unclear: null, pieces }
    read[line.id] = here
    for (const piece of pieces) {
      const short = piece.text.slice(0, 12)
      const [meaning, another] = piece.meanings
      if (!meaning) here.errors.push(tell('enterBad', { text: short }))
      else if (another) {
        here.unclear ??= piece
        here.errors.push(tell('enterUnclear', { text: short }))
      }
      for (const c of another ? [] : (meaning?.cards ?? [])) {
        const card = words.card(c)
        const other = holder.get(c)
        if (other === line.id) here.errors.push(tell('enterSame', { card }))
        else if (other !== undefined)
          here.errors.push(tell('enterTwice', { card, place: game.lines.find((l) => l.id === other)!.name }))
        else if (here.cards.length === line.size) here.errors.push(tell('enterMany', { card, n: line.size }))
        else {
          holder.set(c, line.id)
          here.cards.push(c)
        }
      }
    }
  }
  return { read, holder }
}

// What stands before the cards that were played, in a text with the hands.
export const playedLabel = /(?:^|[\s;,])(?:played|play|tricks|gespeeld|spel|slagen)\s*[:=]/i
const numbered = /(^|\n|\s{2}|;)(\s*(?:slag|trick)?\s*\d{1,2}[.:)])(?=\s)/gi

// The cards that were played: in their order, with the numbers of tricks and the names of players where they are written.
function readPlay<K extends string, P>(
  game: PickerGame<K, P>,
  play: PlayLine<P>,
  tell: Tell,
  text: string,
  begin: P,
): { read: Read; position: P } {
  const plain = text.replace(numbered, (whole) => ' '.repeat(whole.length))
  const players = Object.fromEntries(Object.entries(game.names).filter(([, k]) => game.order.includes(k))) as Names<K>
  const parts = splitHands(game.reader, plain, players, game.order) ?? [{ whose: null, from: 0, to: plain.length }]
  const read: Read = { cards: [], errors: [], unclear: null, pieces: [] }
  let position = begin
  const { words } = play.reader ?? game.reader
  for (const part of parts) {
    let named = part.whose
    for (const found of readHand(play.reader ?? game.reader, plain.slice(part.from, part.to), play.size, play.twice)) {
      const piece = { ...found, from: found.from + part.from, to: found.to + part.from }
      read.pieces.push(piece)
      if (read.errors.length > 0) continue // what follows cannot be checked
      const may = piece.meanings.filter((m) => m.cards.length !== 1 || play.legal(position).includes(m.cards[0]!))
      const meanings = may.length > 0 ? may : piece.meanings
      const text = piece.text.slice(0, 12)
      if (meanings.length === 0) read.errors.push(tell('enterBad', { text }))
      else if (meanings.length > 1) {
        read.unclear = { ...piece, meanings }
        read.errors.push(tell('enterUnclear', { text }))
      } else
        for (const c of meanings[0]!.cards) {
          const whose = play.whose(position)
          if (play.legal(position).length === 0)
            read.errors.push(tell('enterMany', { card: words.card(c), n: play.size }))
          else if (named !== null && named !== whose)
            read.errors.push(
              tell('enterTurn', {
                card: words.card(c),
                place: play.turn?.(position) ?? game.lines.find((l) => l.id === whose)!.name,
              }),
            )
          else if (!play.legal(position).includes(c)) read.errors.push(play.whyNot(position, c))
          else {
            position = play.play(position, c)
            read.cards.push(c)
          }
          named = null
          if (read.errors.length > 0) break
        }
    }
  }
  return { read, position }
}

/** Reads what is in the lines. */
export function pick<K extends string, P>(game: PickerGame<K, P>, tell: Tell, texts: Texts): Picked<P> {
  const { read, holder } = readLines(game, tell, texts)
  const short = game.lines.some((l) => read[l.id]!.cards.length < (l.least ?? l.size))
  const bad = game.lines.some((l) => read[l.id]!.errors.length > 0)
  const whole = !short && !bad
  const at = new Map<string, P>()
  const plays = game.plays ?? []
  let position: P | null = null
  let wrong = !whole
  const hands = Object.fromEntries(game.lines.map((l) => [l.id, read[l.id]!.cards]))
  for (const [i, play] of plays.entries()) {
    const before = plays[i - 1]
    const text = texts[play.id] ?? ''
    if (!whole || (before && read[before.id]!.cards.length < before.size)) {
      const bad = whole && text.trim() !== ''
      read[play.id] = {
        cards: [],
        errors: bad ? [tell('enterBefore', { place: before!.name })] : [],
        unclear: null,
        pieces: [],
      }
      wrong ||= bad
      continue
    }
    const now: { read: Read; position: P } = readPlay(game, play, tell, text, play.start(hands, position))
    read[play.id] = now.read
    position = now.position
    at.set(play.id, now.position)
    const n = now.read.cards.length
    wrong ||= now.read.errors.length > 0 || (play.all === true && n > 0 && n < play.size)
  }
  const last = plays.at(-1)
  return { read, holder, whole, wrong, at, position, played: last ? read[last.id]!.cards : [] }
}

/** The line of the play in a game of tricks. whyNot is empty for a card that may be played, turnText at the end. */
export const tricksLine = <P extends { tricks: readonly unknown[] }>(
  w: Words,
  turnText: (p: P) => string,
  of: Omit<PlayLine<P>, 'id' | 'name' | 'label' | 'says'>,
): PlayLine<P> => ({
  id: 'played',
  name: w.t('enterPlayed'),
  label: w.t('enterPlayedLabel'),
  says(p) {
    const turn = turnText(p)
    return turn ? `${w.t('trickN', { n: p.tricks.length + 1 })}: ${turn}` : w.t('finishedWhy')
  },
  ...of,
  whyNot(p, c) {
    const why = of.whyNot(p, c)
    return why && w.t('saidRefused', { card: w.card(c), why })
  },
})
