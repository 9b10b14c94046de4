// Beginning a game with the players of the server.

import { useState } from 'preact/hooks'
import { Choice, House, LengthChoice, Rule, Switch, TermsDialog, kept, lengthOf } from '../shared/terms'
import { players } from './cards'
import { RuleFields } from './rulefields'
import { defaultRules } from './rules'
import type { SessionRequest } from './session'
import { useTarok } from './words'

const kinds = ['random', 'heuristic', 'paper', 'program'] as const
type Kind = (typeof kinds)[number]

const page = 'tarok'
const usualRules = { ...defaultRules, bidding: 'forehand_first' as 'forehand_first' | 'forehand_last' }
const usual = {
  seat: 'A' as (typeof players)[number],
  hands: 3,
  target: 0,
  left: 'heuristic' as Kind,
  right: 'heuristic' as Kind,
  rules: usualRules,
  radli: true,
  takeback: false,
}

/** The request for a game like the last one. */
export function requestLike(): SessionRequest {
  const { seat, left, right, rules, radli, takeback, ...length } = kept(page, usual)
  return { seat, ...lengthOf(length), players: { left, right }, rules, radli, ...(takeback ? { takeback } : {}) }
}

export function PlayDialog({ close, begin }: { close(): void; begin(r: SessionRequest): void }) {
  const w = useTarok()
  const [asked, set] = useState(() => kept(page, usual))
  const r = asked.rules
  const player = (of: 'left' | 'right') => (
    <Choice
      id={'play-' + of}
      label={w.b(of)}
      now={asked[of]}
      options={kinds.map((k) => [k, w.b(`kind_${k}`)])}
      set={(kind) => set({ ...asked, [of]: kind })}
    />
  )
  return (
    <TermsDialog
      page={page}
      hint={w.b('playHint')}
      terms={asked}
      set={set}
      close={close}
      begin={() => begin(requestLike())}>
      <Choice
        id="play-seat"
        label={w.b('seatFirst')}
        now={asked.seat}
        options={players.map((p) => [p, w.b(`sit_${p}`)])}
        set={(seat) => set({ ...asked, seat })}
      />
      <LengthChoice
        hands={[1, 3, 9, 30].map((n) => [n, w.b('handsN', { n })] as const)}
        points={[200, 500]}
        now={asked}
        change={(length) => set({ ...asked, ...length })}
      />
      {player('left')}
      {player('right')}
      <House usual={asked.radli && JSON.stringify(r) === JSON.stringify(usualRules)}>
        <Rule name="rules/bidding">
          <Choice
            id="play-bidding"
            label={w.b('ruleBidding')}
            now={r.bidding}
            options={(['forehand_first', 'forehand_last'] as const).map((k) => [k, w.b(`bid_${k}`)])}
            set={(bidding) => set({ ...asked, rules: { ...r, bidding } })}
          />
        </Rule>
        <RuleFields rules={r} change={(rules) => set({ ...asked, rules: { ...r, ...rules } })} />
        <Rule name="radli">
          <Switch id="rule-radli" label={w.b('ruleRadli')} on={asked.radli} set={(radli) => set({ ...asked, radli })} />
        </Rule>
      </House>
    </TermsDialog>
  )
}
