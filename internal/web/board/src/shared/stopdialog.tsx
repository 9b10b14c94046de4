// The question before a game is ended.

import { Dialog } from './dialog'
import { useWords } from './frame'

/** Asks before a game is ended: there is no way back. */
export function StopDialog({ close, stop }: { close(): void; stop(): void }) {
  const w = useWords()
  return (
    <Dialog title={w.t('stopTitle')} id="stop-dialog" close={close}>
      <p>{w.t('stopHint')}</p>
      <form method="dialog" class="row end">
        <button
          type="button"
          id="stop-do"
          onClick={() => {
            close()
            stop()
          }}>
          {w.t('stopGame')}
        </button>
        <button type="submit" class="main" id="stop-not">
          {w.t('playOn')}
        </button>
      </form>
    </Dialog>
  )
}
