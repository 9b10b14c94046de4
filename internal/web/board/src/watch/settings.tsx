// The dialog in which it is chosen who plays what.

import { useState } from 'preact/hooks'
import { PaceChoice } from '../shared/controls'
import { suits } from '../shared/cards'
import { Dialog } from '../shared/dialog'
import { NumberField } from '../shared/numberfield'
import { sending } from '../shared/terms'
import { type Seat, seats } from '../klaverjas/seats'
import { choices, playerName } from './say'
import { type RuleName, type Watched, ruleNames } from './url'
import { useWords } from './words'

function Choice<T extends string>({
  id,
  label,
  value,
  list,
  text,
  choose,
}: {
  id: string
  label: string
  value: T
  list: readonly T[]
  text(x: T): string
  choose(x: T): void
}) {
  return (
    <label>
      {label}
      <select id={id} value={value} onChange={(e) => choose(e.currentTarget.value as T)}>
        {list.map((x) => (
          <option key={x} value={x}>
            {text(x)}
          </option>
        ))}
      </select>
    </label>
  )
}

export function SettingsDialog({
  watched,
  close,
  use,
  enter,
}: {
  watched: Watched
  close(): void
  use(x: Watched): void
  enter(): void
}) {
  const w = useWords()
  const [x, set] = useState(watched)
  const change = (to: Partial<Watched>) => set({ ...x, ...to })
  const listed = [...new Set([...choices, ...Object.values(x.players)])]
  const seedBad = !/^\d{1,20}$/.test(x.from) || BigInt(x.from) >= 1n << 64n
  return (
    <Dialog title={w.p('settingsTitle')} id="settings-dialog" close={close}>
      <form method="dialog" noValidate onSubmit={sending(() => !seedBad && use({ ...x, at: 0 }))}>
        <fieldset class="four">
          <legend>{w.p('players')}</legend>
          {seats.map((s: Seat) => (
            <Choice
              key={s}
              id={'player-' + s}
              label={w.seat(s)}
              value={x.players[s]}
              list={listed}
              text={(k) => playerName(w, k)}
              choose={(kind) => change({ players: { ...x.players, [s]: kind } })}
            />
          ))}
          <p class="hint">{w.p('playersHint')}</p>
        </fieldset>
        <fieldset class="four">
          <legend>{w.p('theDeal')}</legend>
          {x.entered ? (
            <p class="wide">
              {w.p('isEntered')}{' '}
              <button type="button" id="draw-instead" onClick={() => change({ entered: null })}>
                {w.p('drawInstead')}
              </button>
            </p>
          ) : (
            <>
              <Choice
                id="trump"
                label={w.t('trump')}
                value={x.trump}
                list={['', ...suits] as const}
                text={(s) => (s ? w.suit(s) : w.p('drawn'))}
                choose={(trump) => change({ trump })}
              />
              <Choice
                id="dealer"
                label={w.p('dealer')}
                value={x.dealer}
                list={['', ...seats] as const}
                text={(s) => (s ? w.seat(s) : w.p('drawn'))}
                choose={(dealer) => change({ dealer })}
              />
            </>
          )}
          <label>
            {w.p('seed')}
            <input
              id="seed"
              inputMode="numeric"
              autocomplete="off"
              value={x.from}
              aria-invalid={seedBad}
              aria-describedby="seed-bad"
              onInput={(e) => change({ from: e.currentTarget.value.trim() })}
            />
            <span id="seed-bad" class="bad" role="alert">
              {seedBad ? w.p('seedBad') : null}
            </span>
          </label>
          <NumberField
            id="open-cards"
            label={w.p('openCards')}
            value={x.open}
            max={7}
            bad={w.p('openBad')}
            change={(open) => change({ open })}
          />
          <Choice
            id="rules"
            label={w.t('system')}
            value={x.rules}
            list={ruleNames}
            text={(r: RuleName) => w.p(`rules_${r}`)}
            choose={(rules) => change({ rules, ...(x.entered ? { entered: { ...x.entered, played: [] } } : {}) })}
          />
          <PaceChoice />
        </fieldset>
        <div class="row end">
          <button type="button" id="enter" onClick={enter}>
            {w.p('enterDeal')}
          </button>
          <button type="submit" class="main" id="use-settings">
            {w.p('watchIt')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
