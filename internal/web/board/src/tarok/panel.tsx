// The panel beside the table: what each side has, and the values of the legal cards.

import type { Answer } from '../shared/answers'
import type * as Schemas from '../contract'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import type { Mark } from '../shared/standing'
import { BestLine, Moves } from '../shared/values'
import { Brief } from './brief'
import { type Card, next, parseCard, players, points } from './cards'
import { type Position, declarerThirds, opponentsThirds, tricksOf, turnOf } from './rules'
import { type TarokWords, useTarok } from './words'

export type Solution = Schemas.TarokSolution
export type Score = Schemas.TarokScore
type Move = NonNullable<Solution['moves']>[number]

/** The cards of a hand up to which the page asks for exact values by itself; and with which they can be had at all. */
export const soonExact = 8
export const mostExact = 12

/**
 * What a card loses for its player. Exact: thirds of a point, or 1 for a beggar that is lost or let go. To a depth: a
 * discounted value.
 */
export function lossOf(p: Position, s: Solution, m: Move): number {
  if (m.best) return 0
  const best = s.moves![0]!
  const sign = turnOf(p) === p.setup.declarer ? 1 : -1
  if (!s.exact) return sign * (best.value! - m.value!)
  return m.thirds === undefined ? 1 : sign * (best.thirds! - m.thirds)
}

function markOf(w: TarokWords, p: Position, s: Solution, m: Move): Mark {
  if (m.best) return { text: '★', said: w.t('isBest'), tone: 'v-best' }
  const n = lossOf(p, s, m)
  if (s.exact && m.thirds === undefined)
    return { text: '✗', said: w.b(turnOf(p) === p.setup.declarer ? 'losesBeggar' : 'givesBeggar'), tone: 'v-lost' }
  const tone = n >= 15 ? 'v-much' : 'v-some'
  if (s.exact) return { text: w.t('losesValue', { n: points(n) }), said: w.t('loses', { n: points(n) }), tone }
  const about = w.number(Math.round((n / 3) * 10) / 10)
  return { text: `~${about}`, said: w.b('losesAbout', { n: about }), tone }
}

/** What is shown below each legal card. */
export function marksOf(w: TarokWords, p: Position, s: Solution | undefined): Map<Card, Mark> {
  return new Map(p.phase !== 'play' ? [] : (s?.moves ?? []).map((m) => [parseCard(m.card)!, markOf(w, p, s!, m)]))
}

/** What each side, or in klop each player, has so far. */
export function Stand({ position: p }: { position: Position }) {
  const w = useTarok()
  const { declarer, contract } = p.setup
  const columns: { key: string; head: string; tricks: number; thirds: number }[] =
    contract === 'klop'
      ? players.map((x) => ({ key: x, head: w.player(x), tricks: tricksOf(p, x), thirds: p.won[x] }))
      : [
          {
            key: 'declarer',
            head: `${w.player(declarer)}, ${w.b('declarerRole')}`,
            tricks: tricksOf(p, declarer),
            thirds: declarerThirds(p),
          },
          {
            key: 'opponents',
            head: players.filter((x) => x !== declarer).join(' + '),
            tricks: tricksOf(p, next(declarer)) + tricksOf(p, next(declarer, 2)),
            thirds: opponentsThirds(p),
          },
        ]
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <Head of={[null, ...columns.map((c) => c.head)]} />
      <tbody>
        <tr>
          <th scope="row">{w.t('tricks')}</th>
          {columns.map((c) => (
            <td key={c.key}>{c.tricks}</td>
          ))}
        </tr>
        <tr class="total">
          <th scope="row">{w.b('points')}</th>
          {columns.map((c) => (
            <td key={c.key} id={'thirds-' + c.key} data-thirds={c.thirds}>
              {points(c.thirds)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

// How the values are searched for: to a depth, or exactly where that can be had.
function Search({ left, exact, set }: { left: number; exact: boolean; set(on: boolean): void }) {
  const w = useTarok()
  const may = left <= mostExact
  return (
    <div class="segments" role="group" aria-label={w.b('search')}>
      <button type="button" id="search-quick" aria-pressed={!exact} onClick={() => set(false)}>
        {w.b('searchQuick')}
      </button>
      <button
        type="button"
        id="search-exact"
        aria-pressed={exact}
        aria-disabled={!may}
        title={w.b('searchExactHint', { n: mostExact })}
        onClick={() => may && set(true)}>
        {w.b('searchExact')}
      </button>
    </div>
  )
}

function Outcome({ setup: { contract, declarer }, s }: { setup: Position['setup']; s: Solution }) {
  const w = useTarok()
  if (!s.exact)
    return (
      <p class="hint" id="outcome" data-value={s.value}>
        {w.b('depthHint', { n: s.depth! })}
      </p>
    )
  const beggar = contract === 'beggar'
  return (
    <p class={'verdict ' + (s.won ? 'made' : 'nat')} id="outcome" data-thirds={s.thirds} data-won={s.won}>
      <b>{beggar ? <span aria-hidden="true">{s.won ? '✓' : '✗'}</span> : points(s.thirds!)}</b>
      <span>
        {w.b(s.won ? 'makesIt' : 'failsIt', { player: w.player(declarer), contract: w.contract(contract) })}{' '}
        <small>{beggar ? w.t('withBest') : w.b('ofTotal', { n: s.points! })}</small>
      </span>
    </p>
  )
}

// Why there are no values.
const noValues = ({ phase, setup }: Position): 'valuesLater' | 'valuesKlop' | 'valuesDone' | null =>
  phase === 'talon' || phase === 'discard'
    ? 'valuesLater'
    : setup.contract === 'klop'
      ? 'valuesKlop'
      : phase === 'finished'
        ? 'valuesDone'
        : null

export function Values({
  position: p,
  answer,
  exact,
  setExact,
  playCard,
  playLine,
}: {
  position: Position
  answer: Answer<Solution>
  exact: boolean
  setExact(on: boolean): void
  playCard(c: Card): void
  playLine(cards: readonly Card[]): void
}) {
  const w = useTarok()
  const none = noValues(p)
  if (none)
    return (
      <p class="hint" id="outcome">
        {w.b(none)}
      </p>
    )
  const left = 16 - p.tricks.length
  const s = answer.value
  const tenths = (thirds: number) => w.signed(Math.round((thirds / 3) * 10) / 10)
  return (
    <>
      {left > soonExact && <Search left={left} exact={exact} set={setExact} />}
      {!s ? (
        <Waiting answer={answer} />
      ) : (
        <>
          <Outcome setup={p.setup} s={s} />
          <Moves
            list={s.moves!}
            mark={(m) => markOf(w, p, s, m)}
            brief={(card) => <Brief card={parseCard(card)!} />}
            to={(m) => (m.thirds !== undefined ? points(m.thirds) : m.value !== undefined ? tenths(m.value) : '')}
            more={(m) => ({ 'data-thirds': m.thirds, 'data-value': m.value })}
            play={(card) => playCard(parseCard(card)!)}
          />
          {s.exact && s.line && s.line.length > 0 && (
            <BestLine
              line={s.line.map((c) => parseCard(c)!)}
              players={3}
              played={p.trick.length}
              brief={(c) => <Brief card={c} />}
              play={playLine}
            />
          )}
        </>
      )}
    </>
  )
}
