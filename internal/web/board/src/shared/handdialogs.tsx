// The dialogs that every hand has: another game, the record, the end, the help, and the API key.

import type { ComponentType } from 'preact'
import { RecordDialog } from './dialogs'
import { KeyDialog } from './dialog'
import type { AnyHand } from './hand'
import { StopDialog } from './stopdialog'

/** The help of a game: hidden is whether it is for one seat with hidden cards. */
export interface HelpProps {
  hidden?: boolean
  close(): void
  keys: boolean
  setKeys(on: boolean): void
}

export function HandDialogs({
  hand: { dialog, close, session, game, say, begin, end, keys, change },
  Play,
  Help,
}: {
  hand: AnyHand
  Play: ComponentType<{ close(): void; begin(request: never): void }>
  Help: ComponentType<HelpProps>
}) {
  if (dialog === 'play') return <Play close={close} begin={begin} />
  if (dialog === 'share' && session?.revealed)
    return <RecordDialog close={close} say={say} session={session} sheet={game.session!} />
  if (dialog === 'stop') return <StopDialog close={close} stop={end} />
  if (dialog === 'help') return <Help hidden close={close} keys={keys} setKeys={(keys) => change({ keys })} />
  return dialog === 'key' ? <KeyDialog close={close} /> : null
}
