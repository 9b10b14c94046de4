// The score sheet of a game.

import { OpenHand } from '../shared/earlier'
import { Head } from '../shared/head'
import type { Looks } from '../shared/session'
import type { Session } from './session'
import { useTarok } from './words'

const sides = ['you', 'left', 'right'] as const

/**
 * The scores and the radli. Each hand that is over can be looked at again. While one is shown, the sheet stays the
 * sheet of the game. shown is the session as the page shows it: while cards come, without what follows from them.
 */
export function Sheet({ shown, session, game }: { shown: Session; session: Session; game: Looks }) {
  const w = useTarok()
  const of = game.earlier > 0 ? session : shown
  const { results } = of
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <Head of={[null, ...sides.map((x) => w.b(x))]} />
      <tbody>
        <tr>
          <th scope="row">{w.b('radli')}</th>
          {sides.map((x) => (
            <td key={x}>{of.radli[x]}</td>
          ))}
        </tr>
        {results.map((r) => (
          <tr key={r.number}>
            <th scope="row">
              {session.hands > 1 ? (
                <OpenHand game={game} number={r.number} present={session.number}>
                  {w.b('handRow', { n: r.number, contract: w.contract(r.score.contract) })}
                </OpenHand>
              ) : (
                w.b('handRow', { n: r.number, contract: w.contract(r.score.contract) })
              )}
            </th>
            {sides.map((x) => (
              <td key={x}>{w.signed(r.points[x])}</td>
            ))}
          </tr>
        ))}
        <tr class="total">
          <th scope="row">{w.t('total')}</th>
          {sides.map((x) => (
            <td key={x} data-total={x}>
              {w.signed(of.totals[x])}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}
