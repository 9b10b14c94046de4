// Choosing a game with the players of the server.

import { useState } from 'preact/hooks'
import type { SessionRequest } from './api'
import { reference } from './compared'
import { flowKey } from './ingame'
import { type Level, levels } from './levels'
import { House, LengthChoice, TermsDialog, kept, lengthOf } from '../shared/terms'
import { RuleFields } from './rulefields'
import { defaultRules } from './rules'
import { type Seat, seats } from './seats'
import { rulesText } from './url'
import { type Key, useWords } from './words'

const flows = ['free', 'official', 'obliged', 'turned', 'none'] as const

const page = 'klaverjas'
const usual = {
  seat: 'S' as Seat,
  hands: 1,
  target: 0,
  bidding: 'free' as (typeof flows)[number],
  partner: 'club' as Level,
  opponents: 'club' as Level,
  rules: defaultRules(),
  takeback: false,
}

/** The players that were chosen last. */
export function lastPlayers(): NonNullable<SessionRequest['players']> {
  const { partner, opponents } = kept(page, usual)
  return { partner, opponents }
}

/** A game like the last one. */
export function requestLike(): SessionRequest {
  const { seat, bidding, partner, opponents, rules, takeback, ...length } = kept(page, usual)
  return {
    seat,
    ...(lengthOf(length) as { hands: 1 }),
    bidding,
    players: { partner, opponents },
    rules,
    ...(takeback ? { takeback } : { compare: reference }),
  }
}

export function PlayDialog({ close, begin }: { close(): void; begin(request: SessionRequest): void }) {
  const w = useWords()
  const [asked, set] = useState(() => kept(page, usual))
  const choice = <K extends 'seat' | 'bidding' | 'partner' | 'opponents'>(
    of: K,
    label: Key,
    options: [(typeof usual)[K], string][],
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
    <TermsDialog
      page={page}
      hint={w.t('playHint')}
      terms={asked}
      set={set}
      close={close}
      begin={() => begin(requestLike())}>
      {choice(
        'seat',
        'seatShown',
        seats.map((s) => [s, w.seat(s)]),
      )}
      <LengthChoice
        hands={[
          [1, w.t('oneHand')],
          [16, w.t('sixteenHands')],
        ]}
        points={[1000, 1500]}
        now={asked}
        change={(length) => set({ ...asked, ...length })}
      />
      {choice(
        'bidding',
        'bidding',
        flows.map((f) => [f, w.t(flowKey(f))]),
      )}
      {player('partner')}
      {player('opponents')}
      <House usual={rulesText(asked.rules) === ''}>
        <RuleFields rules={asked.rules} set={(rules) => set({ ...asked, rules })} />
        {asked.bidding !== 'none' && <p class="hint">{w.t('callHint')}</p>}
      </House>
    </TermsDialog>
  )
}
