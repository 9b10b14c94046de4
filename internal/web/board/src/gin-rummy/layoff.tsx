// Laying off one's own cards after a knock of the opponent.

import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialog'
import { type CardName, cardOf, wire } from './cards'
import { type Session, fitting } from './state'
import { Brief } from './table'
import { useGin } from './words'

/** Asks on which meld of the knocker each card goes that fits one. Which cards can lie together the server knows. */
export function LayOffDialog({
  session: { view, knock },
  close,
  use,
}: {
  session: Session
  close(): void
  use(off: CardName[][]): void
}) {
  const w = useGin()
  const [on, put] = useState<Record<CardName, string>>({} as Record<CardName, string>)
  const own = view.hand.map(cardOf)
  const melds = knock!.laid.melds.map((m) => m.map(cardOf))
  const fits = melds.map((m) => fitting(m, own).map(wire))
  const cards = view.hand.filter((c) => fits.some((list) => list.includes(c)))
  return (
    <Dialog title={w.g('layOff')} id="layoff-dialog" close={close}>
      <form method="dialog" onSubmit={() => use(melds.map((_, i) => cards.filter((c) => on[c] === String(i))))}>
        <p class="hint">{w.g('layOffHint')}</p>
        {cards.map((c) => (
          <label key={c}>
            <Brief card={cardOf(c)} />
            <select id={'layoff-' + c} value={on[c] ?? ''} onChange={(e) => put({ ...on, [c]: e.currentTarget.value })}>
              <option value="">{w.g('layOffNot')}</option>
              {melds.map(
                (m, i) => fits[i]!.includes(c) && <option value={String(i)}>{m.map(w.brief).join(' ')}</option>,
              )}
            </select>
          </label>
        ))}
        <div class="row end">
          <button type="submit" class="main" id="layoff-do">
            {w.g('layDown')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
