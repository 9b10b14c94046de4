// A dialog, and the one that asks for the API key.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { retryAll } from './answers'
import { apiKey, setApiKey } from './api'
import { useWords } from './frame'

/** A dialog over the page. */
export function Dialog({
  title,
  id,
  close,
  children,
  wide,
}: {
  title: string
  id: string
  close(): void
  children: ComponentChildren
  wide?: boolean
}) {
  const w = useWords()
  const ref = useRef<HTMLDialogElement>(null)
  // Before the next key: the keyboard must be in the dialog at once. It begins at the first field, or, where there is
  // only text to read, at the heading; the browser would choose the button that closes the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = ref.current!
    dialog.showModal()
    const first =
      dialog.querySelector<HTMLElement>('select, textarea, input:not([type=checkbox])') ?? dialog.querySelector('h2')!
    first.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // The browser sends the event later. Another dialog may be open by then, for example the dialog for the API key.
  const closed = () => ref.current && close()
  return (
    <dialog ref={ref} id={id} class={wide ? 'wide' : ''} aria-labelledby={id + '-title'} onClose={closed}>
      <div class="dialog-head">
        <h2 id={id + '-title'} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="round" aria-label={w.t('close')} onClick={() => ref.current!.close()}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M6 6l12 12M18 6L6 18" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
          </svg>
        </button>
      </div>
      {children}
    </dialog>
  )
}

/** Asks for the API key. Requests that failed are sent again with it. */
export function KeyDialog({ close }: { close(): void }) {
  const w = useWords()
  const [key, set] = useState('')
  const sent = useRef(false)
  // The requests go out when this dialog is closed, so that an answer can open it again.
  const closed = () => {
    close()
    if (sent.current) dispatchEvent(new Event(retryAll))
  }
  return (
    <Dialog title={w.t('keyTitle')} id="key-dialog" close={closed}>
      <form
        method="dialog"
        onSubmit={() => {
          setApiKey(key.trim())
          sent.current = true
        }}>
        <p>{w.t('keyHint')}</p>
        {apiKey() !== '' && <p class="bad">{w.t('keyBad')}</p>}
        <label>
          {w.t('key')}
          <input type="password" id="key" autocomplete="off" value={key} onInput={(e) => set(e.currentTarget.value)} />
        </label>
        <div class="row end">
          <button type="submit" class="main">
            {w.t('send')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
