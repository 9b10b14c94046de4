// The score sheet of a match.

import { SuitIcon } from '../shared/art'
import type { Session } from './api'
import { teams } from './seats'
import { useWords } from './words'

export function Sheet({ session }: { session: Session }) {
  const w = useWords()
  return (
    <table class="advised sheet">
      <caption class="vh">{w.t('sheet')}</caption>
      <thead><tr><th scope="col">{w.t('handN')}</th><th scope="col">{w.t('trump')}</th><th scope="col" class="word">{w.t('declarer')}</th>{teams.map((t) => <th scope="col" key={t}>{w.t(t === 'NS' ? 'nsShort' : 'ewShort')}</th>)}</tr></thead>
      <tbody>
        {session.results.map((r) => (
          <tr key={r.number}><th scope="row">{r.number}</th><td><SuitIcon suit={r.trump} /><span class="vh">{w.suit(r.trump)}</span></td><td class="word">{w.t(r.declarer === 'NS' ? 'nsShort' : 'ewShort')}{r.won ? '' : ` ${w.t('natShort')}`}{r.pit ? ` ${w.t('pit')}` : ''}</td>
            {teams.map((t) => <td key={t}>{w.number(r.points[t])}</td>)}</tr>
        ))}
      </tbody>
      <tfoot><tr><th scope="row" colSpan={3}>{w.t('total')}</th>{teams.map((t) => <td key={t} data-total={t}>{w.number(session.totals[t])}</td>)}</tr></tfoot>
    </table>
  )
}
