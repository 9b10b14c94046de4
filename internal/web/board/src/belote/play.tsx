// Calling while the cards are dealt.

import { SuitIcon } from '../shared/art'
import type { Suit } from '../shared/cards'
import type { Call, Session } from './session'
import { type BeloteWords, useBelote } from './words'

type Made = Session['calls'][number]

const madeText = (w: BeloteWords, c: Made): string => (c.call === 'pass' ? w.t('passes') : w.suit(c.call as Suit))

/** The calls that were made. */
export function Calls({ calls }: { calls: readonly Made[] }) {
  const w = useBelote()
  return calls.length === 0 ? null : (
    <ol>
      {calls.map((c, i) => (
        <li key={i}>
          {w.player(c.seat)} {madeText(w, c)}
        </li>
      ))}
    </ol>
  )
}

/** The last of the calls, to be read aloud. */
export function stepText(w: BeloteWords, calls: readonly Made[]): string {
  const last = calls.at(-1)
  return last ? w.t('said', { seat: w.player(last.seat), card: madeText(w, last) }) : w.t('bidding')
}

/** The calls so far, and those that may be made, in the middle of the table. */
export function Auction({ session: s, busy, call }: { session: Session; busy: boolean; call(c: Call): void }) {
  const w = useBelote()
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{busy ? w.b('computerCalls') : w.t('yourCall')}</h2>
      <Calls calls={s.calls} />
      <p class="calls">
        {(s.legal_calls as Call[]).map((c) => (
          <button
            type="button"
            key={c}
            data-call={c}
            aria-disabled={busy}
            title={c === 'pass' ? w.t('passTitle') : w.t('callTitle', { suit: w.suit(c) })}
            onClick={() => !busy && call(c)}>
            {c === 'pass' ? (
              w.t('pass')
            ) : (
              <>
                <SuitIcon suit={c} />
                <span class="vh">{w.suit(c)}</span>
              </>
            )}
          </button>
        ))}
      </p>
    </section>
  )
}
