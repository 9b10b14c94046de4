// The question of a puzzle, with a hint and the answer for who wants them.

import { parseCard, suitOf } from '../shared/cards'
import { type Puzzle, type Solution, decisionsOf } from './puzzle'
import { triedAt } from './solving'
import type { Solving } from './tries'
import { type Words, useWords } from './words'

/** What many decisions have, or what the hand shows, so that it is no hint. */
const plain = ['lead', 'endgame', 'declaring', 'defending', 'follow', 'trump_follow']

/**
 * The suit of the best card. If all cards that may be played have it, what the decision is about or, without a theme
 * that helps, the worst card that was not tried.
 */
export function hintText(w: Words, puzzle: Puzzle, solution: Solution, { at, tries }: Solving): string {
  const { card, values, themes } = decisionsOf(puzzle, solution)[at]!
  const suit = suitOf(parseCard(card)!)
  if (values.some((v) => suitOf(parseCard(v.card)!) !== suit)) return w.p('hintSuit', { suit: w.suit(suit) })
  const about = themes.filter((t) => !plain.includes(t))
  if (about.length > 0) return w.p('hintAbout', { themes: about.map((t) => w.p(`th_${t}`)).join(', ') })
  const untried = values.filter((v) => !tries?.tried.some((t) => t.decision === at + 1 && t.card === v.card))
  return w.p('hintNot', { card: w.card(parseCard(untried[untried.length - 1]!.card)!).toLowerCase() })
}

export function Ask({
  puzzle,
  solving,
  ready,
  decisions,
}: {
  puzzle: Puzzle
  solving: Solving
  ready: boolean
  decisions: number
}) {
  const w = useWords()
  const { at, missed, tries, hinted, solution, hint, stop } = solving
  const card = missed && triedAt(tries, at)
  const hints = hinted === at && solution
  const of = decisions > 1 && <b>{w.p('cardOf', { n: at + 1, of: decisions })}. </b>
  return (
    <div class="ask" id="ask" data-decision={at + 1}>
      {/* What is said of a try has the place of the question, so that the table below stays where it is. */}
      <div class="asked">
        <p aria-hidden={!!(card || hints)} class={card || hints ? 'covered' : ''}>
          {of}
          {w.p(puzzle.view ? 'askHidden' : 'askOpen', { seat: w.seat(puzzle.seat), n: puzzle.margin })}
        </p>
        {(card || hints) && (
          <p>
            {of}
            {card && <span id="again">{w.p('again', { card: w.card(parseCard(card)!) })} </span>}
            {hints && <span id="hint-text">{hintText(w, puzzle, solution, solving)}</span>}
          </p>
        )}
      </div>
      <p class="hint">{w.p('askHow')}</p>
      <p class="row">
        <button
          type="button"
          id="hint"
          title={w.p('hintCounts')}
          aria-disabled={!ready || hinted === at}
          onClick={() => ready && hint()}>
          {w.p('hint')}
        </button>
        <button
          type="button"
          id="answer"
          title={w.p('answerCounts')}
          aria-disabled={!ready}
          onClick={() => ready && stop()}>
          {w.p('showAnswer')}
        </button>
      </p>
    </div>
  )
}
