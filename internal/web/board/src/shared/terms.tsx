// What the dialogs that begin a game share: its length, the folded rules of the house, and what the browser keeps of the
// choices.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Choice } from './controls'
import { Dialog } from './dialog'
import { useWords } from './frame'
import { NumberField } from './numberfield'
import { read, write } from './prefs'
import { TakeBackChoice } from './takebackchoice'

export { Choice }

/** What of a value that was kept has the form of the usual one. */
function like<T>(usual: T, found: unknown): T {
  if (typeof usual !== 'object') return typeof found === typeof usual ? (found as T) : usual
  if (typeof found !== 'object' || found === null) return usual
  const entries = Object.entries(usual as object).map(([k, v]) => [k, like(v, (found as Record<string, unknown>)[k])])
  return Object.fromEntries(entries) as T
}

/** What was chosen for the last game on a page, which the browser keeps. */
export function kept<T>(page: string, usual: T): T {
  try {
    return like(usual, JSON.parse(read(page + '-terms') ?? 'null'))
  } catch {
    return usual
  }
}
export const keep = (page: string, terms: object): void => write(page + '-terms', JSON.stringify(terms))

/** A number of hands, or the points that end the match where target is not 0. */
export interface Length {
  hands: number
  target: number
}

/** The length as a session takes it. */
export const lengthOf = ({ hands, target }: Length): { hands: number } | { target: number } =>
  target > 0 ? { target } : { hands }

/** The choice of the length. */
export function LengthChoice({
  hands,
  points,
  now,
  change,
}: {
  hands: readonly (readonly [number, string])[]
  points: readonly number[]
  now: Length
  change(l: Length): void
}) {
  const w = useWords()
  const [own, setOwn] = useState(now.target > 0 && !points.includes(now.target))
  const options: [string, string][] = [
    ...hands.map(([n, name]): [string, string] => [String(n), name]),
    ...points.map((n): [string, string] => ['t' + n, w.t('toPoints', { n: w.number(n) })]),
    ['t', w.t('toOther')],
  ]
  return (
    <>
      <label>
        {w.t('handsAsked')}
        <select
          id="play-hands"
          data-rule="target"
          value={own ? 't' : now.target > 0 ? 't' + now.target : String(now.hands)}
          onChange={(e) => {
            const chosen = e.currentTarget.value
            setOwn(chosen === 't')
            if (!chosen.startsWith('t')) return change({ hands: Number(chosen), target: 0 })
            change({ ...now, target: Number(chosen.slice(1)) || now.target || points[0]! })
          }}>
          {options.map(([k, name]) => (
            <option key={k} value={k}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {own && (
        <NumberField
          id="play-target"
          label={w.t('pointsAsked')}
          value={now.target}
          min={1}
          max={4000}
          bad={w.t('targetBad')}
          change={(target) => change({ ...now, target })}
        />
      )}
      {now.target > 0 && <p class="hint">{w.t('targetHint')}</p>}
    </>
  )
}

/** The rules of the house, folded unless some are not the usual ones. */
export function House({ usual, children }: { usual: boolean; children: ComponentChildren }) {
  const w = useWords()
  const [open] = useState(!usual)
  return (
    <details id="house-rules" open={open}>
      <summary>{w.t('houseRules')}</summary>
      <p class="hint">{w.t('houseHint')}</p>
      {children}
    </details>
  )
}

/** A field of a rule, with what the rule means. name is its place in the request. */
export function Rule({ name, hint, children }: { name: string; hint?: string; children: ComponentChildren }) {
  return (
    <div data-rule={name}>
      {children}
      {hint && <p class="hint">{hint}</p>}
    </div>
  )
}

/** What is on or off. */
export function Switch(p: { id: string; label: string; on: boolean; off?: boolean; set(on: boolean): void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={p.id}
        checked={p.on}
        disabled={p.off}
        onChange={(e) => p.set(e.currentTarget.checked)}
      />
      {p.label}
    </label>
  )
}

/** Sends a form whose fields are right. Otherwise the first wrong one gets the focus. */
export const sending =
  (use: () => void) =>
  (e: Event & { currentTarget: HTMLFormElement }): void => {
    const bad = e.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')
    if (!bad) return use()
    e.preventDefault()
    bad.closest('details')?.setAttribute('open', '')
    bad.focus()
  }

/** The dialog that begins a game: what is asked in each of them, around the choices of the game. It keeps the choices. */
export function TermsDialog<T extends { takeback: boolean }>({
  page,
  hint,
  terms,
  set,
  close,
  begin,
  children,
}: {
  page: string
  hint: string
  terms: T
  set(terms: NoInfer<T>): void
  close(): void
  begin(): void
  children: ComponentChildren
}) {
  const w = useWords()
  return (
    <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
      <form
        method="dialog"
        noValidate
        onSubmit={sending(() => {
          keep(page, terms)
          begin()
        })}>
        <p class="hint">{hint}</p>
        {children}
        <TakeBackChoice on={terms.takeback} set={(takeback) => set({ ...terms, takeback })} />
        <div class="row end">
          <button type="submit" class="main" id="play-begin">
            {w.t('deal')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
