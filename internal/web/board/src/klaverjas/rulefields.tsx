// The switches of the rules, as fields in a dialog.

import { type Face, faces } from '../shared/cards'
import { NumberField } from '../shared/numberfield'
import { Choice, Rule, Switch } from '../shared/terms'
import { type Rules, defaultRules } from './rules'
import { useWords } from './words'

export function RuleFields({ rules, set }: { rules: Rules; set(r: Rules): void }) {
  const w = useWords()
  const number = (name: string, id: string, label: string, value: number, change: (n: number) => Rules) => (
    <Rule key={id} name={name}>
      <NumberField
        id={id}
        label={label}
        value={value}
        max={1000}
        step={10}
        bad={w.t('bonusBad')}
        change={(n) => set(change(n))}
      />
    </Rule>
  )
  const pit = (of: 'declarers' | 'defenders', label: string) =>
    number(`rules/pit/${of}`, `rule-pit-${of}`, label, rules.pit[of], (n) => ({
      ...rules,
      pit: { ...rules.pit, [of]: n },
    }))
  return (
    <>
      <Rule name="rules/system" hint={w.t('systemHint')}>
        <Choice
          id="rule-system"
          label={w.t('system')}
          now={rules.system}
          options={(['rotterdam', 'amsterdam'] as const).map((x) => [x, w.t(x)])}
          set={(system) => set({ ...rules, system, under_ruff: defaultRules(system).under_ruff })}
        />
      </Rule>
      <Rule name="rules/under_ruff" hint={w.t('underHint')}>
        <Choice
          id="rule-under"
          label={w.t('under')}
          now={rules.under_ruff}
          options={(['forced', 'forbidden', 'free'] as const).map((x) => [x, w.t(x)])}
          set={(under_ruff) => set({ ...rules, under_ruff })}
        />
      </Rule>
      <Rule name="rules/nat_melds" hint={w.t('natHint')}>
        <Choice
          id="rule-nat"
          label={w.t('natMelds')}
          now={rules.nat_melds}
          options={[
            ['defenders', w.t('natDefenders')],
            ['all', w.t('natAll')],
          ]}
          set={(nat_melds) => set({ ...rules, nat_melds })}
        />
      </Rule>
      <Rule name="rules/melds">
        <Switch id="rule-melds" label={w.t('melds')} on={rules.melds} set={(melds) => set({ ...rules, melds })} />
      </Rule>
      <fieldset>
        <legend>{w.t('pit')}</legend>
        <p class="hint">{w.t('pitHint')}</p>
        <div class="numbers">
          {pit('declarers', w.t('pitDeclarers'))}
          {pit('defenders', w.t('pitDefenders'))}
        </div>
      </fieldset>
      <fieldset>
        <legend>{w.t('four')}</legend>
        <p class="hint">{w.t('fourHint')}</p>
        <div class="numbers">
          {faces.map((f: Face, i) =>
            number(`rules/four_of_a_kind/${f}`, 'rule-four-' + f, w.face(i), rules.four_of_a_kind[f], (n) => ({
              ...rules,
              four_of_a_kind: { ...rules.four_of_a_kind, [f]: n },
            })),
          )}
        </div>
      </fieldset>
    </>
  )
}
