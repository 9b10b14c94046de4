// The help of the page, with its keys.

import { KeysDialog } from '../shared/dialogs'
import type { HelpProps } from '../shared/handdialogs'
import { type TarokWords, useTarok } from './words'

const keyRows = (w: TarokWords): [string, string][] => [
  ['← → ↑ ↓', w.b('kArrows')],
  ['Enter', w.b('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ['b', w.t('kBest')],
  ['v', w.t('kValues')],
  ['s', w.t('kScore')],
  ['t', w.t('kTrick')],
  ['m', w.t('kMode')],
  ['/', w.t('kField')],
  ['?', w.t('kHelp')],
]

const hiddenKeyRows = (w: TarokWords): [string, string][] => [
  ['← →', w.b('kArrowsHidden')],
  ['Enter', w.b('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ['n, p', w.t('kMistake')],
  ['a', w.t('kAsk')],
  ['b', w.b('kAdvice')],
  ['m', w.t('kMode')],
  ['?', w.t('kHelp')],
]

export function HelpDialog({ hidden, ...rest }: HelpProps) {
  const w = useTarok()
  return (
    <KeysDialog
      {...rest}
      text={w.b(hidden ? 'helpHidden' : 'helpText')}
      rows={hidden ? hiddenKeyRows(w) : keyRows(w)}
    />
  )
}
