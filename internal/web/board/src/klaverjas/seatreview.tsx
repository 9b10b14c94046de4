// What one seat's cards were, judged on what it could know: mistakes, bad luck, or right.

import type { Answer } from '../shared/answers'
import { Brief } from '../shared/card'
import { parseCard } from '../shared/cards'
import { Waiting } from '../shared/frame'
import type { ReviewedCard, SeatReview } from './api'
import { type Words, useWords } from './words'

/** Whether the seat could have known better. */
export const isMistake = (c: ReviewedCard): boolean => c.verdict === 'mistake' || c.verdict === 'lucky'

const signs: Record<ReviewedCard['verdict'], string> = {
  right: '✓',
  unlucky: '☂',
  mistake: '✗',
  lucky: '!',
  uncertain: '?',
  forced: '·',
}

const points = (w: Words, n: number): string => w.number(Math.round(n))
const tenths = (w: Words, n: number): string => w.number(Math.round(10 * n) / 10)

/**
 * What a card cost on knowledge, with so many standard errors as the rule of the verdicts has: a reader can check the
 * verdict.
 */
function Known({ c, errors }: { c: ReviewedCard; errors: number }) {
  const w = useWords()
  if (!c.knowledge) return null
  const { cost, standard_error: error, worlds } = c.knowledge
  return (
    <span title={w.t('reviewWorlds', { n: worlds.used })}>
      {tenths(w, cost)}
      {error === undefined ? ' ± ?' : error > 0 ? ` ± ${tenths(w, errors * error)}` : ''}
    </span>
  )
}

/** A reviewed card in one sentence. */
export function verdictText(w: Words, c: ReviewedCard): string {
  const parts = [w.t('reviewSay', { trick: c.trick, card: w.card(parseCard(c.card)!), verdict: w.t(`v_${c.verdict}`) })]
  if (c.knowledge && isMistake(c))
    parts.push(w.t('reviewBetter', { card: w.card(parseCard(c.knowledge.advised)!), n: points(w, c.knowledge.cost) }))
  if (c.knowledge && c.verdict === 'uncertain') parts.push(w.t('reviewUncertain', { n: points(w, c.knowledge.cost) }))
  if (c.verdict === 'unlucky') parts.push(w.t('reviewUnlucky', { n: c.open.cost }))
  return parts.join(' ')
}

export function SeatReviewPanel({
  answer,
  cursor,
  go,
  jump,
}: {
  answer: Answer<SeatReview>
  cursor: number
  go(to: number): void
  jump(by: 1 | -1): void
}) {
  const w = useWords()
  const r = answer.value
  if (!r) return <Waiting answer={answer} />
  const { verdicts, open_cost: open, knowledge_cost: known } = r.seats[r.cards[0]!.seat]! // one seat was asked for
  const wrong = verdicts.mistake + verdicts.lucky
  return (
    <>
      <p class={'verdict ' + (wrong === 0 ? 'made' : 'nat')} id="seat-review">
        <b>{wrong}</b>
        <span>
          {w.t(wrong === 1 ? 'oneMistake' : 'mistakesN')}{' '}
          <small>
            {(['right', 'unlucky', 'uncertain', 'forced'] as const)
              .filter((v) => verdicts[v] > 0)
              .map((v) => `${verdicts[v]} ${w.t(`v_${v}`)}`)
              .join(', ')}
          </small>
        </span>
      </p>
      <p class="row">
        <span class="grow hint">
          {w.t('reviewKnown', { known: points(w, known) })} {w.t('reviewOpen', { open })}
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
      <table class="advised seat-review">
        <caption class="vh">{w.t('review')}</caption>
        <thead>
          <tr>
            <th scope="col">{w.t('card')}</th>
            <th scope="col" class="word">
              {w.t('judgement')}
            </th>
            <th scope="col">{w.t('known')}</th>
            <th scope="col">{w.t('openCost')}</th>
            <th scope="col">{w.t('better2')}</th>
          </tr>
        </thead>
        <tbody>
          {r.cards.map((c) => (
            <tr
              key={c.number}
              data-reviewed={c.card}
              data-verdict={c.verdict}
              class={isMistake(c) ? 'wrong' : c.verdict === 'unlucky' ? 'luck' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class={c.number === cursor + 1 ? 'here' : ''}
                  title={verdictText(w, c)}
                  onClick={() => go(c.number - 1)}>
                  <Brief card={parseCard(c.card)!} />
                </button>
              </th>
              <td class="word">
                <span aria-hidden="true">{signs[c.verdict]} </span>
                {w.t(`v_${c.verdict}`)}
              </td>
              <td class="known">
                <Known c={c} errors={r.rule.standard_errors} />
              </td>
              <td>{c.open.cost}</td>
              <td>{c.knowledge && isMistake(c) ? <Brief card={parseCard(c.knowledge.advised)!} /> : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{w.t('reviewHint')}</p>
      <p class="hint" id="review-rule">
        {w.t('reviewRule', { least: r.rule.least_cost, errors: r.rule.standard_errors })}
      </p>
    </>
  )
}
