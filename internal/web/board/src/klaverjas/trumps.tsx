// The outcome of the deal for each trump and each declaring team.

import type { Answer } from '../shared/answers'
import { SuitIcon } from '../shared/art'
import { type Suit, suits } from '../shared/cards'
import { Waiting } from '../shared/frame'
import { Head } from '../shared/head'
import type { TableAnswer } from './api'
import type { Position } from './rules'
import { type Team, teams } from './seats'
import { useWords } from './words'

export function Trumps({
  answer,
  position: p,
  choose,
}: {
  answer: Answer<TableAnswer>
  position: Position
  choose(trump: Suit, declarer: Team): void
}) {
  const w = useWords()
  const table = answer.value
  return (
    <>
      <p class="hint">{w.t('tableHint', { seat: w.seat(p.setup.leader) })}</p>
      <Waiting answer={answer} />
      {table && (
        <table class="trumps">
          <caption class="vh">{w.t('trumps')}</caption>
          <Head of={[w.t('tableTrump'), w.t('nsShort'), w.t('ewShort')]} />
          <tbody>
            {suits.map((s) => (
              <tr key={s}>
                <th scope="row">
                  <SuitIcon suit={s} />
                  <span class="vh">{w.suit(s)}</span>
                </th>
                {teams.map((t) => {
                  const e = table.outcomes[s][t]
                  const here = p.setup.trump === s && p.setup.declarer === t
                  return (
                    <td key={t}>
                      <button
                        type="button"
                        class={(e.won ? 'made' : 'nat') + (here ? ' here' : '')}
                        aria-pressed={here}
                        data-entry={s + t}
                        onClick={() => choose(s, t)}>
                        {w.signed(e.outcome)}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
