// Who holds what, as one seat can know it: a grid of the unseen cards, the facts as sentences, and for one card who
// knows what.

import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { type Card, type Suit, parseCard, suitOf, suits, symbols } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { shareText } from '../shared/share'
import type { CardModel, CardModelStep, Fact, Knowledge } from './api'
import { type Seat, next, placeOf, seats } from './seats'
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
          <thead>
            <tr>
              <td />
              {others.map((s) => (
                <th scope="col" key={s}>
                  {w.seat(s)}
                </th>
              ))}
            </tr>
          </thead>
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

// The four worlds of a card stand where the seats do at the table of the seat that looks.
const places: Record<Seat, [number, number]> = { N: [150, 34], E: [262, 115], S: [150, 196], W: [38, 115] }

/**
 * The relations of the seats between two worlds: lines beside each other where several seats have the same. A line is
 * faint where its seat knows that it is in neither world.
 */
function Relations({ step, seat }: { step: CardModelStep; seat: Seat }) {
  const lines: JSX.Element[] = []
  for (let i = 0; i < step.worlds.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [step.worlds[j]!, step.worlds[i]!]
      const agents = seats.filter((s) =>
        step.seats[s].classes.some((class_) => class_.includes(a) && class_.includes(b)),
      )
      const [x1, y1] = places[placeOf(a, seat)]
      const [x2, y2] = places[placeOf(b, seat)]
      const length = Math.hypot(x2 - x1, y2 - y1)
      agents.forEach((s, n) => {
        const off = (n - (agents.length - 1) / 2) * 6
        const [dx, dy] = [(-(y2 - y1) / length) * off, ((x2 - x1) / length) * off]
        const { possible } = step.seats[s]
        const far = possible && !(possible.includes(a) && possible.includes(b))
        lines.push(
          <path
            key={a + b + s}
            class={`relation of-${s}${far ? ' far' : ''}`}
            data-relation={s + a + b}
            d={`M${x1 + dx} ${y1 + dy}L${x2 + dx} ${y2 + dy}`}
          />,
        )
      })
    }
  }
  return <>{lines}</>
}

/**
 * The worlds of a card with the relations, drawn with a seat at the bottom, and what is said of each seat. With a view
 * the worlds are marked that its seat holds impossible; without one it is seen from outside.
 */
export function Drawing({
  step,
  seat,
  view,
  said,
}: {
  step: CardModelStep
  seat: Seat
  view?: Seat
  said(s: Seat): string
}) {
  const w = useWords()
  return (
    <div class="drawing">
      <svg class="kripke" viewBox="0 0 300 230" aria-hidden="true">
        <Relations step={step} seat={seat} />
        {seats.map((s) => {
          const [x, y] = places[placeOf(s, seat)]
          const there = step.worlds.includes(s)
          const possible = (view && step.seats[view].possible?.includes(s)) ?? there
          return (
            <g
              key={s}
              data-world={s}
              class={!there ? 'world gone' : step.actual === s ? 'world actual' : possible ? 'world' : 'world denied'}>
              <circle cx={x} cy={y} r="25" />
              <text x={x} y={y + 5} text-anchor="middle">
                {w.seat(s)}
              </text>
            </g>
          )
        })}
      </svg>
      <ul class="legend">
        {seats.map((s) => (
          <li key={s} data-knows={s}>
            <svg viewBox="0 0 30 8" aria-hidden="true">
              <path class={`relation of-${s}`} d="M0 4H30" />
            </svg>
            <span>{said(s)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

// What one seat knows of the card, in a sentence.
function knows(w: Words, step: CardModelStep, me: Seat, s: Seat): string {
  const list = (of: readonly Seat[]) => of.map((x) => w.seat(x)).join(w.t('orJoin'))
  if (step.worlds.length === 1) return w.t('kAll', { seat: w.seat(s) })
  const possible = step.seats[s].possible
  if (s === me && possible) {
    if (possible.length === 1) return possible[0] === me ? w.t('kMine') : w.t('kSure', { holder: w.seat(possible[0]!) })
    return w.t('kMaybe', { seats: list(possible) })
  }
  const others = step.worlds.filter((x) => x !== s)
  if (!step.worlds.includes(s))
    return others.length === 1
      ? w.t('kOtherSure', { seat: w.seat(s), holder: w.seat(others[0]!) })
      : w.t('kOtherNot', { seat: w.seat(s), seats: list(others) })
  return w.t('kOther', { seat: w.seat(s), seats: list(others) })
}

/**
 * The model of who knows what of a card, as in the paper "Logical Klaverjassen": its worlds, and for each seat what it
 * cannot tell apart.
 */
export function Model({
  card,
  seat,
  answer,
  at,
  go,
  close,
}: {
  card: Card
  seat: Seat
  answer: Answer<CardModel>
  at: number
  go(to: number): void
  close(): void
}) {
  const w = useWords()
  const m = answer.value
  const steps = m?.steps ?? []
  const n = Math.min(at, steps.length - 1)
  const step = steps[n]
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => ref.current!.scrollIntoView({ block: 'nearest' }), [card, step === undefined])
  return (
    <section ref={ref} class="model" aria-labelledby="model-title">
      <div class="row">
        <h3 class="grow" id="model-title">
          {w.t('modelTitle')} <Brief card={card} />
        </h3>
        <button type="button" class="round" aria-label={w.t('close')} onClick={close}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      <Waiting answer={answer} />
      {step && (
        <>
          <p class="row">
            <button
              type="button"
              id="model-before"
              aria-label={w.t('modelBefore')}
              title={w.t('modelBefore')}
              aria-disabled={n === 0}
              onClick={() => n > 0 && go(n - 1)}>
              <span aria-hidden="true">◀</span>
            </button>
            <span class="grow">
              {step.played === undefined ? (
                w.t('modelStart')
              ) : (
                <>
                  {w.t('modelAfter', { seat: w.seat(step.by!), n: Math.ceil(step.number / 4) })}{' '}
                  <Brief card={parseCard(step.played)!} />
                </>
              )}
            </span>
            <button
              type="button"
              id="model-after"
              aria-label={w.t('modelNext')}
              title={w.t('modelNext')}
              aria-disabled={n === steps.length - 1}
              onClick={() => n < steps.length - 1 && go(n + 1)}>
              <span aria-hidden="true">▶</span>
            </button>
          </p>
          <Drawing step={step} seat={seat} view={seat} said={(s) => knows(w, step, seat, s)} />
          <p class="hint">{w.t('modelHint')}</p>
        </>
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
