// The dialogs of the board for the rules and help.

import { useState } from 'preact/hooks'
import { url } from '../shared/base'
import { type Face, faces } from '../shared/cards'
import { KeysDialog } from '../shared/dialogs'
import { Dialog } from '../shared/frame'
import { NumberField } from '../shared/numberfield'
import { type Rules, defaultRules } from './rules'
import type { State } from './state'
import { fragment } from './url'
import { type Words, useWords } from './words'

export function RulesDialog({ rules: began, close, use }: { rules: Rules; close(): void; use(r: Rules): void }) {
  const w = useWords()
  const [rules, set] = useState(began)
  const number = (id: string, label: string, value: number, change: (n: number) => Rules) => (
    <NumberField
      key={id}
      id={id}
      label={label}
      value={value}
      max={1000}
      step={10}
      bad={w.t('bonusBad')}
      change={(n) => set(change(n))}
    />
  )
  return (
    <Dialog title={w.t('rulesTitle')} id="rules-dialog" close={close}>
      <form
        method="dialog"
        noValidate
        onSubmit={(e) => {
          const bad = e.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')
          if (!bad) return use(rules)
          e.preventDefault()
          bad.focus()
        }}>
        <label>
          {w.t('system')}
          <select
            id="rule-system"
            value={rules.system}
            onChange={(e) => {
              const system = e.currentTarget.value as Rules['system']
              set({ ...rules, system, under_ruff: defaultRules(system).under_ruff })
            }}>
            {(['rotterdam', 'amsterdam'] as const).map((x) => (
              <option key={x} value={x}>
                {w.t(x)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.t('under')}
          <select
            id="rule-under"
            value={rules.under_ruff}
            onChange={(e) => set({ ...rules, under_ruff: e.currentTarget.value as Rules['under_ruff'] })}>
            {(['forced', 'forbidden', 'free'] as const).map((x) => (
              <option key={x} value={x}>
                {w.t(x)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.t('natMelds')}
          <select
            id="rule-nat"
            value={rules.nat_melds}
            onChange={(e) => set({ ...rules, nat_melds: e.currentTarget.value as Rules['nat_melds'] })}>
            <option value="defenders">{w.t('natDefenders')}</option>
            <option value="all">{w.t('natAll')}</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            id="rule-melds"
            checked={rules.melds}
            onChange={(e) => set({ ...rules, melds: e.currentTarget.checked })}
          />
          {w.t('melds')}
        </label>
        <fieldset>
          <legend>{w.t('pit')}</legend>
          <div class="numbers">
            {number('rule-pit-declarers', w.t('pitDeclarers'), rules.pit.declarers, (n) => ({
              ...rules,
              pit: { ...rules.pit, declarers: n },
            }))}
            {number('rule-pit-defenders', w.t('pitDefenders'), rules.pit.defenders, (n) => ({
              ...rules,
              pit: { ...rules.pit, defenders: n },
            }))}
          </div>
        </fieldset>
        <fieldset>
          <legend>{w.t('four')}</legend>
          <div class="numbers">
            {faces.map((f: Face, i) =>
              number('rule-four-' + f, w.face(i), rules.four_of_a_kind[f], (n) => ({
                ...rules,
                four_of_a_kind: { ...rules.four_of_a_kind, [f]: n },
              })),
            )}
          </div>
        </fieldset>
        <div class="row end">
          <button type="submit" class="main" id="use-rules">
            {w.t('apply')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function HelpDialog({
  hidden,
  ...rest
}: {
  hidden?: boolean
  close(): void
  keys: boolean
  setKeys(on: boolean): void
}) {
  const w = useWords()
  return (
    <KeysDialog
      {...rest}
      text={w.t(hidden ? 'helpHidden' : 'helpText')}
      rows={[
        ['← → ↑ ↓', w.t('kArrows')],
        ['Enter', w.t('kEnter')],
        ['Backspace, Shift ←', w.t('kBack')],
        ['Shift →', w.t('kRedo')],
        ['Home, End', w.t('kEnds')],
        ...(hidden ? [['a', w.t('kAsk')] as [string, string]] : []),
        ['b', w.t('kBest')],
        ['v', w.t('kValues')],
        ['s', w.t('kScore')],
        ['t', w.t('kTrick')],
        ['r', w.t('claimTitle')],
        ['n, p', w.t('kMistake')],
        ['m', w.t('kMode')],
        ['/', w.t('kField')],
        ['?', w.t('kHelp')],
      ]}
    />
  )
}

/** The code that shows the board of an address in a page of another site. The server must allow it (embed.origins). */
export const embedCode = (w: Words, s: State): string =>
  `<iframe src="${location.origin}${url('/embed')}?language=${w.lang}${fragment(s).replaceAll('&', '&amp;')}" title="${w.t('title')}" ` +
  'style="width: 100%; height: 45rem; border: 0"></iframe>'
