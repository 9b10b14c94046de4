// The tricks of a hand, and its score part by part.

import type { Answer } from '../shared/answers'
import { Waiting } from '../shared/frame'
import { Brief } from './brief'
import { players, points } from './cards'
import type { Position } from './rules'
import type { Score } from './panel'
import { SaidTable } from './said'
import { type Said, bonuses } from './state'
import { type TarokKey, useTarok } from './words'

/** The tricks so far, by player. A card is a way to go there. */
export function Tricks({ position: p, cursor, go }: { position: Position; cursor: number; go(to: number): void }) {
  const w = useTarok()
  if (p.tricks.length === 0) return <p class="hint">{w.b('tricksLater')}</p>
  return (
    <table class="review">
      <caption class="vh">{w.t('tricks')}</caption>
      <thead>
        <tr>
          <th scope="col">{w.t('trick')}</th>
          {players.map((x) => (
            <th scope="col" key={x} aria-label={w.player(x)}>
              {x}
            </th>
          ))}
          <th scope="col">{w.b('points')}</th>
        </tr>
      </thead>
      <tbody>
        {p.tricks.map((t, n) => (
          <tr key={n}>
            <th scope="row">{n + 1}</th>
            {players.map((x) => {
              const i = (players.indexOf(x) - players.indexOf(t.leader) + 3) % 3
              const at = 3 * n + i
              return (
                <td key={x}>
                  <button
                    type="button"
                    class={
                      (i === 0 ? 'lead' : '') + (t.winner === x ? ' wins' : '') + (at + 1 === cursor ? ' here' : '')
                    }
                    onClick={() => go(at + 1)}>
                    <Brief card={t.cards[i]!} />
                    {i === 0 && <span class="vh"> {w.t('leads')}</span>}
                    {t.winner === x && <span class="vh"> {w.b('wins')}</span>}
                  </button>
                </td>
              )
            })}
            <td>{points(t.thirds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What a finished hand scores, part by part. */
export function ScoreParts({ score: s }: { score: Score }) {
  const w = useTarok()
  const row = (key: string, name: string, value: number | undefined, show = value !== 0) =>
    value !== undefined && show ? (
      <tr key={key}>
        <th scope="row">{name}</th>
        <td data-part={key}>{w.signed(value)}</td>
      </tr>
    ) : null
  const part = (key: TarokKey) => w.b(key)
  return (
    <table class="advised parts" id="score">
      <caption class="vh">{w.t('score')}</caption>
      <tbody>
        {s.declarer && (
          <tr>
            <th scope="row">
              {s.opponents_points === undefined ? w.b('countedOf', { player: w.player(s.declarer) }) : w.b('counted')}
            </th>
            <td id="counted">
              {s.opponents_points === undefined ? s.declarer_points : `${s.declarer_points} : ${s.opponents_points}`}
            </td>
          </tr>
        )}
        {s.points &&
          players.map((x) => (
            <tr key={x}>
              <th scope="row">{w.b('countedOf', { player: w.player(x) })}</th>
              <td>{s.points![x]}</td>
            </tr>
          ))}
        {s.declarer && row('game', `${w.contract(s.contract)}, ${w.b(s.won ? 'won' : 'lost')}`, s.game, true)}
        {s.bonuses && row('difference', part('difference'), s.difference, true)}
        {s.bonuses && bonuses.map((b) => row(b, w.bonus(b), s.bonuses![b]))}
        {s.radl && (
          <tr>
            <th scope="row">{w.b('radl')}</th>
            <td>× 2</td>
          </tr>
        )}
        {players.map((x) => row('mond-' + x, w.b('mondOf', { player: w.player(x) }), s.mond[x]))}
      </tbody>
      <tfoot>
        {players.map((x) =>
          x === s.declarer || !s.declarer || s.total[x] !== 0 ? (
            <tr key={x}>
              <th scope="row">{w.player(x)}</th>
              <td data-total={x}>{w.signed(s.total[x])}</td>
            </tr>
          ) : null,
        )}
      </tfoot>
    </table>
  )
}

/** What was announced and doubled, to be chosen, and the score of a finished hand. */
export function Scoring({
  position: p,
  said,
  answer,
  change,
}: {
  position: Position
  said: Said
  answer: Answer<Score>
  change(s: Said): void
}) {
  const w = useTarok()
  const { contract } = p.setup
  return (
    <>
      {contract !== 'klop' && <SaidTable contract={contract} said={said} change={change} />}
      {p.phase !== 'finished' ? (
        <p class="hint">{w.b('scoreLater')}</p>
      ) : answer.value ? (
        <ScoreParts score={answer.value} />
      ) : (
        <Waiting answer={answer} />
      )}
    </>
  )
}
