// What the decisions of one player were, judged on what that player could know: mistakes, bad luck, or right.

import type { ComponentChildren } from 'preact'
import type * as Schemas from '../contract'
import { useWords } from './frame'
import { otherOf } from './steps'
import type { Words } from './words'

type Verdict = Schemas.Verdict

/** A reviewed decision. Without knowledge there was no choice; without open nothing is known of open cards. */
export interface Judged {
  /** The number of the card or of the event, from 1. */
  number: number
  verdict: Verdict
  knowledge?: { cost: number; standard_error?: number; worlds: number | { used: number } }
  reason?: { code: string } | undefined
  open?: { cost: number }
}

/** How one player decided, and by which rule that was judged. */
export interface Verdicts<D> {
  decisions: readonly D[]
  seat: { verdicts: Schemas.Verdicts; knowledge_cost: number; open_cost?: number }
  rule: Schemas.ReviewRule
}

/** Whether the player could have known better. */
export const isMistake = (d: { verdict: Verdict }): boolean => d.verdict === 'mistake' || d.verdict === 'lucky'

const signs: Record<Verdict, string> = {
  right: '✓',
  unlucky: '☂',
  mistake: '✗',
  lucky: '!',
  uncertain: '?',
  forced: '·',
}

const minus = (text: string): string => text.replace('-', '−')
const points = (w: Words, n: number): string => minus(w.number(Math.round(n)))
const tenths = (w: Words, n: number): string => minus(w.number(Math.round(10 * n) / 10))

/** What is said of a decision besides its verdict. better is the one that was better, by name. */
export function whyText(w: Words, d: Judged, better: string): string {
  const { knowledge: k, verdict, open } = d
  if (k && isMistake(d)) return ' ' + w.t('reviewBetter', { card: better, n: points(w, k.cost) })
  if (k && verdict === 'uncertain') return ' ' + w.t('reviewUncertain', { n: points(w, k.cost) })
  return open && verdict === 'unlucky' ? ' ' + w.t('reviewUnlucky', { n: open.cost }) : ''
}

/** A reviewed card in one sentence. */
export const cardText = (w: Words, d: Judged & { trick: number }, card: string, better: string): string =>
  w.t('reviewSay', { trick: d.trick, card, verdict: w.t(`v_${d.verdict}`) }) + whyText(w, d, better)

/** The next mistake after the cursor, or the one before it, round the ends. From the end the next one is the first. */
export const otherMistake = <D extends Judged>(
  list: readonly D[],
  by: 1 | -1,
  cursor: number,
  atEnd: boolean,
): D | undefined => otherOf(list.filter(isMistake), by, atEnd && by > 0 ? -1 : cursor)

interface Mark {
  text: string
  said: string
  tone: string
}

/** What is shown of a decision on the table: below the card that was played, and below the one that was better. */
export function verdictMarks<C>(w: Words, d: Judged, card: C, better: C | undefined): Map<C, Mark> {
  const marks = new Map<C, Mark>()
  const wrong = isMistake(d)
  const cost = Math.round(d.knowledge?.cost ?? 0)
  if (better !== undefined && better !== card && (wrong || d.verdict === 'uncertain'))
    marks.set(better, { text: '★', said: w.t('advised'), tone: 'v-best' })
  const verdict = `${w.t('wasPlayed')}, ${w.t(`v_${d.verdict}`)}`
  marks.set(card, {
    text: signs[d.verdict] + (cost > 0 ? ` ${w.t('losesValue', { n: cost })}` : ''),
    said: cost > 0 ? `${verdict}, ${w.t('costsAbout', { n: cost })}` : verdict,
    tone: wrong ? 'v-much' : 'v-some',
  })
  return marks
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

/** Chooses the player whose decisions are shown. */
export function Whose<P extends string>({
  list,
  seat,
  set,
}: {
  list: readonly (readonly [P, string])[]
  seat: P
  set(p: NoInfer<P>): void
}) {
  const w = useWords()
  return (
    <div class="segments" role="group" aria-label={w.t('whose')}>
      {list.map(([p, name]) => (
        <button type="button" key={p} id={'review-' + p} aria-pressed={seat === p} onClick={() => set(p)}>
          {name}
        </button>
      ))}
    </div>
  )
}

/** How many mistakes there were, what everything cost, the way from mistake to mistake, and each decision. */
export function VerdictPanel<D extends Judged>({
  of: { decisions, seat, rule },
  by,
  cursor,
  head,
  name,
  idOf,
  better,
  text,
  unit,
  go,
  jump,
  children,
}: {
  of: Verdicts<D>
  /** Who decided, if it is another player than the reader. */
  by?: string | undefined
  cursor: number
  /** What stands above the column of the decisions. */
  head: string
  name(d: D): ComponentChildren
  /** How a decision is named in the page: a card, as the API writes it. */
  idOf(d: D): string
  better(d: D): ComponentChildren
  text(d: D): string
  /** What the costs count, and what there is to say of them. */
  unit: string
  go(to: number): void
  jump(by: 1 | -1): void
  /** What is said of the decision at the cursor. It stands below the buttons, which keep their places. */
  children?: ComponentChildren
}) {
  const w = useWords()
  const { verdicts, open_cost: open, knowledge_cost: known } = seat
  const wrong = verdicts.mistake + verdicts.lucky
  const others = (['right', 'unlucky', 'uncertain', 'forced'] as const)
    .filter((v) => verdicts[v] > 0)
    .map((v) => `${verdicts[v]} ${w.t(`v_${v}`)}`)
  return (
    <>
      <p class={'verdict ' + (wrong === 0 ? 'made' : 'nat')} id="seat-review">
        <b>{wrong}</b>
        <span>
          {by === undefined
            ? w.t(wrong === 1 ? 'oneMistake' : 'mistakesN')
            : w.t(wrong === 1 ? 'mistakeBy' : 'mistakesBy', { seat: by })}{' '}
          <small>{others.join(', ')}</small>
        </span>
      </p>
      <p class="row">
        <span class="grow hint">
          {by === undefined
            ? w.t('reviewKnown', { known: points(w, known) })
            : w.t('costsBy', { seat: by, known: points(w, known) })}
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
      {children}
      <table class="advised seat-review">
        <caption class="vh">{w.t('review')}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" class="word">
              {w.t('judgement')}
            </th>
            <th scope="col">{w.t('known')}</th>
            {open !== undefined && <th scope="col">{w.t('openCost')}</th>}
            <th scope="col">{w.t('better2')}</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map((d) => (
            <tr
              key={idOf(d)}
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
                <Known d={d} errors={rule.standard_errors} />
              </td>
              {open !== undefined && <td class="open">{d.open?.cost}</td>}
              <td>{isMistake(d) ? better(d) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{unit}</p>
      <p class="hint" id="review-rule">
        {w.t('reviewRule', { least: rule.least_cost, errors: rule.standard_errors })}
      </p>
    </>
  )
}
