// The dialogs that the games share: the address, and the help with the keys.

import { useRef } from 'preact/hooks'
import { url } from './base'
import { Dialog } from './dialog'
import { type Said, useWords } from './frame'
import { linkOf } from './history'
import { pages } from './pages'
import { setShortcuts } from './prefs'
import { type Hand, RecordButtons, type Recorded, canSend, recordOf, recordOfSession, sendLink } from './records'

// A text that can be copied. copied says that it was.
function CopyField(p: {
  id: string
  label: string
  value: string
  button: string
  copied: Said
  say(text: Said): void
}) {
  const ref = useRef<HTMLInputElement>(null)
  return (
    <>
      <label for={p.id}>{p.label}</label>
      <input id={p.id} ref={ref} readOnly value={p.value} onFocus={(e) => e.currentTarget.select()} />
      {navigator.clipboard && (
        <div class="row end">
          <button
            type="button"
            class={p.id === 'share-address' ? 'main' : ''}
            onClick={() =>
              void navigator.clipboard.writeText(p.value).then(
                () => p.say(p.copied),
                () => ref.current!.select(),
              )
            }>
            {p.button}
          </button>
        </div>
      )}
    </>
  )
}

/**
 * The address of what the page shows, its record if it shows a hand and, where there is one, the code that shows it in
 * another page.
 */
export function ShareDialog({
  close,
  say,
  embed,
  hand,
}: {
  close(): void
  say(text: Said): void
  embed?: string
  hand?: Hand
}) {
  const w = useWords()
  return (
    <Dialog title={w.t('shareTitle')} id="share-dialog" close={close}>
      <p class="hint">{w.t('shareHint')}</p>
      <CopyField
        id="share-address"
        label={w.t('address')}
        value={linkOf(location.hash, w.lang)}
        button={w.t('copy')}
        copied={(w) => w.t('copied')}
        say={say}
      />
      {canSend && (
        <div class="row end">
          <button type="button" id="share-send" onClick={() => sendLink(linkOf(location.hash, w.lang))}>
            {w.t('linkSend')}
          </button>
        </div>
      )}
      {hand && <RecordButtons text={() => recordOf(hand)} say={say} />}
      {embed && (
        <>
          <CopyField
            id="share-embed"
            label={w.t('embedCode')}
            value={embed}
            button={w.t('embedCopy')}
            copied={(w) => w.t('embedCopied')}
            say={say}
          />
          <p class="hint">{w.t('embedHint')}</p>
        </>
      )}
    </Dialog>
  )
}

/** The record of a hand that no address holds: one of a session. sheet has the results of all its hands. */
export function RecordDialog({
  close,
  say,
  session: s,
  sheet,
}: {
  close(): void
  say(text: Said): void
  session: Recorded
  sheet: Recorded
}) {
  const w = useWords()
  return (
    <Dialog title={w.t('shareTitle')} id="share-dialog" close={close}>
      <RecordButtons link text={(all) => recordOfSession(s, all)} several={sheet.results.length > 1} say={say} />
    </Dialog>
  )
}

/** What the page shows, in a sentence, the way to the rules of its game, and its keys. */
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
      <p>
        <a class="rules-link" href={url('/rules') + '#' + pages.find((p) => url(p.path) === location.pathname)?.name}>
          {w.t('rulesLink')}
        </a>
      </p>
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
