// The sheet of a game.

import { OpenHand } from '../shared/earlier'
import { Head } from '../shared/head'
import type { Looks } from '../shared/session'
import type { Session } from './state'
import { useGin } from './words'

/** The rounds of a game. Each that is over can be looked at again. */
export function Sheet({ session: s, game }: { session: Session; game: Looks }) {
  const w = useGin()
  if (s.results.length === 0) return <p class="hint">{w.g('noRounds')}</p>
  const how = { knock: 'hKnock', gin: 'hGin', undercut: 'hUndercut', void: 'hVoid' } as const
  return (
    <table class="advised sheet">
      <caption class="vh">{w.t('sheet')}</caption>
      <Head of={[w.g('roundHead'), { text: w.g('how'), class: 'word' }, w.g('you'), w.g('computer')]} />
      <tbody>
        {s.results.map((r) => (
          <tr key={r.number}>
            <th scope="row">
              <OpenHand game={game} number={r.number} present={s.number}>
                {r.number}
              </OpenHand>
            </th>
            <td class="word">{w.g(how[r.result])}</td>
            <td>{r.points.A}</td>
            <td>{r.points.B}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {w.t('total')}
          </th>
          <td>{s.totals.A}</td>
          <td>{s.totals.B}</td>
        </tr>
      </tfoot>
    </table>
  )
}
