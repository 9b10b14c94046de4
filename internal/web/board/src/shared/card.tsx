// A card as a button, and in running text.

import type { ComponentChildren } from 'preact'
import { CardFace } from './art'
import { type Card, suitOf, symbols, wire } from './cards'
import { useWords } from './frame'

/** A card of a hand, which can be played. What is said of it is its label; what is shown below it are its children. */
export function CardButton({
  card: c,
  label,
  classes,
  may,
  stop,
  play,
  focus,
  children,
}: {
  card: Card
  label: string
  classes: string
  may: boolean
  stop: boolean
  play(c: Card): void
  focus(c: Card): void
  children?: ComponentChildren
}) {
  const w = useWords()
  return (
    <button
      type="button"
      class={'card' + classes}
      data-card={wire(c)}
      aria-disabled={!may}
      tabIndex={stop ? 0 : -1}
      onClick={() => play(c)}
      onFocus={() => focus(c)}>
      <CardFace card={c} shown={w.face(c)} />
      <span class={`mini suit-${suitOf(c)}`} aria-hidden="true">
        {w.face(c)}
        <span>{symbols[suitOf(c)]}</span>
      </span>
      <span class="vh">{label}</span>
      {children}
    </button>
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
