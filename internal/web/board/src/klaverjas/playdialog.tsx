// Choosing a game with the players of the server.

import { useState } from 'preact/hooks'
import { TakeBackChoice } from '../shared/takebackchoice'
import { Dialog } from '../shared/frame'
import type { SessionRequest } from './api'
import { reference } from './compared'
import { flowKey } from './ingame'
import { type Level, levels } from './levels'
import { defaultRules } from './rules'
import { type Seat, seats } from './seats'
import { type Key, useWords } from './words'

const flows = ['free', 'official', 'obliged', 'turned', 'none'] as const

// What was chosen for the last game.
let last = {
  seat: 'S' as Seat,
  hands: 1,
  bidding: 'free' as (typeof flows)[number],
  partner: 'club' as Level,
  opponents: 'club' as Level,
  system: 'rotterdam' as 'rotterdam' | 'amsterdam',
  takeback: false,
}

/** The players that were chosen last. */
export const lastPlayers = (): NonNullable<SessionRequest['players']> => ({
  partner: last.partner,
  opponents: last.opponents,
})

/** A game like the last one. */
export function requestLike(): SessionRequest {
  const { seat, hands, bidding, partner, opponents, system, takeback } = last
  return {
    seat,
    hands: hands as 1,
    bidding,
    players: { partner, opponents },
    rules: defaultRules(system),
    ...(takeback ? { takeback } : { compare: reference }),
  }
}

export function PlayDialog({ close, begin }: { close(): void; begin(request: SessionRequest): void }) {
  const w = useWords()
  const [asked, set] = useState(last)
  const choice = <K extends Exclude<keyof typeof last, 'takeback'>>(
    of: K,
    label: Key,
    options: [(typeof last)[K], string][],
  ) => (
    <label>
      {w.t(label)}
      <select
        id={'play-' + of}
        value={asked[of]}
        aria-describedby={of === 'partner' || of === 'opponents' ? `play-${of}-hint` : undefined}
        onChange={(e) => set({ ...asked, [of]: options[e.currentTarget.selectedIndex]![0] })}>
        {options.map(([k, name]) => (
          <option key={k} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
  const player = (of: 'partner' | 'opponents') => (
    <>
      {choice(
        of,
        of,
        levels.map((l) => [l, w.t(`level_${l}`)]),
      )}
      <p class="hint" id={`play-${of}-hint`} aria-live="polite">
        {w.t(`levelHint_${asked[of]}`)}
      </p>
    </>
  )
  return (
    <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
      <form
        method="dialog"
        onSubmit={() => {
          last = asked
          begin(requestLike())
        }}>
        <p class="hint">{w.t('playHint')}</p>
        {choice(
          'seat',
          'seatShown',
          seats.map((s) => [s, w.seat(s)]),
        )}
        {choice('hands', 'handsAsked', [
          [1, w.t('oneHand')],
          [16, w.t('sixteenHands')],
        ])}
        {choice(
          'bidding',
          'bidding',
          flows.map((f) => [f, w.t(flowKey(f))]),
        )}
        {player('partner')}
        {player('opponents')}
        {choice('system', 'system', [
          ['rotterdam', w.t('rotterdam')],
          ['amsterdam', w.t('amsterdam')],
        ])}
        <TakeBackChoice on={asked.takeback} set={(takeback) => set({ ...asked, takeback })} />
        <div class="row end">
          <button type="submit" class="main" id="play-begin">
            {w.t('deal')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
