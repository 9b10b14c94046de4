// The trump, the leader and the declarers, as fields.

import { SuitIcon } from '../shared/art'
import { suits } from '../shared/cards'
import type { Setup } from './rules'
import { type Seat, type Team, seats, teams } from './seats'
import { useWords } from './words'

/** The trump, the leader and the declarers of a deal. */
export function Contract({ setup, change }: { setup: Setup; change(c: Partial<Omit<Setup, 'holders'>>): void }) {
  const w = useWords()
  return (
    <>
      <div class="segments trump" role="group" aria-label={w.t('trump')}>
        <span class="lead-in" aria-hidden="true">
          {w.t('trump')}
        </span>
        {suits.map((s) => (
          <button
            type="button"
            key={s}
            id={'trump-' + s}
            aria-pressed={setup.trump === s}
            aria-label={w.suit(s)}
            title={w.suit(s)}
            onClick={() => change({ trump: s })}>
            <SuitIcon suit={s} />
          </button>
        ))}
      </div>
      <label class="inline">
        {w.t('leader')}
        <select id="leader" value={setup.leader} onChange={(e) => change({ leader: e.currentTarget.value as Seat })}>
          {seats.map((s) => (
            <option key={s} value={s}>
              {w.seat(s)}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        {w.t('declarer')}
        <select
          id="declarer"
          value={setup.declarer}
          onChange={(e) => change({ declarer: e.currentTarget.value as Team })}>
          {teams.map((t) => (
            <option key={t} value={t}>
              {w.team(t)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
