// Playing against the players of the server: the bidding.

import { SuitIcon } from '../shared/art'
import type { Suit } from '../shared/cards'
import type { Session } from './api'
import { type Key, useWords } from './words'

export const flowKey = (flow: string): Key => `flow_${flow}` as Key

/** The bidding, in the middle of the table: the calls so far, and those that the seat may make. */
export function Auction({ session, busy, call }: { session: Session; busy: boolean; call(c: string): void }) {
  const w = useWords()
  const turned = session.auction?.turned
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{w.t('yourCall')}</h2>
      {turned && turned.length > 0 && (
        <p>
          {w.t('turnedSuit')} <SuitIcon suit={turned[turned.length - 1]!} />
          <span class="vh">{w.suit(turned[turned.length - 1]!)}</span>
        </p>
      )}
      {session.calls.length > 0 && (
        <ol>
          {session.calls.map((c, i) => (
            <li key={i}>
              {w.seat(c.seat)}
              {': '}
              {c.call === 'pass' ? (
                w.t('passes')
              ) : (
                <>
                  <SuitIcon suit={c.call as Suit} />
                  <span class="vh">{w.suit(c.call as Suit)}</span>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      <p class="calls">
        {session.legal_calls.map((c) => (
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
