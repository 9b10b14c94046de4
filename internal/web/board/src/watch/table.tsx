// The table with all hands, of which the cards show whose model is drawn and which lie open.

import { CardButton, Face, Undealt } from '../shared/card'
import { type Card, wire } from '../shared/cards'
import { type Position, handOf, turnOf } from '../klaverjas/rules'
import { type Seat, seats, sorted } from '../klaverjas/seats'
import { Trick } from '../klaverjas/table'
import { playerName } from './say'
import { useWords } from './words'

interface Props {
  position: Position
  players: Record<Seat, string>
  /** The cards that lie open for all players. */
  open: ReadonlySet<string>
  /** The card whose model is shown. */
  chosen: Card
  roving: Partial<Record<Seat, Card>>
  choose(c: Card): void
  focusCard(c: Card): void
}

/** The card of a hand that the Tab key reaches. */
export function stopIn(p: Position, seat: Seat, roving: Card | undefined): Card | undefined {
  const hand = sorted(p.held[seat], p.setup.trump)
  return roving !== undefined && hand.includes(roving) ? roving : hand[0]
}

function Hand({ seat, position: p, players, open, chosen, roving, choose, focusCard }: Props & { seat: Seat }) {
  const w = useWords()
  const { trump, holders } = p.setup
  const turn = !p.finished && turnOf(p) === seat && p.held[seat].length > 0
  const stop = stopIn(p, seat, roving[seat])
  const dealt = sorted(handOf(holders, seat), trump)
  return (
    <section class={`hand hand-${seat}${turn ? ' turn' : ''}`} aria-labelledby={'hand-' + seat}>
      <h2 id={'hand-' + seat}>
        {w.seat(seat)} <span class="kind">{playerName(w, players[seat])}</span>
      </h2>
      <ul>
        {dealt.length === 0 && <Undealt />}
        {dealt.map((c) => {
          if (!p.held[seat].includes(c)) return <li key={c} class="slot" aria-hidden="true" />
          const shown = open.has(wire(c))
          return (
            <li key={c}>
              <CardButton
                card={c}
                code={wire(c)}
                face={<Face card={c} />}
                label={[w.card(c), ...(shown ? [w.p('liesOpen')] : []), ...(c === chosen ? [w.p('isShown')] : [])].join(
                  ', ',
                )}
                classes={(shown ? ' lies-open' : '') + (c === chosen ? ' chosen' : '')}
                may
                stop={stop}
                play={choose}
                focus={focusCard}>
                {shown && (
                  <span class="value" aria-hidden="true">
                    {w.p('openMark')}
                  </span>
                )}
              </CardButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function WatchTable(props: Props) {
  const w = useWords()
  return (
    <div class="felt" id="felt" role="group" aria-label={w.t('table')}>
      {seats.map((s) => (
        <Hand key={s} seat={s} {...props} />
      ))}
      <Trick position={props.position} />
    </div>
  )
}
