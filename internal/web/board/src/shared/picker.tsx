// The entering of a deal: a line for each hand, and one for the play, into which cards are typed, pasted or tapped in the
// deck. The games say which hands there are and what may be played.

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { symbols } from './cards'
import { Dialog } from './dialog'
import { useWords } from './frame'
import { type HandReader, type Meaning, type Names, type Piece, readHand, splitHands } from './hands'
import type { LaterKey } from './laterwords-en'
import { type Choice, Which } from './which'
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

const forcedOf = <P,>(play: PlayLine<P>, p: P): Card | undefined => {
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

/** What is typed, with a line that fills itself: not the one that was edited. */
function filled<K extends string, P>(
  game: PickerGame<K, P>,
  tell: Tell,
  { texts, auto }: Picking,
  edited: string | null,
): Pick<Picking, 'texts' | 'auto'> {
  const typed = auto && auto !== edited ? { ...texts, [auto]: '' } : texts
  const { read } = readLines(game, tell, typed)
  const open = game.lines.filter((l) => l.rest && read[l.id]!.cards.length < l.size)
  const [last] = open
  if (open.length !== 1 || last!.id === edited || (typed[last!.id] ?? '').trim() !== '') return { texts: typed }
  const others = game.lines.filter((l) => l !== last)
  if (others.some((l) => read[l.id]!.errors.length > 0 || read[l.id]!.cards.length < (l.least ?? l.size)))
    return { texts: typed }
  const used = new Set(others.flatMap((l) => read[l.id]!.cards))
  const rest = game.reader.deck.cards.filter((c) => !used.has(c))
  if (rest.length > last!.size) return { texts: typed }
  return { texts: { ...typed, [last!.id]: rest.map(game.write).join(' ') }, auto: last!.id }
}

type Tell = (key: LaterKey, vars?: Record<string, string | number>) => string

function readLines<K extends string, P>(
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
const playedLabel = /(?:^|[\s;,])(?:played|play|tricks|gespeeld|spel|slagen)\s*[:=]/i
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

const replaced = (text: string, piece: Piece, by: string): string =>
  text.slice(0, piece.from) + by + text.slice(piece.to)

// The text without a card; what stands with it in one piece is written out.
function without<K extends string, P>(game: PickerGame<K, P>, text: string, pieces: readonly Piece[], c: Card): string {
  const piece = pieces.find((p) => p.meanings.length === 1 && p.meanings[0]!.cards.includes(c))
  if (!piece) return text
  const others = piece.meanings[0]!.cards.filter((x) => x !== c)
  return replaced(text, piece, others.map(game.write).join(' ')).replace(/ {2,}/g, ' ').trim()
}

/** What a picker keeps while it is open. */
export interface Picking {
  texts: Texts
  marked: string
  /** The line that has filled itself. */
  auto?: string | undefined
}

/** The state of a picker, and what its parts do. */
export function usePicker<K extends string, P>(game: PickerGame<K, P>, began: Picking, keep: (p: Picking) => void) {
  const w = useWords()
  const [{ texts, marked: mark }, setState] = useState<Picking>(began)
  const now = useRef(began) // a field that gets the focus marks its line before the page is drawn again
  const tell: Tell = (key, vars) => w.t(key, vars)
  const { lines, plays = [] } = game
  const show = (next: Picking) => {
    now.current = next
    keep(next)
    setState(next)
  }
  const textOf = (of: Texts, id: string): string => of[id] ?? ''
  // Without what the picker began with and another deal does not have: the play lines after a line that was changed.
  const fresh = (next: Texts, given: readonly string[] = []): Texts => {
    const out = { ...next }
    let other = lines.some((l) => textOf(next, l.id) !== textOf(texts, l.id))
    for (const { id, stays } of plays) {
      if (other && !stays && !given.includes(id) && textOf(next, id) === textOf(began.texts, id)) out[id] = ''
      other ||= textOf(next, id) !== textOf(texts, id)
    }
    return out
  }
  // Changes the lines. edited is the line that was typed into, given are all that were; full goes on from a line that is
  // now full.
  const set = (next: Texts, marked: string, edited: string | null, full = false, given: readonly string[] = []) => {
    const typed = fresh(next, given)
    const after = filled(game, tell, { texts: typed, marked, auto: now.current.auto }, edited)
    show({ ...after, marked: full ? following(after.texts, marked) : marked })
  }
  // The line that follows a full one: the next one that is not, and at last what happened then.
  const following = (next: Texts, from: string): string => {
    const then = pick(game, tell, next)
    const line = lines.find((l) => l.id === from)
    if (!line || then.read[from]!.cards.length < line.size) return from
    const open = lines.find((l) => then.read[l.id]!.cards.length < l.size)
    return open?.id ?? (then.whole ? plays[0]?.id : undefined) ?? from
  }
  const picked = pick(game, tell, texts)
  const known = lines.some((l) => l.id === mark) || picked.at.has(mark)
  const marked = known ? mark : lines[0]!.id
  const playing = plays.find((l) => l.id === marked)
  // The line from which the last card is taken back.
  const last = playing ?? plays.findLast((l) => (picked.read[l.id]?.cards.length ?? 0) > 0)
  return {
    texts,
    picked,
    marked,
    mark: (id: string) => show({ ...now.current, marked: id }),
    clear: () => show({ texts: {}, marked: lines[0]!.id }),
    replace: (next: Texts) => show({ texts: next, marked }),
    /** The text of a line after it was typed. A text that names players goes to their lines. Returns the last of them. */
    type(id: string, typed: string): string {
      const play = plays.at(-1)
      const cut = play && play.id !== id ? playedLabel.exec(typed) : null
      const text = cut ? typed.slice(0, cut.index) : typed
      const parts = id === play?.id ? null : splitHands(game.reader, text, game.names, game.order)
      const own = (parts ?? []).filter((p) => [...lines, ...plays].some((l) => l.id === (p.whose ?? id)))
      if (!cut && own.length === 0) {
        set({ ...texts, [id]: text }, marked, id)
        return id
      }
      const next = { ...texts }
      if (own.length > 0 || text.trim() !== '') next[id] = own.length > 0 ? '' : text
      for (const p of own) {
        const there = text.slice(p.from, p.to)
        if (there !== '' || p.whose === null) next[p.whose ?? id] = there
      }
      if (cut) next[play!.id] = typed.slice(cut.index + cut[0].length).trim()
      const last = cut ? play!.id : (own.at(-1)!.whose ?? id)
      set(next, last, last, false, [...own.map((p) => p.whose ?? id), last])
      return last
    },
    /** Whether a text is all that a line holds, or names players: what is pasted then takes the place of what was there. */
    whole(id: string, text: string): boolean {
      const line = lines.find((l) => l.id === id)
      if (!line) return false
      const cards = readHand(game.reader, text, line.size).flatMap((p) => p.meanings[0]?.cards ?? [])
      return cards.length >= line.size || splitHands(game.reader, text, game.names, game.order)?.[0]?.whose != null
    },
    /** Answers what a piece of a line means. */
    answer(id: string, piece: Piece, i: number) {
      const meaning = piece.meanings[i]!
      const by = meaning.suit
        ? meaning.suit === 'T'
          ? 'T:'
          : symbols[meaning.suit] + ' '
        : meaning.cards.map(game.write).join(' ')
      const text = texts[id] ?? ''
      set({ ...texts, [id]: replaced(text, piece, by) }, id, id)
    },
    /** Taps a card of the deck. */
    choose(c: Card) {
      if (playing) {
        const position = picked.at.get(marked)
        if (position === undefined || !playing.legal(position).includes(c)) return
        const cards = [c]
        // A card that is not chosen needs no tap.
        let p = playing.play(position, c)
        for (let next = forcedOf(playing, p); next !== undefined; next = forcedOf(playing, p)) {
          cards.push(next)
          p = playing.play(p, next)
        }
        const text = [textOf(texts, marked).trim(), ...cards.map(game.write)].filter(Boolean).join(' ')
        const full = picked.read[marked]!.cards.length + cards.length >= playing.size
        const then = full ? plays[plays.indexOf(playing) + 1]?.id : undefined
        return show({ ...now.current, texts: fresh({ ...texts, [marked]: text }), marked: then ?? marked })
      }
      const held = picked.holder.get(c)
      const next = { ...texts }
      if (held !== undefined) next[held] = without(game, texts[held] ?? '', picked.read[held]!.pieces, c)
      if (held !== marked) next[marked] = [(next[marked] ?? '').trim(), game.write(c)].filter(Boolean).join(' ')
      set(next, marked, null, held !== marked)
    },
    /** The play line from which back takes a card. */
    last,
    /** Takes the last card of a play line back that was a choice. */
    back() {
      if (!last) return
      const i = plays.indexOf(last)
      const hands = Object.fromEntries(lines.map((l) => [l.id, picked.read[l.id]!.cards]))
      const begin = last.start(hands, i > 0 ? picked.at.get(plays[i - 1]!.id)! : null)
      let { cards } = picked.read[last.id]!
      do cards = cards.slice(0, -1)
      while (cards.length > 0 && forcedOf(last, cards.reduce(last.play, begin)) !== undefined)
      show({ ...now.current, marked: last.id, texts: fresh({ ...texts, [last.id]: cards.map(game.write).join(' ') }) })
    },
  }
}

type PickerState = ReturnType<typeof usePicker<string, unknown>>

/** Asks what a piece of a hand means. choose gets the number of the meaning. */
function WhichMeaning({ piece, words, choose }: { piece: Piece; words: Words; choose(i: number): void }) {
  const w = useWords()
  const choice = ({ cards, suit }: Meaning): Choice => {
    if (suit === 'T') return { id: suit, name: 'tarok', brief: '' }
    if (suit) return { id: suit, name: words.suit(suit), brief: symbols[suit] }
    return {
      id: cards.join('-'),
      name: cards.map((c) => words.card(c)).join(', '),
      brief: cards.map((c) => words.brief(c)).join(' '),
    }
  }
  const cards = piece.meanings.every((m) => m.cards.length === 1)
  const question = w.t(cards ? 'which' : 'whichMeant', { text: piece.text.slice(0, 12) })
  return <Which question={question} choices={piece.meanings.map(choice)} choose={choose} />
}

/** The line of a hand or of the play. */
function LineField({
  id,
  name,
  label,
  count,
  of,
  state,
  reader,
  disabled,
}: {
  id: string
  name: string
  label: string
  count: number
  of: number
  state: PickerState
  reader: HandReader
  disabled?: boolean
}) {
  const w = useWords()
  const { errors, unclear } = state.picked.read[id] ?? { errors: [], unclear: null }
  const change = (text: string) => {
    const at = state.type(id, text)
    if (at !== id) document.getElementById('enter-' + at)?.focus()
  }
  return (
    <div class={'enter-hand' + (state.marked === id ? ' marked' : '')}>
      <button
        type="button"
        class="enter-name"
        data-line={id}
        tabIndex={-1}
        aria-pressed={state.marked === id}
        aria-disabled={disabled}
        onClick={() => !disabled && state.mark(id)}>
        {name}
      </button>
      <input
        id={'enter-' + id}
        aria-label={label}
        value={state.texts[id] ?? ''}
        disabled={disabled}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        aria-invalid={errors.length > 0}
        aria-describedby={`enter-${id}-says`}
        onFocus={() => state.mark(id)}
        onInput={(e) => change(e.currentTarget.value)}
        onPaste={(e) => {
          e.preventDefault()
          // A field of one line would join the last word of a line to the first one of the next.
          const text = (e.clipboardData?.getData('text/plain') ?? '').trim().replace(/\s*\n\s*/g, '  ')
          const { value, selectionStart: from, selectionEnd: to } = e.currentTarget
          change(state.whole(id, text) ? text : value.slice(0, from ?? 0) + text + value.slice(to ?? value.length))
        }}
      />
      <p id={`enter-${id}-says`} class={errors.length > 0 ? 'bad' : 'hint'}>
        {errors.length > 0 ? errors.join(' ') : of === Infinity ? count : w.t('enterCount', { n: count, of })}
      </p>
      {unclear && (
        <WhichMeaning
          piece={unclear}
          words={reader.words}
          choose={(i) => {
            state.answer(id, unclear, i)
            document.getElementById('enter-' + id)!.focus()
          }}
        />
      )}
    </div>
  )
}

/** The lines of the hands and of the play. */
function Lines<K extends string, P>({ game, state }: { game: PickerGame<K, P>; state: PickerState }) {
  const { picked } = state
  return (
    <>
      {game.lines.map((l) => (
        <LineField
          key={l.id}
          id={l.id}
          name={l.name}
          label={l.label}
          count={picked.read[l.id]!.cards.length}
          of={l.size}
          state={state}
          reader={game.reader}
        />
      ))}
      {(game.plays ?? []).map((l) => (
        <LineField
          key={l.id}
          id={l.id}
          name={l.name}
          label={l.label}
          count={picked.read[l.id]!.cards.length}
          of={l.size}
          state={state}
          reader={game.reader}
          disabled={!picked.at.has(l.id) && (state.texts[l.id] ?? '').trim() === ''}
        />
      ))}
    </>
  )
}

/** The deck, whose cards go to the line that is marked, or are played. */
function Deck<K extends string, P>({ game, state }: { game: PickerGame<K, P>; state: PickerState }) {
  const w = useWords()
  const { words, deck } = game.plays?.find((l) => l.reader)?.reader ?? game.reader
  const { picked, marked, last } = state
  const playing = game.plays?.find((l) => l.id === marked)
  const here = picked.at.get(marked) as P | undefined
  const legal = playing && here !== undefined ? playing.legal(here) : []
  // Where the play is: at the marked line, or else at the last one that can be filled.
  const shown = playing ?? game.plays?.findLast((l) => picked.at.has(l.id))
  return (
    <fieldset class="deck">
      <legend>{w.t('cards')}</legend>
      {game.rows.map((row, i) => (
        <div key={i} class={'deck-row' + (row.length < 4 ? ' few' : '')}>
          {row.map((c) => {
            const held = picked.holder.get(c)
            const line = game.lines.find((l) => l.id === held)
            const suit = deck.suit(c)
            const may = !playing || legal.includes(c)
            const kind = playing
              ? may
                ? ' mine'
                : ' taken'
              : held === undefined
                ? ''
                : ' taken' + (held === marked ? ' mine' : '')
            const card = words.card(c)
            return (
              <button
                type="button"
                key={c}
                class={`pick suit-${suit}${kind}${playing && line && !may && picked.read[marked]!.cards.includes(c) ? ' gone' : ''}`}
                data-pick={deck.more(c)[0]}
                aria-disabled={!may}
                onClick={() => state.choose(c)}>
                <span class="vh">{line ? w.t('cardWith', { card, place: line.name }) : w.t('cardFree', { card })}</span>
                <span aria-hidden="true">
                  {words.face(c)}
                  {suit === 'T' ? '' : symbols[suit]}
                  <small>{line?.letter ?? ''}</small>
                </span>
              </button>
            )
          })}
        </div>
      ))}
      {game.plays && (
        <div class="deck-row play-says">
          <p role="status" id="enter-status">
            {shown && picked.at.has(shown.id) ? shown.says(picked.at.get(shown.id) as P) : ''}
          </p>
          <button
            type="button"
            id="enter-back"
            aria-disabled={!last || picked.read[last.id]!.cards.length === 0}
            onClick={() => last && picked.read[last.id]!.cards.length > 0 && state.back()}>
            {w.t('undo')}
          </button>
        </div>
      )}
    </fieldset>
  )
}

/** What was left unfinished in the dialog: the lines, and the contract. */
export interface Draft<C> extends Picking {
  contract: C
}
let left: { over: string; draft: Draft<unknown> } | null = null

/**
 * What the dialog begins with: what was left unfinished over the same board, or else what fresh says. keep keeps what is
 * there, done forgets it.
 */
export function useDraft<C>(over: string, fresh: () => Draft<C>) {
  const began = useMemo(() => (left?.over === over ? (left.draft as Draft<C>) : fresh()), [])
  return {
    began,
    keep(change: Partial<Draft<C>>) {
      const draft = left?.over === over ? (left.draft as Draft<C>) : began
      left = { over, draft: { ...draft, ...change } }
    },
    done() {
      left = null
    },
  }
}

/**
 * What is entered in a dialog: the lines, and the contract, which choose changes. Another contract does not have the
 * play that the dialog began with, unless it keeps it.
 */
export function useEntry<C, K extends string, P>(
  over: string,
  fresh: () => Draft<C>,
  gameOf: (contract: C) => PickerGame<K, P>,
) {
  // What is left unfinished is written in the language of the page.
  const { began, keep, done } = useDraft<C>(useWords().lang + over, fresh)
  const [contract, setContract] = useState(began.contract)
  const game = gameOf(contract)
  const state = usePicker(game, began, keep)
  return {
    contract,
    game,
    state,
    picked: state.picked,
    done,
    choose(change: Partial<C>, keeps = false) {
      const next = { ...contract, ...change }
      if (!keeps) {
        const texts = { ...state.texts }
        for (const { id, stays } of game.plays ?? []) if (!stays && texts[id] === began.texts[id]) texts[id] = ''
        state.replace(texts)
      }
      keep({ contract: next })
      setContract(next)
    },
  }
}

type Entry<K extends string, P> = Omit<ReturnType<typeof useEntry<unknown, K, P>>, 'contract' | 'choose'>

/** A choice of the contract, as buttons. */
export function EnterChoice<T extends string>({
  name,
  id,
  list,
  value,
  text,
  choose,
  children,
}: {
  name: string
  id: string
  list: readonly T[]
  value: T
  text(t: T): string
  choose(t: T): void
  children(t: T): ComponentChildren
}) {
  return (
    <div class="enter-choice">
      <span aria-hidden="true">{name}</span>
      <div class={'segments ' + id} role="group" aria-label={name}>
        {list.map((x) => (
          <button
            type="button"
            key={x}
            id={`enter-${id}-${x}`}
            aria-pressed={value === x}
            title={text(x)}
            onClick={() => choose(x)}>
            <span class="vh">{text(x)}</span>
            <span aria-hidden="true">{children(x)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** The dialog in which something is entered: children are above the lines, after is below the deck. */
export function EnterForm<K extends string, P>({
  title,
  hint,
  forms,
  entry: { game, state, picked, done },
  wrong = false,
  close,
  use,
  children,
  after,
}: {
  title: string
  hint: string
  /** How hands can be written: left out on a phone. */
  forms: string
  entry: Entry<K, P>
  /** Whether more is wrong than what is in the lines. */
  wrong?: boolean
  close(): void
  /** Uses the cards of the lines. */
  use(cards: Record<string, Card[]>): void
  /** The contract. */
  children?: ComponentChildren
  after?: ComponentChildren
}) {
  const bad = picked.wrong || wrong
  const w = useWords()
  // On a phone the field would bring its keyboard, over the deck.
  useEffect(() => {
    if (matchMedia('(pointer: coarse)').matches) document.querySelector<HTMLElement>('#enter-dialog-title')!.focus()
  }, [])
  return (
    <Dialog title={title} id="enter-dialog" close={close} wide>
      <form
        method="dialog"
        onSubmit={(e) => {
          e.preventDefault()
          if (bad) return
          // Before the page is drawn again, which would take the form away.
          e.currentTarget.closest('dialog')!.close()
          done()
          use(Object.fromEntries(Object.entries(picked.read).map(([id, r]) => [id, r.cards])))
        }}>
        <p class="hint">
          {hint} <span class="forms">{forms}</span>
        </p>
        <div class="enter-contract">{children}</div>
        <Lines game={game} state={state} />
        <Deck game={game} state={state} />
        {after}
        <div class="row end">
          <button type="button" onClick={state.clear}>
            {w.t('clear')}
          </button>
          <button type="submit" class="main" id="use-deal" aria-disabled={bad}>
            {w.t('use')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
