// What the decisions of one player were, judged on what that player could know: mistakes, bad luck, or right. In words, and as marks.

import type * as Schemas from '../contract'
import type { Card } from './cards'
import { otherOf } from './steps'
import type { Words } from './words'
import type { Mark } from './standing'

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

export const signs: Record<Verdict, string> = {
  right: '✓',
  unlucky: '☂',
  mistake: '✗',
  lucky: '!',
  uncertain: '?',
  forced: '·',
}

const minus = (text: string): string => text.replace('-', '−')
export const points = (w: Words, n: number): string => minus(w.number(Math.round(n)))
export const tenths = (w: Words, n: number): string => minus(w.number(Math.round(10 * n) / 10))

/** What is said of a decision besides its verdict. better is the one that was better, by name. */
export function whyText(w: Words, d: Judged, better: string): string {
  const { knowledge: k, verdict, open } = d
  if (k && isMistake(d)) return ' ' + w.t('reviewBetter', { card: better, n: points(w, k.cost) })
  if (k && verdict === 'uncertain') return ' ' + w.t('reviewUncertain', { n: points(w, k.cost) })
  return open && verdict === 'unlucky' ? ' ' + w.t('reviewUnlucky', { n: open.cost }) : ''
}

/** A card that was reviewed. */
export interface JudgedCard extends Judged {
  trick: number
  card: string
  knowledge?: NonNullable<Judged['knowledge']> & { advised: string }
}

type Parse = (card: string) => Card | null

const advisedOf = (c: JudgedCard, parse: Parse): Card | undefined =>
  c.knowledge ? parse(c.knowledge.advised)! : undefined

/** A reviewed card in one sentence. */
export function cardText(w: Words, c: JudgedCard, parse: Parse): string {
  const better = advisedOf(c, parse)
  const verdict = w.t(`v_${c.verdict}`)
  return (
    w.t('reviewSay', { trick: c.trick, card: w.card(parse(c.card)!), verdict }) +
    whyText(w, c, better === undefined ? '' : w.card(better))
  )
}

/** The next mistake after the cursor, or the one before it, round the ends. From the end the next one is the first. */
export const otherMistake = <D extends Judged>(
  list: readonly D[],
  by: 1 | -1,
  cursor: number,
  atEnd: boolean,
): D | undefined => otherOf(list.filter(isMistake), by, atEnd && by > 0 ? -1 : cursor)

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

/** What is shown of the card that was played next, and of the better one. */
export function cardMarks(
  w: Words,
  cards: readonly JudgedCard[] | undefined,
  cursor: number,
  parse: Parse,
): Map<Card, Mark> {
  const c = cards?.find((x) => x.number === cursor + 1)
  return c ? verdictMarks(w, c, parse(c.card)!, advisedOf(c, parse)) : new Map()
}
