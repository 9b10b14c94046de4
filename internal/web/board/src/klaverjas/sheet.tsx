// How a hand ended, and the score sheet of a match.

import { SuitIcon } from '../shared/art'
import { OpenHand } from '../shared/earlier'
import { Head } from '../shared/head'
import type { Looks } from '../shared/session'
import type { Session } from './api'
import { Compared } from './compared'
import { teamOf, teams } from './seats'
import { type Key, useWords } from './words'

// How a match stands, or has ended.
function matchText({ state, target }: Session, better: boolean): Key {
  if (state !== 'over') return target ? 'matchTo' : 'matchSoFar'
  if (better) return target ? 'matchToWon' : 'matchWon'
  return target ? 'matchToLost' : 'matchLost'
}

/** How the hand ended, and the way on. */
export function Result({
  session,
  earlier,
  busy,
  next,
  again,
}: {
  session: Session
  /** Whether a later hand is played, so that nothing follows here. */
  earlier: boolean
  busy: boolean
  next(): void
  again(): void
}) {
  const w = useWords()
  const r = session.results[session.results.length - 1]
  if (!r) return null
  const mine = teamOf(session.seat)
  const better = session.totals[mine] > session.totals[mine === 'NS' ? 'EW' : 'NS']
  return (
    <>
      <div class={'verdict result ' + (r.won === (r.declarer === mine) ? 'made' : 'nat')} id="result">
        <b>
          {w.number(r.points[mine])}–{w.number(r.points[mine === 'NS' ? 'EW' : 'NS'])}
        </b>
        <span>
          {w.t(r.won ? 'resultMade' : 'resultNat', { team: w.team(r.declarer) })}
          {r.pit ? ' ' + w.t('resultPit') : ''}
          {session.hands > 1 && (
            <small>
              {w.t(matchText(session, better), {
                n: session.number,
                of: session.target ? w.number(session.target) : session.hands,
                us: w.number(session.totals[mine]),
                them: w.number(session.totals[mine === 'NS' ? 'EW' : 'NS']),
              })}
            </small>
          )}
        </span>
        {earlier ? null : session.state === 'hand_over' ? (
          <button type="button" class="main" id="next-hand" aria-disabled={busy} onClick={() => !busy && next()}>
            {w.t('nextHand')}
          </button>
        ) : (
          <button type="button" class="main" id="again" onClick={again}>
            {w.t('playAgain')}
          </button>
        )}
      </div>
      <Compared session={session} />
    </>
  )
}

/** The score sheet of a match. Each hand that is over can be looked at again. */
export function Sheet({ session, game }: { session: Session; game: Looks }) {
  const w = useWords()
  return (
    <table class="advised sheet">
      <caption class="vh">{w.t('sheet')}</caption>
      <Head
        of={[w.t('handN'), w.t('trump'), { text: w.t('declarer'), class: 'word' }, w.t('nsShort'), w.t('ewShort')]}
      />
      <tbody>
        {session.results.map((r) => (
          <tr key={r.number}>
            <th scope="row">
              <OpenHand game={game} number={r.number} present={session.number}>
                {r.number}
              </OpenHand>
            </th>
            <td>
              <SuitIcon suit={r.trump} />
              <span class="vh">{w.suit(r.trump)}</span>
            </td>
            <td class="word">
              {w.t(r.declarer === 'NS' ? 'nsShort' : 'ewShort')}
              {r.won ? '' : ` ${w.t('natShort')}`}
              {r.pit ? ` ${w.t('pit')}` : ''}
            </td>
            {teams.map((t) => (
              <td key={t}>{w.number(r.points[t])}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {w.t('total')}
          </th>
          {teams.map((t) => (
            <td key={t} data-total={t}>
              {w.number(session.totals[t])}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}
