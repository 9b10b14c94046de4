// The sheet of a game of several hands.

import { OpenHand } from '../shared/earlier'
import { Head } from '../shared/head'
import type { Looks } from '../shared/session'
import type { Trump } from './rules'
import type { Session } from './session'
import { useBelote } from './words'

/** What was written down for the hands that are over. Each can be looked at again. */
export function Sheet({
  results,
  game,
  present,
  held,
}: {
  results: Session['results']
  game: Looks
  /** The number of the hand that is played. */
  present: number
  /** The points for the winner of a later hand. */
  held: number
}) {
  const w = useBelote()
  const sum = (of: 'you' | 'opponent'): number => results.reduce((n, r) => n + r.points[of], 0)
  return (
    <>
      <table class="sheet" id="sheet">
        <caption>{w.t('sheet')}</caption>
        <Head of={[null, w.b('you'), w.b('computer')]} />
        <tbody>
          {results.map((r) => (
            <tr key={r.number}>
              <th scope="row">
                <OpenHand game={game} number={r.number} present={present}>
                  {w.b('handRow', { n: r.number, trump: w.trump(r.trump as Trump) })}
                </OpenHand>
              </th>
              <td>{r.points.you}</td>
              <td>{r.points.opponent}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{w.t('total')}</th>
            <td data-total="me">{sum('you')}</td>
            <td data-total="opp">{sum('opponent')}</td>
          </tr>
        </tfoot>
      </table>
      {held > 0 && <p class="hint">{w.b('heldPoints', { n: held })}</p>}
    </>
  )
}
