// A card of tarok on the table.

import { CardFace, trulaNames } from './art'
import { type Card, suitOf, symbols, wire } from './cards'
import { type TarokWords, useTarok } from './words'

/** How a card of a hand looks: large, and small with its face and suit. */
function Face({ card: c }: { card: Card }) {
  const w = useTarok()
  const suit = suitOf(c)
  const name = trulaNames[c]
  return (
    <>
      <CardFace card={c} shown={w.face(c)} />
      <span class={`mini suit-${suit}`} aria-hidden="true">
        {w.face(c)}
        <span class={name ? 'trula-name' : ''}>{name ?? (suit === 'T' ? 'T' : symbols[suit])}</span>
      </span>
    </>
  )
}

/** A card of tarok in a hand. */
export const inHand = (w: TarokWords, c: Card) => ({ w, card: c, code: wire(c), face: <Face card={c} /> })

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
