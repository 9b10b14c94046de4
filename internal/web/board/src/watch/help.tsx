// The help of the page.

import { KeysDialog } from '../shared/dialogs'
import { useWords } from './words'

export function Help(props: { close(): void; keys: boolean; setKeys(on: boolean): void }) {
  const w = useWords()
  return (
    <KeysDialog
      {...props}
      text={w.p('helpWatch')}
      rows={[
        ['← →', w.p('kStep')],
        ['Backspace, Shift ←', w.t('kBack')],
        ['Shift →', w.t('kRedo')],
        ['Home, End', w.t('kEnds')],
        ['p', w.p('kPlay')],
        ['Enter', w.p('kCard')],
        ['d', w.p('newHand')],
        ['?', w.t('kHelp')],
      ]}
    />
  )
}
