// The dialogs that the games share: the address, and the help with the keys.

import { useRef } from 'preact/hooks'
import { Dialog, type Said, useWords } from './frame'
import { setShortcuts } from './prefs'

export function ShareDialog({ close, say }: { close(): void; say(text: Said): void }) {
  const w = useWords()
  const ref = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={w.t('shareTitle')} id="share-dialog" close={close}>
      <p class="hint">{w.t('shareHint')}</p>
      <label for="share-address">{w.t('address')}</label>
      <input id="share-address" ref={ref} readOnly value={location.href} onFocus={(e) => e.currentTarget.select()} />
      {navigator.clipboard && (
        <div class="row end">
          <button
            type="button"
            class="main"
            onClick={() =>
              void navigator.clipboard.writeText(location.href).then(
                () => say((w) => w.t('copied')),
                () => ref.current!.select(),
              )
            }>
            {w.t('copy')}
          </button>
        </div>
      )}
    </Dialog>
  )
}

/** What the page shows, in a sentence, and its keys. */
export function KeysDialog({
  text,
  rows,
  close,
  keys,
  setKeys,
}: {
  text: string
  rows: [string, string][]
  close(): void
  keys: boolean
  setKeys(on: boolean): void
}) {
  const w = useWords()
  return (
    <Dialog title={w.t('help')} id="help-dialog" close={close}>
      <p>{text}</p>
      <label class="check">
        <input
          type="checkbox"
          id="shortcuts"
          checked={keys}
          onChange={(e) => {
            setShortcuts(e.currentTarget.checked)
            setKeys(e.currentTarget.checked)
          }}
        />
        {w.t('shortcuts')}
      </label>
      <h3>{w.t('helpTitle')}</h3>
      <dl class="keys">
        {rows.map(([k, what]) => (
          <div key={k}>
            <dt>
              {k.split(', ').map((x) => (
                <kbd key={x}>{x}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
