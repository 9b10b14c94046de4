// The review of what a player could know: whose it is, how many mistakes there were, the way from mistake to mistake, and each decision.

import type { ComponentChildren } from 'preact'
import type { Answer } from './answers'
import { Waiting, useWords } from './frame'
import { Head } from './head'
import { type Judged, type Verdicts, isMistake, points, signs, tenths } from './verdicts'

/** Where the reader is in a play, and the ways through it. */
export interface Way {
  cursor: number
  go(to: number): void
  jump(by: 1 | -1): void
}

/** A review, as far as it is the same in every game. */
interface Reviewed<P extends string> {
  rule: Verdicts<Judged>['rule']
  seats: Partial<Record<P, Verdicts<Judged>['seat']>>
}

/** How the decisions of a game are shown. */
export interface Columns<D> {
  /** What stands above the column of the decisions. */
  head: string
  name(d: D): ComponentChildren
  /** How a decision is named in the page: a card, as the API writes it. */
  idOf(d: D): string
  better(d: D): ComponentChildren
  text(d: D): string
}

/**
 * What a decision cost on knowledge, with the number of standard errors in the rule of the verdicts: a reader can check
 * the verdict.
 */
function Known({ d, errors }: { d: Judged; errors: number }) {
  const w = useWords()
  if (!d.knowledge) return null
  const { cost, standard_error: error, worlds } = d.knowledge
  return (
    <span title={w.t('reviewWorlds', { n: typeof worlds === 'number' ? worlds : worlds.used })}>
      {tenths(w, cost)}
      {error === undefined ? ' ± ?' : error > 0 ? ` ± ${tenths(w, errors * error)}` : ''}
    </span>
  )
}

// How many mistakes there were and what everything cost, and the buttons that go from mistake to mistake.
function Sum({ seat, by, jump }: { seat: Verdicts<Judged>['seat']; by: string | undefined; jump: Way['jump'] }) {
  const w = useWords()
  const { verdicts, open_cost: open, knowledge_cost } = seat
  const known = points(w, knowledge_cost)
  const wrong = verdicts.mistake + verdicts.lucky
  const others = (['right', 'unlucky', 'uncertain', 'forced'] as const)
    .filter((v) => verdicts[v] > 0)
    .map((v) => `${verdicts[v]} ${w.t(`v_${v}`)}`)
  const text =
    by === undefined
      ? w.t(wrong === 1 ? 'oneMistake' : 'mistakesN')
      : w.t(wrong === 1 ? 'mistakeBy' : 'mistakesBy', { seat: by })
  return (
    <>
      <p class={'verdict ' + (wrong === 0 ? 'made' : 'nat')} id="seat-review">
        <b>{wrong}</b>
        <span>
          {text} <small>{others.join(', ')}</small>
        </span>
      </p>
      <p class="row">
        <span class="grow hint">
          {by === undefined ? w.t('reviewKnown', { known }) : w.t('costsBy', { seat: by, known })}
          {open !== undefined && ' ' + w.t('reviewOpen', { open })}
        </span>
        <button type="button" onClick={() => jump(-1)} aria-label={w.t('prevError')} title={w.t('prevError')}>
          ◀
        </button>
        <button
          type="button"
          id="next-mistake"
          onClick={() => jump(1)}
          aria-label={w.t('nextError')}
          title={w.t('nextError')}>
          ▶
        </button>
      </p>
    </>
  )
}

type Shown<D> = Columns<D> & Way & { of: Verdicts<D> }

function Row<D extends Judged>({ d, of, cursor, go, name, idOf, better, text }: Shown<D> & { d: D }) {
  const w = useWords()
  return (
    <tr
      data-reviewed={idOf(d)}
      data-verdict={d.verdict}
      data-known={d.knowledge?.cost}
      data-reason={d.reason?.code}
      class={isMistake(d) ? 'wrong' : d.verdict === 'unlucky' ? 'luck' : ''}>
      <th scope="row">
        <button
          type="button"
          class={d.number === cursor + 1 ? 'here' : ''}
          title={text(d)}
          onClick={() => go(d.number - 1)}>
          {name(d)}
        </button>
      </th>
      <td class="word">
        <span aria-hidden="true">
          {signs[d.verdict]}
          {'\u00a0'}
        </span>
        {w.t(`v_${d.verdict}`)}
      </td>
      <td class="known">
        <Known d={d} errors={of.rule.standard_errors} />
      </td>
      {of.seat.open_cost !== undefined && <td class="open">{d.open?.cost}</td>}
      <td>{isMistake(d) ? better(d) : ''}</td>
    </tr>
  )
}

function Table<D extends Judged>(p: Shown<D>) {
  const w = useWords()
  return (
    <table class="advised seat-review">
      <caption class="vh">{w.t('review')}</caption>
      <Head
        of={[
          p.head,
          { text: w.t('judgement'), class: 'word' },
          w.t('known'),
          p.of.seat.open_cost !== undefined && w.t('openCost'),
          w.t('better2'),
        ]}
      />
      <tbody>
        {p.of.decisions.map((d) => (
          <Row key={p.idOf(d)} {...p} d={d} />
        ))}
      </tbody>
    </table>
  )
}

/** The review of a player, or of one of several that is chosen. */
export function SeatReview<P extends string, D extends Judged, R extends Reviewed<P>>({
  answer,
  players,
  seat,
  setSeat,
  decisions,
  by,
  unit,
  none,
  why,
  ...shown
}: Columns<D> &
  Way & {
    answer: Answer<R>
    /** Those whose review can be chosen, by name. */
    players?: readonly (readonly [P, string])[]
    seat: P
    setSeat?(p: P): void
    /** The decisions of the player. */
    decisions(r: R): readonly D[]
    /** Who decided, if it is another player than the reader. */
    by?: string | undefined
    /** What the costs count, and what there is to say of them. */
    unit(r: R): string
    /** What is said of a player without a decision. */
    none?: string
    /** What is said of the decision at the cursor. It stands below the buttons, which keep their places. */
    why?(r: R, d: D | undefined): ComponentChildren
  }) {
  const w = useWords()
  const r = answer.value
  const own = r?.seats[seat]
  const list = r && own ? decisions(r) : []
  return (
    <>
      {players && (
        <div class="segments" role="group" aria-label={w.t('whose')}>
          {players.map(([p, name]) => (
            <button type="button" key={p} id={'review-' + p} aria-pressed={seat === p} onClick={() => setSeat!(p)}>
              {name}
            </button>
          ))}
        </div>
      )}
      {!r ? (
        <Waiting answer={answer} />
      ) : !own ? (
        none && <p class="hint">{none}</p>
      ) : (
        <>
          <Sum seat={own} by={by} jump={shown.jump} />
          {why?.(
            r,
            list.find((d) => d.number === shown.cursor + 1),
          )}
          <Table {...shown} of={{ decisions: list, seat: own, rule: r.rule }} />
          <p class="hint">{unit(r)}</p>
          <p class="hint" id="review-rule">
            {w.t('reviewRule', { least: r.rule.least_cost, errors: r.rule.standard_errors })}
          </p>
        </>
      )}
    </>
  )
}
