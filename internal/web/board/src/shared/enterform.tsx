// The dialog in which a deal is entered: its choices, its lines, and the deck.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { symbols } from './cards'
import { Dialog } from './dialog'
import type { PickerGame } from './entry'
import { useWords } from './frame'
import type { HandReader, Meaning, Piece } from './hands'
import type { Entry, PickerState } from './picker'
import { type Choice, Which } from './which'
import type { Words } from './words'

type Card = number

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
