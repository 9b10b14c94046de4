// The result of an evening: the players, the sheet, and each mistake with a link to the board.

import type * as Schemas from '../contract'
import { parseCard } from '../shared/cards'
import { Head } from '../shared/head'
import { useWords } from './words'

export type Evening = Schemas.KlaverjasEvening
type Hand = Schemas.KlaverjasEveningHand
type Mistake = Schemas.KlaverjasEveningMistake

/** The address of a hand on the board, after a number of cards. With a seat it is the review of the cards of that seat. */
export type Address = (hand: Hand['position'], cursor: number, seat?: Mistake['seat']) => string

export function EveningResult({ evening, address }: { evening: Evening; address: Address }) {
  const w = useWords()
  const names = (h: Hand, a: 'N' | 'E', b: 'S' | 'W') => `${h.names[a]} – ${h.names[b]}`
  const mistakes = evening.hands.flatMap((hand) => hand.mistakes.map((m) => ({ hand, m })))
  return (
    <>
      <h2>{w.t('ePlayers')}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={w.t('ePlayers')}>
        <table id="evening-players">
          <Head of={(['eName', 'eHands', 'ePoints', 'eMistakes', 'eUncertain', 'eCost'] as const).map((k) => w.t(k))} />
          <tbody>
            {evening.players.map((p) => (
              <tr key={p.name}>
                <th scope="row">{p.name}</th>
                <td>{w.number(p.hands)}</td>
                <td>{w.number(p.points)}</td>
                <td>{w.number(p.verdicts.mistake + p.verdicts.lucky)}</td>
                <td>{w.number(p.verdicts.uncertain)}</td>
                <td>{w.number(Math.round(p.knowledge_cost))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{w.t('eSheet')}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={w.t('eSheet')}>
        <table id="evening-sheet">
          <Head of={(['eHand', 'eNS', 'ePoints', 'eEW', 'ePoints'] as const).map((k) => w.t(k))} />
          <tbody>
            {evening.hands.map((h) => (
              <tr key={h.number}>
                <th scope="row">
                  <a href={address(h.position, h.position.played.length)}>{w.t('eNumber', { n: h.number })}</a>
                </th>
                <td>{names(h, 'N', 'S')}</td>
                <td>{h.points ? w.number(h.points.NS) : '–'}</td>
                <td>{names(h, 'E', 'W')}</td>
                <td>{h.points ? w.number(h.points.EW) : '–'}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{w.t('eTotal')}</th>
              <td />
              <td>{w.number(evening.totals.NS)}</td>
              <td />
              <td>{w.number(evening.totals.EW)}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <h2>{w.t('eMistakes')}</h2>
      {mistakes.length === 0 && <p>{w.t('eNone')}</p>}
      <ul id="evening-mistakes">
        {mistakes.map(({ hand, m }) => (
          <li key={`${hand.number}.${m.number}`}>
            <a href={address(hand.position, m.number - 1, m.seat)}>
              {w.t('eMistake', {
                n: hand.number,
                trick: m.trick,
                player: m.player,
                card: w.brief(parseCard(m.card)!),
                better: w.brief(parseCard(m.advised)!),
                cost: w.number(Math.round(m.cost)),
              })}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
