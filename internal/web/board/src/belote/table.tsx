// The table: the stacks of both players, and the trick in the middle.

import type { ComponentChildren } from 'preact'
import { CardFace, SuitIcon } from '../shared/art'
import { type Card, suitOf, symbols, wire } from '../shared/cards'
import { HandCard, Undealt, inHand } from '../shared/card'
import { focusOn as focusCard } from '../shared/focus'
import type { Mark } from '../shared/standing'
import { type Player, type Position, legalOf, opponent, refusal, sizeOf, toTurn, topOf, turnOf, upOf } from './rules'
import { type BeloteWords, useBelote } from './words'

interface Props {
  position: Position
  /** Who sits at the bottom. */
  bottom?: Player
  /** What is said of the players beside their names. */
  roles?: Record<Player, string>
  /** What stands in the middle in place of the trick. */
  children?: ComponentChildren
  /** Whether the cards of a player can be played now. */
  live(p: Player): boolean
  marks: ReadonlyMap<Card, Mark>
  /** Whether marks are awaited. */
  late: boolean
  chosen: Partial<Record<Player, Card>>
  refused: Card | null
  playCard(c: Card): void
  focusCard(c: Card): void
  /** Whether cards come one by one, so that a trick that is complete is gathered. */
  gathers?: boolean
  /** What a click on the table does besides. */
  hurry?(e: Event): void
}

/** Why a card may not be played, in words. */
export function whyNot(w: BeloteWords, p: Position, c: Card): string {
  const why = refusal(p, c)
  if (why === null) return ''
  if (why === 'turn') return w.t('turn', { seat: w.player(turnOf(p)) })
  return why === 'covered' || why === 'unseen' || why === 'turning'
    ? w.b(why)
    : w.t(why === 'finished' ? 'finishedWhy' : why)
}

/** Asks which card is turned next. */
export function whichTurned(w: BeloteWords, p: Position): string {
  const at = toTurn(p)
  return at ? w.b('whichTurned', { card: w.card(p.setup.stacks[at.player][at.at]![0]).toLowerCase() }) : ''
}

/** The card of a player that the Tab key reaches. */
export function stopOf(p: Position, player: Player, chosen: Card | undefined): Card | undefined {
  const up = upOf(p, player)
  if (chosen !== undefined && up.includes(chosen)) return chosen
  return (player === turnOf(p) ? legalOf(p).cards[0] : undefined) ?? up[0]
}

// A card that only lies there. As a small card it is its face and suit.
function Lying({ card: c }: { card: Card }) {
  const w = useBelote()
  return (
    <span class="under" aria-hidden="true">
      <CardFace card={c} shown={w.face(c)} />
      <span class={`mini suit-${suitOf(c)}`}>
        {w.face(c)}
        <span>{symbols[suitOf(c)]}</span>
      </span>
    </span>
  )
}

const Back = () => (
  <span class="under back" aria-hidden="true">
    <i />
  </span>
)

