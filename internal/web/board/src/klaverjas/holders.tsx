// Who holds what, as one seat can know it: a grid of the unseen cards, and the facts as sentences.

import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { type Card, type Suit, parseCard, suitOf, suits, symbols } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import { shareText } from '../shared/share'
import type { Fact, Knowledge } from './api'
import { type Seat, next } from './seats'
import { type Words, useWords } from './words'

function shareSaid(w: Words, seat: Seat, p: number): string {
  return p === 0
    ? w.t('heldNot', { seat: w.seat(seat) })
    : p === 1
      ? w.t('heldSure', { seat: w.seat(seat) })
      : w.t('heldShare', { seat: w.seat(seat), n: shareText(p) })
}

/** The other seats, in the order of play. */
export const othersOf = (seat: Seat): Seat[] => [1, 2, 3].map((by) => next(seat, by))

interface GridProps {
  seat: Seat
  answer: Answer<Knowledge>
  chosen: Card | null
  choose(c: Card): void
  /** The seat whose next card is asked for, if the grid takes it. */
  asked: Seat | null
  play(c: Card): void
}

function SuitRows({
  suit,
  seat,
  knowledge,
  chosen,
  choose,
  asked,
  play,
}: Omit<GridProps, 'answer'> & { suit: Suit; knowledge: Knowledge }) {
  const w = useWords()
  const rows = knowledge.cards.filter((x) => suitOf(parseCard(x.card)!) === suit)
  if (rows.length === 0) return null
  return (
    <table class="holders" data-suit={suit}>
      <caption class="vh">{w.suit(suit)}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span aria-hidden="true" class={`brief suit-${suit}`}>
              {symbols[suit]}
            </span>
            <span class="vh">{w.t('card')}</span>
          </th>
          {othersOf(seat).map((s) => (
            <th scope="col" key={s} abbr={w.seat(s)}>
              <span aria-hidden="true">{w.seat(s).charAt(0)}</span>
              <span class="vh">{w.seat(s)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((x) => {
          const c = parseCard(x.card)!
          return (
            <tr key={x.card} class={chosen === c ? 'chosen' : ''}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={chosen === c}
                  data-model={x.card}
                  title={w.t('modelOf', { card: w.card(c) })}
                  onClick={() => choose(c)}>
                  <Brief card={c} />
                </button>
              </th>
              {othersOf(seat).map((s) => {
                const p = x.holders[s] ?? 0
                const inner = (
                  <>
                    <span aria-hidden="true">{shareText(p)}</span>
                    <span class="vh">{shareSaid(w, s, p)}</span>
                  </>
                )
                return (
                  <td
                    key={s}
                    data-holder={x.card + s}
                    data-p={p}
                    class={p === 1 ? 'sure' : p === 0 ? 'not' : ''}
                    style={{ '--p': `${Math.round(100 * p)}%` }}>
                    {asked === s && p > 0 ? (
                      <button
                        type="button"
                        class="plays"
                        title={w.t('playsIt', { seat: w.seat(s), card: w.card(c) })}
                        data-plays={x.card}
                        onClick={() => play(c)}>
                        {inner}
                      </button>
                    ) : (
                      inner
                    )}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

// The grid of the unseen cards.
function Grid(props: GridProps) {
  const w = useWords()
  const k = props.answer.value
  if (!k) return <Waiting answer={props.answer} />
  const others = othersOf(props.seat)
  return (
    <>
      {k.cards.length === 0 ? (
        <p class="hint">{w.t('allSeen')}</p>
      ) : (
        <p class="hint">
          {w.t(props.asked ? 'gridAsk' : 'gridHint', { seat: props.asked ? w.seat(props.asked) : '' })}
        </p>
      )}
      <div class="grids">
        {suits.map((suit) => (
          <SuitRows key={suit} {...props} suit={suit} knowledge={k} />
        ))}
      </div>
      {k.cards.length > 0 && (
        <table class="sums">
          <caption class="vh">{w.t('cardsLeft')}</caption>
          <Head of={[null, ...others.map((s) => w.seat(s))]} />
          <tbody>
            <tr>
              <th scope="row">{w.t('cardsLeft')}</th>
              {others.map((s) => (
                <td key={s} data-left={s}>
                  {k.seats[s].left}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{w.t('noneOf')}</th>
              {others.map((s) => (
                <td key={s}>
                  {k.seats[s].voids.map((suit) => (
                    <span key={suit} class={`brief suit-${suit}`}>
                      <span aria-hidden="true">{symbols[suit]}</span>
                      <span class="vh">{w.suit(suit)} </span>
                    </span>
                  ))}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
      {k.worlds !== undefined && (
        <p class="hint worlds">
          {k.worlds === '1' ? w.t('oneWorld') : w.t('worldsLeft', { n: w.number(Number(k.worlds)) })}
        </p>
      )}
    </>
  )
}

// A sentence about a fact. Its cards stand where {cards} is.
export function factText(w: Words, f: Fact): string {
  const cards = [...(f.holds ?? []), ...(f.excluded ?? [])].map((c) => parseCard(c)!)
  const vars = { seat: w.seat(f.seat), suit: cards.length > 0 ? w.suit(suitOf(cards[0]!)) : '' }
  const text = w.t(`fact_${f.kind}`, vars)
  return text.replace('[cards]', cards.map(w.brief).join(' '))
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  const w = useWords()
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h3 id="facts-title">{w.t('facts')}</h3>
      {facts.length === 0 ? (
        <p class="hint">{w.t('noFacts')}</p>
      ) : (
        <ol>
          {facts.map((f, i) => (
            <li key={i} data-fact={f.kind + f.seat}>
              {f.number !== undefined && (
                <span class="when">
                  {w.t('trickN', { n: Math.ceil(f.number / 4) })}
                  {f.card && (
                    <>
                      , <Brief card={parseCard(f.card)!} />
                    </>
                  )}
                  {': '}
                </span>
              )}
              {factText(w, f)}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** What can be known of the hands of the others: what the level proves or guesses, and what the play has shown. */
export function HoldersTab({
  bidding,
  level,
  setLevel,
  ...grid
}: GridProps & { bidding: boolean; level: 'rules' | 'belief'; setLevel(l: 'rules' | 'belief'): void }) {
  const w = useWords()
  if (bidding) return <p class="hint">{w.t('nothingSeen')}</p>
  return (
    <>
      <div class="segments" role="group" aria-label={w.t('level')}>
        {(['rules', 'belief'] as const).map((l) => (
          <button
            type="button"
            key={l}
            id={'level-' + l}
            aria-pressed={level === l}
            title={w.t(l === 'rules' ? 'provenHint' : 'likelyHint')}
            onClick={() => setLevel(l)}>
            {w.t(l === 'rules' ? 'proven' : 'likely')}
          </button>
        ))}
      </div>
      <p class="hint">{w.t(level === 'rules' ? 'provenHint' : 'likelyHint')}</p>
      <Grid {...grid} />
      {grid.answer.value && <Facts facts={grid.answer.value.facts} />}
    </>
  )
}
