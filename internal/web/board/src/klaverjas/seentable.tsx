// The table as one seat sees it: its own hand, the backs of the others, and the trick.

import type { ComponentChildren } from 'preact'
import { CardFace } from '../shared/art'
import { HandCard, inHand } from '../shared/card'
import type { Card, Suit } from '../shared/cards'
import type { Mark } from '../shared/standing'
import { type Position, handOf, legalOf, turnOf } from './rules'
import { type Seat, placeOf, seats, sorted } from './seats'
import { leftOf } from './seen'
import { Trick, stopOf, whyNot } from './table'
import { useWords } from './words'

interface Props {
  position: Position
  seat: Seat
  /** Whether a card of the seat can be played now. */
  live: boolean
  marks: ReadonlyMap<Card, Mark>
  /** Whether cards come one by one, so that a trick that is complete is gathered. */
  gathers: boolean
  /** Whether marks are awaited. */
  late: boolean
  chosen: Card | undefined
  refused: Card | null
  playCard(c: Card): void
  focusCard(c: Card): void
  /** What the hands are sorted by: the trump, unless it is not known yet. */
  trump?: Suit | null
  /** What stands beside the name of a seat. */
  role?(s: Seat): ComponentChildren
  /** What a click on the table does besides. */
  skip(): void
  /** What stands in the middle in place of the trick. */
  children?: ComponentChildren
}

function OwnHand({
  position: p,
  seat,
  live,
  marks,
  late,
  chosen,
  refused,
  playCard,
  focusCard,
  role,
  trump: order,
}: Props) {
  const w = useWords()
  const { trump } = p.setup
  const turn = live && !p.finished && turnOf(p) === seat
  const legal = turn ? legalOf(p.setup.rules, trump, p.trick, p.held[seat]).cards : []
  const stop = stopOf(p, seat, chosen)
  return (
    <section class={`hand hand-S own${turn ? ' turn' : ''}`} aria-labelledby={'hand-' + seat}>
      <h2 id={'hand-' + seat}>
        {w.t('yourHand', { seat: w.seat(seat) })}
        {role?.(seat)}
        {turn && <span class="to-play">{w.t('turnHere')}</span>}
      </h2>
      <ul>
        {sorted(handOf(p.setup.holders, seat), order === undefined ? trump : order).map((c) => {
          if (!p.held[seat].includes(c)) return <li key={c} class="slot" aria-hidden="true" />
          const may = legal.includes(c)
          return (
            <li key={c}>
              <HandCard
                {...inHand(w, c)}
                live={turn}
                may={may}
                why={() => whyNot(w, p, c)}
                mark={marks.get(c)}
                late={late}
                refused={refused}
                stop={stop}
                play={playCard}
                focus={focusCard}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

// The hand of another seat: backs, or its cards when all may see them.
function OtherHand({
  position: p,
  seat,
  live,
  place,
  role,
  order,
}: {
  position: Position
  seat: Seat
  live: boolean
  place: Seat
  role: ComponentChildren
  order: Suit | null | undefined
}) {
  const w = useWords()
  const held = p.held[seat]
  const left = leftOf(p)[seat]
  const turn = live && !p.finished && turnOf(p) === seat
  return (
    <section class={`hand hand-${place} other${turn ? ' turn' : ''}`} aria-labelledby={'hand-' + seat}>
      <h2 id={'hand-' + seat}>
        {w.seat(seat)}
        <span class="left">{w.t(left === 1 ? 'oneCard' : 'nCards', { n: left })}</span>
        {role}
        {turn && <span class="to-play">{w.t('turnHere')}</span>}
      </h2>
      {held.length > 0 ? (
        <ul class="shown">
          {sorted(held, order === undefined ? p.setup.trump : order).map((c) => (
            <li key={c}>
              <CardFace card={c} shown={w.face(c)} />
              <span class="vh">{w.card(c)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <div class="backs" aria-hidden="true">
          {Array.from({ length: left }, (_, i) => (
            <i key={i} />
          ))}
        </div>
      )}
    </section>
  )
}

/** The table with the seat at the bottom, wherever it is on the compass. */
export function SeenTable(props: Props) {
  const w = useWords()
  return (
    <div class="felt seen" id="felt" role="group" aria-label={w.t('table')} onClick={props.skip}>
      {seats.map((s) =>
        s === props.seat ? (
          <OwnHand key={s} {...props} />
        ) : (
          <OtherHand
            key={s}
            position={props.position}
            seat={s}
            live={props.live}
            place={placeOf(s, props.seat)}
            role={props.role?.(s)}
            order={props.trump}
          />
        ),
      )}
      {props.children ?? <Trick position={props.position} bottom={props.seat} gathers={props.gathers} />}
    </div>
  )
}
