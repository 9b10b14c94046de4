// Playing against the players of the server: the bidding, and what is seen of it afterwards.

import { SuitIcon } from '../shared/art'
import type { Suit } from '../shared/cards'
import { Head } from '../shared/head'
import type { Session } from './api'
import { type Seat, next, seats } from './seats'
import { type Words, useWords } from './words'

/** Who calls next at a step before the first card of a hand that is over. */
export const askedAt = (s: Session, step: number): Seat | undefined =>
  step < 0 ? s.calls[s.calls.length + step]!.seat : undefined

/** The last call before such a step, to be read aloud. */
export function callStepText(w: Words, s: Session, step: number): string {
  const last = s.calls[s.calls.length + step - 1]
  return last
    ? w.t('said', { seat: w.seat(last.seat), card: last.call === 'pass' ? w.t('passes') : w.suit(last.call as Suit) })
    : w.t('dealtBy', { seat: w.seat(s.dealer) })
}

/** What a call is, to look at and to be read. */
export function CallText({ call }: { call: string }) {
  const w = useWords()
  if (call === 'pass') return <>{w.t('passes')}</>
  return (
    <>
      <SuitIcon suit={call as Suit} />
      <span class="vh">{w.suit(call as Suit)}</span>
    </>
  )
}

/** The calls of a hand by seat, in rounds. asked is the seat that is to call. */
export function CallTable({ session, asked }: { session: Session; asked?: Seat | undefined }) {
  const w = useWords()
  const order = seats.map((_, i) => next(session.calls[0]?.seat ?? asked ?? session.leader, i))
  const calls = [...session.calls.map((c) => c.call), ...(asked ? ['?'] : [])]
  const rounds = Array.from({ length: Math.ceil(calls.length / 4) }, (_, r) => calls.slice(4 * r, 4 * r + 4))
  return (
    <table class="called-by">
      <caption>{w.t('dealtBy', { seat: w.seat(session.dealer) })}</caption>
      <Head of={order.map((s) => w.seat(s))} />
      <tbody>
        {rounds.map((round, r) => (
          <tr key={r}>
            {round.map((c, i) => (
              <td key={i}>{c === '?' ? '…' : <CallText call={c} />}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What stands beside the name of a seat: that it has dealt, its last call, and what it declares. */
export function Role({ session, seat }: { session: Session; seat: Seat }) {
  const w = useWords()
  const last = session.state === 'bidding' ? session.calls.findLast((c) => c.seat === seat)?.call : undefined
  return (
    <>
      {session.dealer === seat && <span class="role">{w.t('dealer')}</span>}
      {last && (
        <span class="role said">
          <CallText call={last} />
        </span>
      )}
      {session.called_by === seat && session.view && (
        <span class="role said">
          <SuitIcon suit={session.view.trump} />
          <span class="vh">{w.t('declares', { suit: w.suit(session.view.trump) })}</span>
        </span>
      )}
    </>
  )
}

/** The bidding, in the middle of the table: the calls so far, and those that the seat may make. */
export function Auction({
  session,
  busy,
  coming,
  call,
}: {
  session: Session
  busy: boolean
  /** Whether calls of the others come one by one. */
  coming: boolean
  call(c: string): void
}) {
  const w = useWords()
  const turned = session.auction?.turned
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{w.t(coming ? 'bidding' : 'yourCall')}</h2>
      {turned && turned.length > 0 && (
        <p>
          {w.t('turnedSuit')} <SuitIcon suit={turned[turned.length - 1]!} />
          <span class="vh">{w.suit(turned[turned.length - 1]!)}</span>
        </p>
      )}
      <CallTable session={session} asked={session.seat} />
      <p class="calls">
        {session.legal_calls.map((c) => (
          <button
            type="button"
            key={c}
            data-call={c}
            aria-disabled={busy || coming}
            title={c === 'pass' ? w.t('passTitle') : w.t('callTitle', { suit: w.suit(c) })}
            onClick={() => !busy && !coming && call(c)}>
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
