// What every open mode has that is loaded after its page: what is wrong with its address, and its dialogs.

import type { ComponentType } from 'preact'
import { KeyDialog } from './dialog'
import { ShareDialog } from './dialogs'
import type { HelpProps } from './handdialogs'
import { recordHash } from './history'
import { ImportDialog, type Imported } from './importdialog'
import type { AnyBoard } from './openboard'
import { type Hand, LinkedRecord } from './records'

/** What a game loads after its page: how a deal is entered and imported, and the help. */
export interface Parts {
  EnterDialog: ComponentType<{ current: any; close(): void; use(shared: any): void }>
  HelpDialog: ComponentType<HelpProps>
  readImport(w: any, text: string, current: any, link?: boolean): Promise<Imported<any>>
  importHint(w: any): string
  /** What importing opens with. */
  exported?(current: any): string
}

export function OpenDialogs({
  board: { game, w, dialog, close, state, act, say, keys, setKeys },
  D,
  embed,
  hand,
}: {
  board: AnyBoard
  D: Parts
  /** The code that shows the deal in another page, and the record of the hand. */
  embed?: string
  hand?: Hand
}) {
  const use = (shared: unknown, seed?: string) => act(game.deal(shared, seed))
  if (dialog === 'enter') return <D.EnterDialog current={state} close={close} use={use} />
  if (dialog === 'import')
    return (
      <ImportDialog
        hint={D.importHint(w)}
        began={D.exported?.(state)}
        read={(text) => D.readImport(w, text, state)}
        close={close}
        use={(shared, seed) => {
          use(shared, seed)
          close()
        }}
      />
    )
  if (dialog === 'share') return <ShareDialog close={close} say={say} embed={embed} hand={hand} />
  if (dialog === 'help') return <D.HelpDialog close={close} keys={keys} setKeys={setKeys} />
  return dialog === 'key' ? <KeyDialog close={close} /> : null
}

/** What is wrong with the address. If it has a record, that is opened. */
export function Wrong({ board: { w, game, state, act, error }, D, draw }: { board: AnyBoard; D: Parts; draw(): void }) {
  const draws = (
    <button type="button" onClick={() => draw()}>
      {w.t('drawIt')}
    </button>
  )
  return location.hash.startsWith(recordHash) ? (
    <LinkedRecord read={(text) => D.readImport(w, text, state, true)} use={({ shared }) => act(game.deal(shared))}>
      {draws}
    </LinkedRecord>
  ) : (
    <p class="notice bad" id="url-error">
      {w.t('urlBad', { error: game.errorText(w, error) })} {draws}
    </p>
  )
}
