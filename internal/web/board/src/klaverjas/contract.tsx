// The trump, the leader and the declarers, as fields.

import { suits } from '../shared/cards'
import { Choice } from '../shared/controls'
import { TrumpChoice } from '../shared/trumpchoice'
import type { Setup } from './rules'
import { seats, teams } from './seats'
import { useWords } from './words'

/** The trump, the leader and the declarers of a deal. */
export function Contract({ setup, change }: { setup: Setup; change(c: Partial<Omit<Setup, 'holders'>>): void }) {
  const w = useWords()
  return (
    <>
      <TrumpChoice suits={suits} trump={setup.trump} change={(trump) => change({ trump })} />
      <Choice
        inline
        id="leader"
        label={w.t('leader')}
        now={setup.leader}
        options={seats.map((s) => [s, w.seat(s)])}
        set={(leader) => change({ leader })}
      />
      <Choice
        inline
        id="declarer"
        label={w.t('declarer')}
        now={setup.declarer}
        options={teams.map((t) => [t, w.team(t)])}
        set={(declarer) => change({ declarer })}
      />
    </>
  )
}
