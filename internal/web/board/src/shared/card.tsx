// A card as a button, and in running text.

import type { ComponentChildren } from 'preact'
import { CardFace } from './art'
import { type Card, suitOf, symbols, wire } from './cards'
import { useWords } from './frame'
import type { Mark } from './standing'
import type { Words } from './words'

/** How a card of a hand looks: large, and small. */
export function Face({ card: c }: { card: Card }) {
  const w = useWords()
  return (
    <>
      <CardFace card={c} shown={w.face(c)} />
      <span class={`mini suit-${suitOf(c)}`} aria-hidden="true">
        {w.face(c)}
        <span>{symbols[suitOf(c)]}</span>
      </span>
    </>
  )
}

/** A card of the pack of 32 in a hand. */
export const inHand = (w: Words, c: Card) => ({ w, card: c, code: wire(c), face: <Face card={c} /> })

interface Pressed<C> {
  card: C
  /** The card as the API writes it, and how it looks. */
  code: string
  face: ComponentChildren
  /** Whether it can be played. */
  may: boolean
  /** The card of the hand that the Tab key reaches. */
  stop: C | undefined
  play(c: C): void
  focus(c: C): void
}

/** A card of a hand, which can be played. What is said of it is its label; what is shown below it are its children. */
export function CardButton<C>({
  card,
  code,
  face,
  label,
  classes,
  may,
  stop,
  play,
  focus,
  children,
}: Pressed<C> & { label: string; classes: string; children?: ComponentChildren }) {
  return (
    <button
      type="button"
      class={'card' + classes}
      data-card={code}
      aria-disabled={!may}
      tabIndex={card === stop ? 0 : -1}
      onClick={() => play(card)}
      onFocus={() => focus(card)}>
      {face}
      <span class="vh">{label}</span>
      {children}
    </button>
  )
}

/** A card of a hand with its mark, in the words of the game. */
export function HandCard<C extends number>({
  w,
  live,
  why,
  mark,
  late = false,
  refused,
  classes = '',
  ...pressed
}: Pressed<C> & {
  w: Words
  /** Whether one of the cards of the hand can be played now. */
  live: boolean
  /** Why this one may not be. */
  why(): string
  mark: Mark | undefined
  /** Whether marks are awaited. */
  late?: boolean
  /** The card that was refused last. */
  refused: C | null
  classes?: string
}) {
  const { card, may } = pressed
  const said = live && !may ? w.t('notLegal', { why: why() }) : mark?.said
  return (
    <CardButton
      {...pressed}
      label={said ? `${w.card(card)}, ${said}` : w.card(card)}
      classes={
        (live ? (may ? ' legal' : ' illegal') : '') +
        (mark?.tone === 'v-best' ? ' best' : '') +
        (refused === card ? ' refused' : '') +
        classes
      }>
      {(mark || (may && late)) && (
        <span aria-hidden="true" class={'value ' + (mark?.tone ?? 'late')}>
          {mark?.text ?? '…'}
        </span>
      )}
    </CardButton>
  )
}

/** A card in running text: its face and the symbol of its suit, in the colour of the suit. */
export function Brief({ card }: { card: Card }) {
  const w = useWords()
  return (
    <span class={`brief suit-${suitOf(card)}`}>
      <span aria-hidden="true">
        {w.face(card)}
        {symbols[suitOf(card)]}
      </span>
      <span class="vh">{w.card(card)}</span>
    </span>
  )
}

/** The room of the cards of a hand that is not dealt yet. */
export const Undealt = () => (
  <>
    {[...'12345678'].map((i) => (
      <li key={i} class="slot" aria-hidden="true" />
    ))}
  </>
)
