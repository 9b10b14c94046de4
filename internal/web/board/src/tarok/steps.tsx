// What was done before the first card of a hand, step by step.

import { Brief } from './brief'
import { type Card, type Player, next } from './cards'
import { type Position, start, takenOf } from './rules'
import type { Session } from './session'
import { bidSteps, bidText, setupOf } from './shown'
import type { Bonus } from './state'
import { type TarokWords, useTarok } from './words'

type Words = Session['words'][number]
type Step =
  | { kind: 'bid'; seat: Player; call: string }
  | { kind: 'exchange'; seat: Player; taken: readonly Card[]; away: readonly Card[] }
  | { kind: 'words'; seat: Player; words: Words }

/**
 * The session while bids and cards are coming, with the bids of some steps: what follows from them is as it was in the
 * session before.
 */
export function whileComing(s: Session, old: Session | null, steps: number): Session {
  if (steps < bidSteps(s)) {
    const { contract, declarer, group, ...rest } = s
    const said = { ...s.said, kontra: 'none' as const, announcements: {} }
    return { ...rest, state: 'bidding', calls: s.calls.slice(0, steps), talon: [], discards: [], said }
  }
  const { results, totals, radli } = old?.id === s.id ? old : s
  const { discards } = old?.id === s.id && old.number === s.number ? old : s
  return { ...s, state: 'playing', legal: [], results, totals, radli, discards }
}

/** The steps: the bids, the exchange if there was one, and each turn of the announcements. */
export function stepsOf(s: Session): Step[] {
  const setup = setupOf(s)
  const { declarer } = setup
  return [
    ...s.calls.map((b): Step => ({ kind: 'bid', ...b })),
    ...(setup.group === null
      ? []
      : [{ kind: 'exchange', seat: declarer, taken: takenOf(setup), away: setup.discards } as const]),
    ...s.words.map((words, i): Step => ({ kind: 'words', seat: next(declarer, i % 3), words })),
  ]
}

/** The number of the step in which the cards are exchanged, as a position before the first card. */
export const exchangeAt = (s: Session): number => -1 - s.words.length

/** The hand at a step before its first card: before the exchange the hands are those that were dealt. Nobody is to play. */
export function positionBefore(s: Session, at: number): Position {
  const setup = setupOf(s)
  return { ...start(at <= exchangeAt(s) ? { ...setup, group: null, discards: [] } : setup), phase: 'finished' }
}

function saidText(w: TarokWords, { bonuses = [], double = [] }: Words): string {
  const what = (b: string) => (b === 'game' ? w.b('game') : w.bonus(b as Bonus))
  const all = [
    ...bonuses.map((b) => w.b('stepAnnounced', { what: what(b) })),
    ...double.map((b) => w.b('stepDoubled', { what: what(b) })),
  ]
  return all.length > 0 ? all.join(', ') : w.b('saidNothing')
}

const stepText = (w: TarokWords, step: Step): string =>
  step.kind === 'bid'
    ? bidText(w, step.call)
    : step.kind === 'words'
      ? saidText(w, step.words)
      : w.b('exchanged', { taken: w.cards(step.taken), away: w.cards(step.away) })

/** The last step that was made, to be read aloud. */
export function lastText(w: TarokWords, s: Session, at: number): string {
  const last = stepsOf(s).slice(0, at).at(-1)
  return last ? `${w.player(last.seat)}: ${stepText(w, last)}.` : w.b('bids')
}

/** What was done up to a step: what is before the first card stands in the middle of the table. */
export function Steps({ session: s, at }: { session: Session; at: number }) {
  const w = useTarok()
  const all = stepsOf(s)
  const done = at < 0 ? all.slice(0, at) : all
  const brief = (list: readonly Card[]) =>
    list.map((c) => (
      <>
        {' '}
        <Brief key={c} card={c} />
      </>
    ))
  return (
    <section class="auction over" id="steps" aria-labelledby="steps-title">
      <h2 id="steps-title">{w.b('before')}</h2>
      <ol>
        {done.map((step, i) => (
          <li key={i} data-step={step.kind}>
            {w.player(step.seat)}:{' '}
            {step.kind === 'exchange' ? (
              <>
                +{brief(step.taken)} −{brief(step.away)}
              </>
            ) : (
              stepText(w, step)
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
