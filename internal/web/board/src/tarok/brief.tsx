// A card of tarok in running text.

import { type Card, suitOf } from './cards'
import { useTarok } from './words'

/** A card in running text, in the colour of its suit. */
export function Brief({ card }: { card: Card }) {
  const w = useTarok()
  return (
    <span class={`brief suit-${suitOf(card)}`}>
      <span aria-hidden="true">{w.brief(card)}</span>
      <span class="vh">{w.card(card)}</span>
    </span>
  )
}
