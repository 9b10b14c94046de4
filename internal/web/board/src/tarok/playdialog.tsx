// Beginning a game with the players of the server.

import { useState } from 'preact/hooks'
import { TakeBackChoice } from '../shared/takebackchoice'
import { Dialog } from '../shared/frame'
import { players } from './cards'
import { RuleFields } from './rulefields'
import { defaultRules } from './rules'
import type { SessionRequest } from './session'
import { type TarokKey, useTarok } from './words'

const kinds = ['random', 'heuristic', 'program'] as const

const usual = { seat: 'A', hands: '3', left: 'heuristic', right: 'heuristic', bidding: 'forehand_first' }

/** The request for a game on these terms. */
export const requestOf = (asked = usual, rules = defaultRules, takeback = false): SessionRequest => ({
  ...(takeback ? { takeback } : {}),
  seat: asked.seat as 'A',
  hands: Number(asked.hands),
  players: { left: asked.left as 'random', right: asked.right as 'random' },
  rules: { ...rules, bidding: asked.bidding as 'forehand_first' },
})

export function PlayDialog({ close, begin }: { close(): void; begin(r: SessionRequest): void }) {
  const w = useTarok()
  const [asked, set] = useState(usual)
  const [rules, setRules] = useState(defaultRules)
  const [takeback, setTakeback] = useState(false)
  const choice = (of: keyof typeof asked, label: string, options: readonly [string, string][]) => (
    <label>
      {label}
      <select id={'play-' + of} value={asked[of]} onChange={(e) => set({ ...asked, [of]: e.currentTarget.value })}>
        {options.map(([k, name]) => (
          <option key={k} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
  const named = (prefix: string, list: readonly string[]) =>
    list.map((k): [string, string] => [k, w.b((prefix + k) as TarokKey)])
  const levels = kinds.map((k): [string, string] => [k, w.b(`kind_${k}`)])
  return (
    <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
      <form method="dialog" onSubmit={() => begin(requestOf(asked, rules, takeback))}>
        <p class="hint">{w.b('playHint')}</p>
        {choice(
          'seat',
          w.b('seatFirst'),
          players.map((p) => [p, w.b(`sit_${p}`)]),
        )}
        {choice(
          'hands',
          w.t('handsAsked'),
          ['1', '3', '9', '30'].map((n) => [n, w.b('handsN', { n })]),
        )}
        {choice('left', w.b('left'), levels)}
        {choice('right', w.b('right'), levels)}
        <details>
          <summary>{w.b('rules')}</summary>
          {choice('bidding', w.b('ruleBidding'), named('bid_', ['forehand_first', 'forehand_last']))}
          <RuleFields rules={rules} change={setRules} />
        </details>
        <TakeBackChoice on={takeback} set={setTakeback} />
        <div class="row end">
          <button type="submit" class="main" id="play-begin">
            {w.t('deal')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
