// The question which of two cards was meant.

import { useWords } from './frame'
import type { Typed } from './typed'
import type { Words } from './words'

/**
 * Asks which card a text means, with a button for each that it can mean. words name the cards, if they are not those of
 * the board.
 */
export function WhichCard({
  typed,
  words,
  choose,
}: {
  typed: Typed
  words?: Words | undefined
  choose(c: number): void
}) {
  const w = useWords()
  const of = words ?? w
  const question = w.t('which', { text: typed.text.slice(0, 12) })
  return (
    <div class="which" role="group" aria-label={question}>
      <span aria-hidden="true">{question}</span>
      {typed.cards.map((c) => (
        <button type="button" key={c} data-which={c} onClick={() => choose(c)}>
          {of.card(c)}
          <span aria-hidden="true"> {of.brief(c)}</span>
        </button>
      ))}
    </div>
  )
}
