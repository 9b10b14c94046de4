// The question which of several things was meant.

import { useWords } from './frame'
import type { Typed } from './typed'
import type { Words } from './words'

/** A choice: how it is called, and how it looks. */
export interface Choice {
  id: string | number
  name: string
  brief: string
}

/** A question, with a button for each answer. */
export function Which({
  question,
  choices,
  choose,
}: {
  question: string
  choices: readonly Choice[]
  choose(i: number): void
}) {
  return (
    <div class="which" role="group" aria-label={question}>
      <span aria-hidden="true">{question}</span>
      {choices.map(({ id, name, brief }, i) => (
        <button type="button" key={id} data-which={id} onClick={() => choose(i)}>
          {name}
          <span aria-hidden="true"> {brief}</span>
        </button>
      ))}
    </div>
  )
}

/**
 * Asks which card a text means, with a button for each that it can mean. words name the cards, if they are not the
 * cards of the board.
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
  const choices = typed.cards.map((c) => ({ id: c, name: of.card(c), brief: of.brief(c) }))
  return (
    <Which
      question={w.t('which', { text: typed.text.slice(0, 12) })}
      choices={choices}
      choose={(i) => choose(typed.cards[i]!)}
    />
  )
}
