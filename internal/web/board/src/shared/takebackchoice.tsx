// A field of the dialogs that begin a game.

import { useWords } from './frame'

/** Chooses whether acts can be taken back. */
export function TakeBackChoice({ on, set }: { on: boolean; set(on: boolean): void }) {
  const w = useWords()
  return (
    <label class="check">
      <input type="checkbox" id="play-takeback" checked={on} onChange={(e) => set(e.currentTarget.checked)} />
      {w.t('mayTakeBack')}
    </label>
  )
}
