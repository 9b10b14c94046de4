// The table: three hands, the talon in its groups, and the trick in the middle.

import type { ComponentChildren } from 'preact'
import { type Card, type Player, next, players, points, sorted, wire } from './cards'
import { HandCard } from '../shared/card'
import { focusOn as focusCard } from '../shared/focus'
import type { Mark } from '../shared/standing'
import { Brief } from './brief'
import { Lying, inHand } from './card'
import { type Position, type Trick as Done, exchangeOf, legalOf, refusal, turnOf } from './rules'
import { Discards, Talon } from './talon'
import { type TarokWords, useTarok } from './words'

/** Why a card may not be discarded or played, in words. */
export function whyNot(w: TarokWords, p: Position, c: Card): string {
  const why = refusal(p, c)
  switch (why) {
    case null:
      return ''
    case 'turn':
      return w.t('turn', { seat: w.player(turnOf(p)) })
    case 'finished':
      return w.t('finishedWhy')
    case 'played':
    case 'follow':
      return w.t(why)
    default:
      return w.b(`why_${why}`)
  }
}

/** The card of a player that the Tab key reaches. */
export function stopOf(p: Position, player: Player, chosen: Card | undefined): Card | undefined {
  const hand = p.held[player]
  if (chosen !== undefined && hand.includes(chosen)) return chosen
  return (player === turnOf(p) ? hand.find((c) => legalOf(p).cards.includes(c)) : undefined) ?? hand[0]
}

/** Where a player is drawn: the place of the hand on the board of four. The next one sits to the left. */
export const placeOf = (p: Player, bottom: Player): 'S' | 'W' | 'E' =>
  p === bottom ? 'S' : p === next(bottom) ? 'W' : 'E'

interface Props {
  position: Position
  bottom?: Player
  marks: ReadonlyMap<Card, Mark>
  /** Whether marks are awaited. */
  late: boolean
  chosen: Partial<Record<Player, Card>>
  refused: Card | null
  /** Whether nothing can be done. */
  still?: boolean
  playCard(c: Card): void
  focusCard(c: Card): void
}

function Hand({
  player,
  position: p,
  bottom = 'A',
  marks,
  late,
  chosen,
  refused,
  still = false,
  playCard,
  focusCard,
}: Props & { player: Player }) {
  const w = useTarok()
  const turn = p.phase !== 'finished' && turnOf(p) === player
  const live = turn && p.phase !== 'talon' && !still
  const legal = live ? legalOf(p).cards : []
  const stop = stopOf(p, player, chosen[player])
  const role = p.setup.contract !== 'klop' && p.setup.declarer === player
  const slots = p.phase === 'talon' || p.phase === 'discard' ? 0 : 16 - p.held[player].length
  // The cards that are put aside keep their places, so that the others do not move.
  const aside = p.phase === 'discard' && role ? p.setup.discards : []
  return (
    <section class={`hand hand-${placeOf(player, bottom)}${turn ? ' turn' : ''}`} aria-labelledby={'hand-' + player}>
      <h2 id={'hand-' + player}>
        {w.player(player)}
        {role && `, ${w.b('declarerRole')}`}
        {turn && <span class="to-play">{p.phase === 'play' ? w.t('turnHere') : w.b('toExchange')}</span>}
      </h2>
      <ul>
        {(aside.length > 0 ? sorted([...p.held[player], ...aside]) : p.held[player]).map((c) => {
          if (aside.includes(c)) return <li key={c} class="slot" aria-hidden="true" />
          const may = legal.includes(c)
          const mark = marks.get(c)
          return (
            <li key={c}>
              <HandCard
                {...inHand(w, c)}
                live={live}
                may={may}
                why={() => whyNot(w, p, c)}
                mark={mark}
                late={late}
                refused={refused}
                stop={stop}
                play={playCard}
                focus={focusCard}
                classes={mark && !live ? ' marked' : ''}
              />
            </li>
          )
        })}
        {[...Array(slots).keys()].map((i) => (
          <li key={'slot' + i} class="slot" aria-hidden="true" />
        ))}
      </ul>
    </section>
  )
}

/** A trick under way or the last one, by who played each card. */
export function TrickView({
  leader,
  cards,
  done,
  number,
  bottom,
  gathers,
}: {
  leader: Player
  cards: readonly Card[]
  done: Done | undefined
  number: number
  bottom: Player
  gathers: boolean
}) {
  const w = useTarok()
  return (
    <section
      class={'trick' + (gathers ? ' paced' : '') + (done ? ' done to-' + placeOf(done.winner, bottom) : '')}
      aria-labelledby="trick-title">
      <h2 id="trick-title" class="quiet">
        {w.t('trickN', { n: number })}
      </h2>
      <ol>
        {cards.map((c, i) => {
          const player = next(leader, i)
          return (
            <li key={c} class={`at-${placeOf(player, bottom)}${done?.winner === player ? ' winning' : ''}`}>
              <span class="vh">{w.player(player)}: </span>
              <Lying card={c} />
            </li>
          )
        })}
      </ol>
      {done && (
        <p class="taken">
          {w.t('won', { seat: w.player(done.winner), n: number, points: points(done.thirds) })}
          {done.gift !== undefined && (
            <>
              {' '}
              {w.b('withGift')} <Brief card={done.gift} />
            </>
          )}
        </p>
      )}
    </section>
  )
}

export function Trick({
  position: p,
  bottom,
  gathers = false,
}: {
  position: Position
  bottom: Player
  /** Whether cards come one by one, so that a trick that is complete is gathered. */
  gathers?: boolean
}) {
  const done = p.trick.length === 0 ? p.tricks[p.tricks.length - 1] : undefined
  return (
    <TrickView
      leader={done ? done.leader : p.leader}
      cards={done ? done.cards : p.trick}
      done={done}
      number={Math.min(16, p.tricks.length + (done ? 0 : 1))}
      bottom={bottom}
      gathers={gathers}
    />
  )
}

export function TarokTable({
  take,
  again,
  children,
  ...props
}: Props & {
  take?(group: number): void
  again?(): void
  /** What stands in the middle in place of the trick. */
  children?: ComponentChildren
}) {
  const w = useTarok()
  const { position: p, bottom = 'A' } = props
  const { setup } = p
  const exchange = exchangeOf(setup.contract) > 0
  return (
    <div
      class={
        'felt tarok' +
        (setup.contract === 'klop' ? ' klop' : '') +
        (p.phase === 'talon' || p.phase === 'discard' ? ' exchanging' : '')
      }
      id="felt"
      role="group"
      aria-label={w.t('table')}>
      {players
        .map((x) => next(next(bottom), players.indexOf(x)))
        .map((x) => (
          <Hand key={x} player={x} {...props} bottom={bottom} />
        ))}
      <Talon
        contract={setup.contract}
        talon={setup.talon}
        group={setup.group}
        given={setup.contract === 'klop' ? Math.min(6, p.tricks.length) : 0}
        take={p.phase === 'talon' ? take : undefined}
      />
      {exchange && setup.group !== null && <Discards position={p} again={again} />}
      {children || (p.phase !== 'talon' && p.phase !== 'discard' && <Trick position={p} bottom={bottom} />)}
    </div>
  )
}

/** Focuses a card on the table. */
export const focusOn = (c: Card | undefined): void => void focusCard(c === undefined ? undefined : wire(c))
