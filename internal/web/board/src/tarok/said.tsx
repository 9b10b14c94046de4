// What was announced and doubled, to be chosen.

import { type Contract, exchangeOf } from './rules'
import { type Kontra, type Said, type Side, bonuses, kontras } from './state'
import { useTarok } from './words'

/** The announcements of a contract. id is what the ids of its fields begin with. */
export function SaidTable({
  contract,
  said,
  change,
  id = '',
}: {
  contract: Contract
  said: Said
  change(s: Said): void
  id?: string
}) {
  const w = useTarok()
  const kontra = (of: string, what: string, value: Kontra, set: (k: Kontra) => void) => (
    <select
      id={id + of}
      aria-label={w.b('doubledOf', { what })}
      value={value}
      onChange={(e) => set(e.currentTarget.value as Kontra)}>
      {kontras.map((k) => (
        <option key={k} value={k}>
          {w.kontra(k)}
        </option>
      ))}
    </select>
  )
  return (
    <table class="said">
      <caption class={id ? 'vh' : ''}>{w.b('announcements')}</caption>
      <thead class="vh">
        <tr>
          <td />
          <th scope="col">{w.b('announcedBy')}</th>
          <th scope="col">{w.b('doubled')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{w.b('game')}</th>
          <td />
          <td>{kontra('kontra', w.b('game'), said.kontra, (k) => change({ ...said, kontra: k }))}</td>
        </tr>
        {exchangeOf(contract) > 0 &&
          bonuses.map((b) => {
            const now = said.bonuses[b]
            const { [b]: _, ...rest } = said.bonuses
            return (
              <tr key={b}>
                <th scope="row">{w.bonus(b)}</th>
                <td>
                  <select
                    id={`${id}by-${b}`}
                    aria-label={w.b('announcedOf', { what: w.bonus(b) })}
                    value={now?.by ?? ''}
                    onChange={(e) => {
                      const by = e.currentTarget.value as Side | ''
                      change({
                        ...said,
                        bonuses: by === '' ? rest : { ...rest, [b]: { by, kontra: now?.kontra ?? 'none' } },
                      })
                    }}>
                    <option value="">{w.b('silent')}</option>
                    <option value="declarer">{w.b('declarerRole')}</option>
                    <option value="opponents">{w.b('opponents')}</option>
                  </select>
                </td>
                <td>
                  {now &&
                    kontra('kontra-' + b, w.bonus(b), now.kontra, (k) =>
                      change({ ...said, bonuses: { ...said.bonuses, [b]: { ...now, kontra: k } } }),
                    )}
                </td>
              </tr>
            )
          })}
      </tbody>
    </table>
  )
}
