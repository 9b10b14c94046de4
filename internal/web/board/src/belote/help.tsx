// The help of the page, with its keys.

import { KeysDialog } from '../shared/dialogs'
import type { HelpProps } from '../shared/handdialogs'
import { type BeloteWords, useBelote } from './words'

const keyRows = (w: BeloteWords, hidden: boolean): [string, string][] => [
  ['← → ↑ ↓', w.b('kArrows')],
  ['Enter', w.t('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ...(hidden ? [['a', w.t('kAsk')] as [string, string]] : []),
  ['b', w.t('kBest')],
  ['v', w.t('kValues')],
  ['s', w.t('kScore')],
  ['t', w.t('kTrick')],
  ['n, p', w.t('kMistake')],
  ['m', w.t('kMode')],
  ['/', w.t('kField')],
  ['?', w.t('kHelp')],
]

export function HelpDialog({ hidden = false, ...rest }: HelpProps) {
  const w = useBelote()
  return <KeysDialog {...rest} text={w.b(hidden ? 'helpHidden' : 'helpText')} rows={keyRows(w, hidden)} />
}
