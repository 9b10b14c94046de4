// The help of the page, with its keys.

import { KeysDialog } from '../shared/dialogs'
import type { HelpProps } from '../shared/handdialogs'
import { useGin } from './words'

export function HelpDialog({ hidden: _, ...rest }: HelpProps) {
  const w = useGin()
  return (
    <KeysDialog
      {...rest}
      text={w.g('helpText')}
      rows={[
        ['← →', w.g('kArrows')],
        ['Enter', w.g('kEnter')],
        ['t', w.g('kTake')],
        ['s', w.g('kStock')],
        ['p', w.g('kPass')],
        ['k', w.g('kKnock')],
        ['g', w.g('kGoOn')],
        ['n', w.g('kNext')],
        ['Backspace, Shift ←', w.t('kBack')],
        ['Shift →', w.t('kRedo')],
        ['Home, End', w.t('kEnds')],
        ['[, ]', w.g('kMistakes')],
        ['a', w.t('kAsk')],
        ['b', w.g('kBest')],
        ['v', w.g('kValues')],
        ['.', w.g('kScore')],
        ['?', w.t('kHelp')],
      ]}
    />
  )
}
