// The dialogs of the open mode.

import { ShareDialog } from '../shared/dialogs'
import { KeyDialog } from '../shared/dialog'
import { StopDialog } from '../shared/stopdialog'
import type { KlaverjasBoard } from './board'
import { HelpDialog, RulesDialog, embedCode } from './dialogs'
import { EnterDialog } from './enterdialog'
import { ImportDialog } from './importdialog'
import { bodyOf } from './panel'
import type { Rules } from './rules'
import { useWords } from './words'

export function OpenDialogs({
  board: { dialog, close, state, act, say, keys, setKeys },
  changeRules,
  playFrom,
}: {
  board: KlaverjasBoard
  changeRules(rules: Rules): void
  playFrom(): void
}) {
  const w = useWords()
  const { setup, played } = state
  switch (dialog) {
    case 'enter':
      return (
        <EnterDialog
          setup={setup}
          played={played}
          close={close}
          use={({ setup, played }) => act({ type: 'deal', setup, played })}
        />
      )
    case 'import':
      return (
        <ImportDialog
          setup={setup}
          close={close}
          use={(s) => {
            act({ type: 'deal', ...s })
            close()
          }}
        />
      )
    case 'rules':
      return <RulesDialog rules={setup.rules} close={close} use={changeRules} />
    case 'share':
      return (
        <ShareDialog
          close={close}
          say={say}
          embed={embedCode(w, state)}
          hand={{ game: 'klaverjas', position: { ...bodyOf(state, played) } }}
        />
      )
    case 'help':
      return <HelpDialog close={close} keys={keys} setKeys={setKeys} />
    case 'stop':
      return <StopDialog close={close} stop={playFrom} />
    case 'key':
      return <KeyDialog close={close} />
  }
  return null
}
