// The dialogs of the open mode.

import { KeyDialog } from '../shared/dialog'
import { ShareDialog } from '../shared/dialogs'
import { EnterDialog } from './enterdialog'
import { HelpDialog } from './help'
import { ImportDialog } from './importdialog'
import type { TarokBoard } from './open'
import { RulesDialog } from './rulefields'
import type { Rules } from './rules'
import { type Shared, bodyOf, saidBody } from './state'

export function OpenDialogs({
  board: { dialog, close, state, act, say, keys, setKeys },
  changeRules,
}: {
  board: TarokBoard
  changeRules(rules: Rules): void
}) {
  const use = (shared: Shared, seed?: string) => act({ type: 'deal', shared, ...(seed ? { seed } : {}) })
  return (
    <>
      {dialog === 'enter' && <EnterDialog current={state} close={close} use={use} />}
      {dialog === 'import' && (
        <ImportDialog
          current={state}
          close={close}
          use={(shared, seed) => {
            use(shared, seed)
            close()
          }}
        />
      )}
      {dialog === 'rules' && <RulesDialog rules={state.setup.rules} close={close} use={changeRules} />}
      {dialog === 'share' && (
        <ShareDialog
          close={close}
          say={say}
          hand={{ game: 'tarok', position: bodyOf(state, state.played.length), ...saidBody(state.said) }}
        />
      )}
      {dialog === 'help' && <HelpDialog close={close} keys={keys} setKeys={setKeys} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}
