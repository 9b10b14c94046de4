// Playing against the players of the server: the bidding, and how a hand ended.

import { SuitIcon } from '../shared/art'
import type { Suit } from '../shared/cards'
import type { Session } from './api'
import { teamOf } from './seats'
import { type Key, useWords } from './words'

export const flowKey = (flow: string): Key => `flow_${flow}` as Key

/** The bidding, in the middle of the table: the calls so far, and those that the seat may make. */
export function Auction({ session, busy, call }: { session: Session; busy: boolean; call(c: string): void }) {
  const w = useWords()
  const turned = session.auction?.turned
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{w.t('yourCall')}</h2>
      {turned && turned.length > 0 && <p>{w.t('turnedSuit')} <SuitIcon suit={turned[turned.length - 1]!} /><span class="vh">{w.suit(turned[turned.length - 1]!)}</span></p>}
      {session.calls.length > 0 && (
        <ol>{session.calls.map((c, i) => <li key={i}>{w.seat(c.seat)}: {c.call === 'pass' ? w.t('passes') : <><SuitIcon suit={c.call as Suit} /><span class="vh">{w.suit(c.call as Suit)}</span></>}</li>)}</ol>
      )}
      <p class="calls">
        {session.legal_calls.map((c) => (
          <button type="button" key={c} data-call={c} aria-disabled={busy} title={c === 'pass' ? w.t('passTitle') : w.t('callTitle', { suit: w.suit(c) })} onClick={() => !busy && call(c)}>
            {c === 'pass' ? w.t('pass') : <><SuitIcon suit={c} /><span class="vh">{w.suit(c)}</span></>}
          </button>
        ))}
      </p>
    </section>
  )
}

/** How the hand ended, and the way on. */
export function Result({ session, busy, next, again }: { session: Session; busy: boolean; next(): void; again(): void }) {
  const w = useWords()
  const r = session.results[session.results.length - 1]
  if (!r) return null
  const mine = teamOf(session.seat)
  const better = session.totals[mine] > session.totals[mine === 'NS' ? 'EW' : 'NS']
  return (
    <div class={'verdict result ' + (r.won === (r.declarer === mine) ? 'made' : 'nat')} id="result">
      <b>{w.number(r.points[mine])}–{w.number(r.points[mine === 'NS' ? 'EW' : 'NS'])}</b>
      <span>{w.t(r.won ? 'resultMade' : 'resultNat', { team: w.team(r.declarer) })}{r.pit ? ' ' + w.t('resultPit') : ''}
        {session.hands > 1 && <small>{w.t(session.state === 'over' ? (better ? 'matchWon' : 'matchLost') : 'matchSoFar', { n: session.number, of: session.hands, us: w.number(session.totals[mine]), them: w.number(session.totals[mine === 'NS' ? 'EW' : 'NS']) })}</small>}
      </span>
      {session.state === 'hand_over'
        ? <button type="button" class="main" id="next-hand" aria-disabled={busy} onClick={() => !busy && next()}>{w.t('nextHand')}</button>
        : <button type="button" class="main" id="again" onClick={again}>{w.t('playAgain')}</button>}
    </div>
  )
}
