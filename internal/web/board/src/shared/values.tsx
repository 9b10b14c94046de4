// What the cards of a position are worth: their marks, the list of them, and the best line.

import type { ComponentChildren } from 'preact'
import { useWords } from './frame'
import type { Mark } from './standing'
import type { Words } from './words'

/** The mark of a card that loses a number of points. From lost on, it loses the hand. */
export function lossMark(w: Words, n: number, lost = Infinity): Mark {
  if (n === 0) return { text: '★', said: w.t('isBest'), tone: 'v-best' }
  const tone = n >= lost ? 'v-lost' : n >= 20 ? 'v-much' : 'v-some'
  return { text: w.t('losesValue', { n }), said: w.t('loses', { n }), tone }
}

/** The legal cards with what they cost. A click on one plays it. */
export function Moves<M extends { card: string }>({
  list,
  mark,
  brief,
  to,
  more,
  play,
}: {
  list: readonly M[]
  mark(m: M): Mark
  /** The card in running text. */
  brief(card: string): ComponentChildren
  /** What it leads to. */
  to(m: M): ComponentChildren
  /** What tests read. */
  more(m: M): object
  play(card: string): void
}) {
  const w = useWords()
  return (
    <ul class="moves" aria-label={w.t('values')}>
      {list.map((m) => {
        const { tone, text, said } = mark(m)
        return (
          <li key={m.card}>
            <button
              type="button"
              class={tone === 'v-best' ? 'best' : ''}
              onClick={() => play(m.card)}
              data-move={m.card}
              {...more(m)}>
              {brief(m.card)}
              <span class="cost">
                <span aria-hidden="true">{text}</span>
                <span class="vh">{said}</span>
              </span>
              <span class="to">{to(m)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** A best line, trick by trick. A click on a card plays the line up to it. played is how many cards of the first trick are on the table. */
export function BestLine<C>({
  line,
  players,
  played,
  brief,
  play,
}: {
  line: readonly C[]
  players: number
  played: number
  brief(c: C): ComponentChildren
  play(cards: readonly C[]): void
}) {
  const w = useWords()
  return (
    <>
      <h3>{w.t('bestLine')}</h3>
      <p class="hint">{w.t('lineHint')}</p>
      <ol class="line" aria-label={w.t('bestLine')}>
        {line.map((c, i) => (
          <li key={i} class={i > 0 && (played + i) % players === 0 ? 'lead' : ''}>
            <button type="button" onClick={() => play(line.slice(0, i + 1))}>
              {brief(c)}
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
