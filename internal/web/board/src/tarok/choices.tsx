// What is said before the first card of a game: the bids, the announcements, and the choices of the player.

import { useEffect, useState } from 'preact/hooks'
import type { Contract } from './rules'
import type { Session } from './session'
import { bidText } from './shown'
import { type Bonus, bonuses } from './state'
import { type TarokWords, useTarok } from './words'

/** The bids that were made, in order. */
export function Bids({ bids }: { bids: Session['calls'] }) {
  const w = useTarok()
  return (
    <ol>
      {bids.map((b, i) => (
        <li key={i}>
          {w.player(b.seat)}: {bidText(w, b.call)}
        </li>
      ))}
    </ol>
  )
}

/** What everyone has said so far. */
export function saidText(w: TarokWords, s: Session): string[] {
  const out = s.said.kontra === 'none' ? [] : [`${w.b('game')}: ${w.kontra(s.said.kontra)}`]
  for (const b of bonuses) {
    const one = s.said.announcements[b]
    if (one)
      out.push(
        `${w.bonus(b)}: ${w.b(one.by === 'declarer' ? 'declarerRole' : 'opponents')}${one.kontra && one.kontra !== 'none' ? ', ' + w.kontra(one.kontra) : ''}`,
      )
  }
  return out
}

/** The choices in the middle of the table: a bid, announcements, or nothing. */
export function Choices({
  session: s,
  busy,
  act,
}: {
  session: Session
  busy: boolean
  act(path: 'call' | 'announce', more: object): void
}) {
  const w = useTarok()
  const [chosen, choose] = useState<string[]>([])
  useEffect(() => choose([]), [s.acts])
  if (s.state === 'bidding') {
    return (
      <section class="auction wide" aria-labelledby="auction-title">
        <h2 id="auction-title">{w.b('yourBid')}</h2>
        {s.calls.length > 0 && <Bids bids={s.calls} />}
        <p class="calls">
          {s.legal_calls.map((b) => (
            <button
              type="button"
              key={b}
              data-call={b}
              aria-disabled={busy}
              onClick={() => !busy && act('call', { call: b })}>
              {b === 'pass' ? w.t('pass') : w.contract(b as Contract)}
            </button>
          ))}
        </p>
      </section>
    )
  }
  const toggle = (x: string) => choose(chosen.includes(x) ? chosen.filter((y) => y !== x) : [...chosen, x])
  const box = (id: string, text: string) => (
    <label class="check" key={id}>
      <input type="checkbox" id={'say-' + id} checked={chosen.includes(id)} onChange={() => toggle(id)} />
      {text}
    </label>
  )
  const with_ = (prefix: string): string[] =>
    chosen.filter((x) => x.startsWith(prefix)).map((x) => x.slice(prefix.length))
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{w.b('yourWords')}</h2>
      {s.may.bonuses.map((b) => box('b-' + b, w.b('announceIt', { what: w.bonus(b as Bonus) })))}
      {s.may.double.map((b) =>
        box('d-' + b, w.b('doubleIt', { what: b === 'game' ? w.b('game') : w.bonus(b as Bonus) })),
      )}
      <p class="calls">
        <button
          type="button"
          class="main"
          id="say"
          aria-disabled={busy}
          onClick={() => !busy && act('announce', { bonuses: with_('b-'), double: with_('d-') })}>
          {w.b(chosen.length > 0 ? 'sayIt' : 'sayNothing')}
        </button>
      </p>
    </section>
  )
}
