// The dialogs of the board for the rules and help.

import { useState } from 'preact/hooks'
import { url } from '../shared/base'
import { KeysDialog } from '../shared/dialogs'
import { Dialog } from '../shared/dialog'
import { sending } from '../shared/terms'
import { RuleFields } from './rulefields'
import type { Rules } from './rules'
import type { State } from './state'
import { fragment } from './url'
import { type Words, useWords } from './words'

export function RulesDialog({ rules: began, close, use }: { rules: Rules; close(): void; use(r: Rules): void }) {
  const w = useWords()
  const [rules, set] = useState(began)
  return (
    <Dialog title={w.t('rulesTitle')} id="rules-dialog" close={close}>
      <form method="dialog" noValidate onSubmit={sending(() => use(rules))}>
        <RuleFields rules={rules} set={set} />
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