function Stacks({
  player,
  position: p,
  bottom,
  roles,
  live,
  marks,
  late,
  chosen,
  refused,
  playCard,
  focusCard,
}: Props & { player: Player }) {
  const w = useBelote()
  const turn = !p.finished && turnOf(p) === player
  const open = live(player)
  const legal = turn && open ? legalOf(p).cards : []
  const stop = stopOf(p, player, chosen[player])
  return (
    <section
      class={`hand hand-${player === bottom ? 'S' : 'N'}${turn ? ' turn' : ''}`}
      aria-labelledby={'hand-' + player}>
      <h2 id={'hand-' + player}>
        {w.player(player)}
        {roles && `: ${roles[player]}`}
        {turn && <span class="to-play">{w.t('turnHere')}</span>}
      </h2>
      <ul class="stacks">
        {p.setup.stacks[player].length === 0 && <Undealt />}
        {p.setup.stacks[player].map(([first, below], i) => {
          const left = p.left[player][i]!
          const c = topOf(p, player, i)
          if (left === 0) return <li key={first} class="slot" aria-hidden="true" />
          // Turned after the trick: until then nobody has seen it.
          if (c === null)
            return (
              <li key={first} class="stack">
                <Back />
                <span class="vh">{w.b('faceDown')}</span>
              </li>
            )
          const may = legal.includes(c)
          return (
            <li key={first} class={'stack' + (left === 2 ? ' two' : '')}>
              {left === 2 && (below === null ? <Back /> : <Lying card={below} />)}
              <HandCard
                {...inHand(w, c)}
                live={turn && open}
                may={may}
                why={() => whyNot(w, p, c)}
                mark={marks.get(c)}
                late={late}
                refused={refused}
                stop={stop}
                play={playCard}
                focus={focusCard}
              />
              {left === 2 && (
                <span class="vh">{below === null ? w.b('onHidden') : w.b('on', { card: w.card(below) })}</span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Trick({ position: p, bottom, gathers }: { position: Position; bottom: Player; gathers: boolean }) {
  const w = useBelote()
  const done = p.led === null ? p.tricks[p.tricks.length - 1] : undefined
  const number = Math.min(sizeOf(p.setup) / 2, p.tricks.length + (done ? 0 : 1))
  const cards = done ? done.cards : p.led === null ? [] : [p.led]
  const leader = done ? done.leader : p.leader
  return (
    <section
      class={'trick' + (gathers ? ' paced' : '') + (done ? ' done to-' + (done.winner === bottom ? 'S' : 'N') : '')}
      aria-labelledby="trick-title">
      <h2 id="trick-title" class="quiet">
        {w.t('trickN', { n: number })}
      </h2>
      <ol>
        {cards.map((c, i) => {
          const player = i === 0 ? leader : opponent(leader)
          return (
            <li key={c} class={`at-${player === bottom ? 'S' : 'N'}${done?.winner === player ? ' winning' : ''}`}>
              <span class="vh">
                {w.player(player)}: {w.card(c)}
              </span>
              <CardFace card={c} shown={w.face(c)} />
            </li>
          )
        })}
      </ol>
      <div class="middle" aria-hidden="true">
        {cards.length === 0 && p.setup.trump && <SuitIcon suit={p.setup.trump} />}
      </div>
      {done && <p class="taken">{w.t('won', { seat: w.player(done.winner), n: number, points: done.points })}</p>}
    </section>
  )
}

/** Asks which card was turned, of those that nobody has seen. */
export function Turned({
  position,
  cards,
  choose,
}: {
  position: Position
  cards: readonly Card[]
  choose(c: Card): void
}) {
  const w = useBelote()
  return (
    <section class="auction" aria-labelledby="turned-title">
      <h2 id="turned-title">{whichTurned(w, position)}</h2>
      <p class="calls">
        {cards.map((c) => (
          <button type="button" key={c} data-turned={wire(c)} title={w.card(c)} onClick={() => choose(c)}>
            <span aria-hidden="true" class={`brief suit-${suitOf(c)}`}>
              {w.brief(c)}
            </span>
            <span class="vh">{w.card(c)}</span>
          </button>
        ))}
      </p>
    </section>
  )
}

export function BeloteTable({ bottom = 'A', children, ...props }: Props) {
  const w = useBelote()
  return (
    <div class="felt belote" id="felt" role="group" aria-label={w.t('table')} onClick={props.hurry}>
      {[opponent(bottom), bottom].map((p) => (
        <Stacks key={p} player={p} bottom={bottom} {...props} />
      ))}
      {children ?? <Trick position={props.position} bottom={bottom} gathers={props.gathers === true} />}
    </div>
  )
}

/** Focuses a card on the table. */
export const focusOn = (c: Card | undefined): void => void focusCard(c === undefined ? undefined : wire(c))
