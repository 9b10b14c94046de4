// The options of the rules, as fields in a dialog.

import { Dialog } from '../shared/dialog'
import { Choice, Rule } from '../shared/terms'
import { type Rules, defaultRules, switches } from './rules'
import { type TarokKey, useTarok } from './words'

const yesNo = ['yes', 'no'] as const

/** Fields for the rules. */
export function RuleFields({ rules: r, change }: { rules: Rules; change(r: Rules): void }) {
  const w = useTarok()
  const choice = (
    of: keyof Rules,
    label: TarokKey,
    now: string,
    options: readonly (readonly [string, string])[],
    set: (value: string) => void,
  ) => (
    <Rule key={of} name={'rules/' + of}>
      <Choice id={'rule-' + of} label={w.b(label)} now={now} options={options} set={set} />
    </Rule>
  )
  const named = (prefix: string, list: readonly string[]) =>
    list.map((k): [string, string] => [k, w.b((prefix + k) as TarokKey)])
  const monds = [...new Set([21, 20, 0, r.mond])].map((n): [string, string] => [String(n), w.number(n)])
  return (
    <>
      {choice('lead', 'ruleLead', r.lead, named('lead_', ['forehand', 'declarer']), (v) =>
        change({ ...r, lead: v as Rules['lead'] }),
      )}
      {choice('difference', 'ruleDifference', r.difference, named('diff_', ['exact', 'rounded', 'none']), (v) =>
        change({ ...r, difference: v as Rules['difference'] }),
      )}
      {choice('mond', 'ruleMond', String(r.mond), monds, (v) => change({ ...r, mond: Number(v) }))}
      {switches.map((k) =>
        choice(k, `rule_${k}`, r[k] ? 'yes' : 'no', named('', yesNo), (v) => change({ ...r, [k]: v === 'yes' })),
      )}
    </>
  )
}

/** The dialog of the rules of a deal. Other rules take the played cards back. */
export function RulesDialog({ rules, close, use }: { rules: Rules; close(): void; use(r: Rules): void }) {
  const w = useTarok()
  return (
    <Dialog title={w.b('rules')} id="rules-dialog" close={close}>
      <p class="hint">{w.b('rulesHint')}</p>
      <RuleFields rules={rules} change={use} />
      <div class="row end">
        <button type="button" id="rules-default" onClick={() => use(defaultRules)}>
          {w.b('rulesDefault')}
        </button>
        <button type="button" class="main" id="rules-done" onClick={close}>
          {w.b('rulesDone')}
        </button>
      </div>
    </Dialog>
  )
}
