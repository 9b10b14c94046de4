// What a seat with hidden cards should do: which card to play, how strong its hand is, and what to call.

import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import type { Refined } from '../shared/refined'
import { adviceMark, costBetween } from './advicemark'
import type { Advice, Bid, HandStrength } from './api'
import type { Rules } from './rules'
import { rulesText } from './url'
import { type Words, useWords } from './words'

type Advised = Advice['cards'][number]

const percent = (p: number): string => `${Math.round(100 * p)} %`

// The interval in which the cost lies, with 95 %.
function interval(w: Words, a: Advised): string {
  const se = a.standard_errors?.cost
  return se === undefined || se === 0 ? w.t('exactly') : w.t('fromTo', costBetween(w, a))
}

/** Which card to play, and what each legal card costs against it. */
export function AdvicePanel({
  answer,
  declares,
  method,
  setMethod,
  playCard,
}: {
  answer: Refined<Advice>
  /** Whether the team of the seat declares. */
  declares: boolean
  method: 'playout' | 'search'
  setMethod(m: 'playout' | 'search'): void
  playCard(c: Card): void
}) {
  const w = useWords()
  const a = answer.value
  return (
    <>
      <div class="segments" role="group" aria-label={w.t('judged')}>
        {(['playout', 'search'] as const).map((m) => (
          <button
            type="button"
            key={m}
            id={'by-' + m}
            aria-pressed={method === m}
            title={w.t(m === 'playout' ? 'byPlayoutHint' : 'bySearchHint')}
            onClick={() => setMethod(m)}>
            {w.t(m === 'playout' ? 'byPlayout' : 'bySearch')}
          </button>
        ))}
      </div>
      <Waiting answer={answer} />
      {a && a.cards.length === 1 && (
        <p class="verdict close-call">
          <b aria-hidden="true">★</b>
          <span>
            <Brief card={parseCard(a.card)!} /> <small>{w.t('onlyCard')}</small>
          </span>
        </p>
      )}
      {a && a.cards.length > 1 && (
        <>
          <p
            class={'verdict ' + (a.confidence === 'clear' ? 'made' : 'close-call')}
            id="advice"
            data-card={a.card}
            data-answers={answer.answers}
            data-refining={answer.refining}
            data-confidence={a.confidence}>
            <b class="brief-large">
              <Brief card={parseCard(a.card)!} />
            </b>
            <span>
              {w.t(a.confidence === 'clear' ? 'adviceClear' : 'adviceClose')}{' '}
              <small>
                {a.worlds.all
                  ? w.t('allWorlds', { n: w.number(a.worlds.used) })
                  : w.t('someWorlds', { n: w.number(a.worlds.used) })}
                {answer.refining && ', ' + w.t('refining')}
              </small>
            </span>
          </p>
          <table class="advised">
            <caption class="vh">{w.t('advice')}</caption>
            <Head
              of={[
                w.t('card'),
                w.t('costs'),
                { text: w.t('between'), class: 'spread' },
                w.t('bestIn'),
                w.t(declares ? 'makesIt' : 'setsIt'),
              ]}
            />
            <tbody>
              {a.cards.map((x) => {
                const mark = adviceMark(w, x)
                return (
                  <tr key={x.card} class={x.card === a.card ? 'best' : ''} data-advised={x.card} data-cost={x.cost}>
                    <th scope="row">
                      <button type="button" onClick={() => playCard(parseCard(x.card)!)}>
                        <Brief card={parseCard(x.card)!} />
                      </button>
                    </th>
                    <td>
                      <span aria-hidden="true">{mark.text}</span>
                      <span class="vh">{mark.said}</span>
                    </td>
                    <td class="spread">{x.card === a.card ? '' : interval(w, x)}</td>
                    <td>{percent(x.best_in)}</td>
                    <td data-wins={x.card}>
                      {percent(declares ? (x.win_probability ?? 0) : 1 - (x.win_probability ?? 0))}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          <p class="hint">
            {w.t(method === 'playout' ? 'byPlayoutHint' : 'bySearchHint')} {w.t('standingHint', { n: 5 })}
          </p>
        </>
      )}
    </>
  )
}

/** How strong the hand is for each trump, before a card is played. */
export function Strength({ answer }: { answer: Answer<HandStrength> }) {
  const w = useWords()
  const s = answer.value
  return (
    <section aria-labelledby="strength-title">
      <h3 id="strength-title">{w.t('strength')}</h3>
      <Waiting answer={answer} />
      {s && (
        <>
          <table class="advised" id="strength">
            <caption class="vh">{w.t('strength')}</caption>
            <Head of={[w.t('trump'), w.t('wins'), w.t('outcome'), w.t('pointCount')]} />
            <tbody>
              {s.trumps.map((x) => (
                <tr key={x.trump} data-strength={x.trump}>
                  <th scope="row">
                    <SuitIcon suit={x.trump} />
                    <span class="vh">{w.suit(x.trump)}</span>
                  </th>
                  <td>{percent(x.table_win_probability ?? x.win_probability)}</td>
                  <td>{w.signed(Math.round(x.table_outcome ?? x.outcome.mean))}</td>
                  <td>{x.point_count}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">{w.t('strengthHint', { team: w.team(s.declarer) })}</p>
        </>
      )}
    </section>
  )
}

// How much better the advised call is than passing, or passing than the best trump: in points, and in chances.
function gainText(w: Words, b: Bid, pass: NonNullable<Bid['pass']>): string {
  const best = b.trumps[0]!
  const chances = [best.table_win_probability, pass.win_probability].map(percent)
  const [a, other] = b.call === 'pass' ? chances.reverse() : chances
  return w.t(b.call === 'pass' ? 'passBetter' : 'bidBetter', {
    n: Math.abs(Math.round(best.value - pass.value)),
    a: a!,
    b: other!,
  })
}

/** What to call, and what each call is worth. */
export function BidPanel({ answer, passed, rules }: { answer: Answer<Bid>; passed: boolean; rules: Rules }) {
  const w = useWords()
  const house = !['', 'amsterdam'].includes(rulesText(rules))
  const b = answer.value
  return (
    <section aria-labelledby="bid-title">
      <h3 id="bid-title">{w.t('bidding')}</h3>
      {passed && <p class="hint">{w.t('ifPassed')}</p>}
      {house && <p class="hint">{w.t('callHint')}</p>}
      <Waiting answer={answer} />
      {b && (
        <>
          <p class="verdict made" id="bid" data-call={b.call}>
            <b>{b.call === 'pass' ? w.t('pass') : <SuitIcon suit={b.call as 'C'} />}</b>
            <span>
              {b.call === 'pass' ? w.t('bidPass') : w.t('bidTrump', { suit: w.suit(b.call as 'C') })}{' '}
              <small>{b.pass ? gainText(w, b, b.pass) : w.t('bidWorth', { n: w.signed(Math.round(b.value)) })}</small>
            </span>
          </p>
          <table class="advised">
            <caption class="vh">{w.t('bidding')}</caption>
            <Head of={[w.t('call'), w.t('worth'), b.pass && w.t('againstPass'), w.t('wins')]} />
            <tbody>
              {b.trumps.map((x) => (
                <tr key={x.trump} class={b.call === x.trump ? 'best' : ''} data-bid={x.trump}>
                  <th scope="row">
                    <SuitIcon suit={x.trump} />
                    <span class="vh">{w.suit(x.trump)}</span>
                  </th>
                  <td>{w.signed(Math.round(x.value))}</td>
                  {b.pass && <td>{w.signed(Math.round(x.value - b.pass.value))}</td>}
                  <td>{percent(x.table_win_probability)}</td>
                </tr>
              ))}
              {b.pass && (
                <tr class={b.call === 'pass' ? 'best' : ''} data-bid="pass">
                  <th scope="row">{w.t('pass')}</th>
                  <td>{w.signed(Math.round(b.pass.value))}</td>
                  <td />
                  <td>{percent(b.pass.win_probability)}</td>
                </tr>
              )}
            </tbody>
          </table>
          <p class="hint">{w.t('bidHint')}</p>
        </>
      )}
    </section>
  )
}
