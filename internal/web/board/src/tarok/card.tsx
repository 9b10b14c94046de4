// A card of tarok on the table.

import type { ComponentChildren } from 'preact'
import { CardFace, trulaNames } from './art'
import { type Card, suitOf, symbols, wire } from './cards'
import { useTarok } from './words'

/** A small card: its face and suit. */
function Mini({ card: c }: { card: Card }) {
  const w = useTarok()
  const suit = suitOf(c)
  const name = trulaNames[c]
  return (
    <span class={`mini suit-${suit}`} aria-hidden="true">
      {w.face(c)}
      <span class={name ? 'trula-name' : ''}>{name ?? (suit === 'T' ? 'T' : symbols[suit])}</span>
    </span>
  )
}

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
  const w = useTarok()
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
      <Mini card={c} />
      <span class="vh">{label}</span>
      {children}
    </button>
  )
}

/** A card that only lies there. */
export const Lying = ({ card: c }: { card: Card }) => {
  const w = useTarok()
  return (
    <>
      <CardFace card={c} shown={w.face(c)} />
      <span class="vh">{w.card(c)}</span>
    </>
  )
}
