// For one card, who knows what of it.

import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import { Waiting } from '../shared/frame'
import type { CardModel, CardModelStep } from './api'
import { type Seat, placeOf, seats } from './seats'
import { type Words, useWords } from './words'

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
