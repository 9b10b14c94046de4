// The state in which a deal is entered: cards are typed, pasted or tapped into its lines, and what was left unfinished is there again.

import { useMemo, useRef, useState } from 'preact/hooks'
import { symbols } from './cards'
import { type Picking, type PickerGame, type Tell, type Texts, forcedOf, pick, playedLabel, readLines } from './entry'
import { useWords } from './frame'
import { type Piece, readHand, splitHands } from './hands'

type Card = number

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

const replaced = (text: string, piece: Piece, by: string): string =>
  text.slice(0, piece.from) + by + text.slice(piece.to)

// The text without a card; what stands with it in one piece is written out.
function without<K extends string, P>(game: PickerGame<K, P>, text: string, pieces: readonly Piece[], c: Card): string {
  const piece = pieces.find((p) => p.meanings.length === 1 && p.meanings[0]!.cards.includes(c))
  if (!piece) return text
  const others = piece.meanings[0]!.cards.filter((x) => x !== c)
  return replaced(text, piece, others.map(game.write).join(' ')).replace(/ {2,}/g, ' ').trim()
}

const textOf = (of: Texts, id: string): string => of[id] ?? ''

// The texts without what the picker began with and another deal does not have: the play lines after a line that was changed.
function freshOf<K extends string, P>(
  { lines, plays = [] }: PickerGame<K, P>,
  began: Texts,
  texts: Texts,
  next: Texts,
  given: readonly string[],
): Texts {
  const out = { ...next }
  let other = lines.some((l) => textOf(next, l.id) !== textOf(texts, l.id))
  for (const { id, stays } of plays) {
    if (other && !stays && !given.includes(id) && textOf(next, id) === textOf(began, id)) out[id] = ''
    other ||= textOf(next, id) !== textOf(texts, id)
  }
  return out
}

// The line that follows a full one: the next one that is not, and at last what happened then.
function following<K extends string, P>(game: PickerGame<K, P>, tell: Tell, next: Texts, from: string): string {
  const then = pick(game, tell, next)
  const line = game.lines.find((l) => l.id === from)
  if (!line || then.read[from]!.cards.length < line.size) return from
  const open = game.lines.find((l) => then.read[l.id]!.cards.length < l.size)
  return open?.id ?? (then.whole ? game.plays?.[0]?.id : undefined) ?? from
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
  const fresh = (next: Texts, given: readonly string[] = []) => freshOf(game, began.texts, texts, next, given)
  // Changes the lines. edited is the line that was typed into, given are all that were; full goes on from a line that is
  // now full.
  const set = (next: Texts, marked: string, edited: string | null, full = false, given: readonly string[] = []) => {
    const typed = fresh(next, given)
    const after = filled(game, tell, { texts: typed, marked, auto: now.current.auto }, edited)
    show({ ...after, marked: full ? following(game, tell, after.texts, marked) : marked })
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
      const { suit, cards } = piece.meanings[i]!
      const by = suit ? (suit === 'T' ? 'T:' : symbols[suit] + ' ') : cards.map(game.write).join(' ')
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

export type PickerState = ReturnType<typeof usePicker<string, unknown>>

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

export type Entry<K extends string, P> = Omit<ReturnType<typeof useEntry<unknown, K, P>>, 'contract' | 'choose'>
