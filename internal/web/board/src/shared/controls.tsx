// What both modes of the board have: the buttons to go back and forth, the field for a card, the tabs of the panel, and
// the keys.

import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Card } from './cards'
import { type Said, useWords } from './frame'
import { pace, paces, setPace } from './prefs'
import { type Reader, type Typed, readTyped } from './typed'
import { WhichCard } from './which'
import type { Key, Words } from './words'

/** The buttons to go to another card of the play. */
export function Controls({
  at,
  of,
  total = 32,
  first = 0,
  go,
  children,
}: {
  at: number
  of: number
  total?: number
  /** The first step: what is before the first card has negative numbers. */
  first?: number
  go(to: number): void
  children?: ComponentChildren
}) {
  const w = useWords()
  const control = (id: Key, path: string, enabled: boolean, to: number) => (
    <button
      type="button"
      id={id}
      class="round"
      aria-label={w.t(id)}
      title={w.t(id)}
      aria-disabled={!enabled}
      onClick={() => enabled && go(to)}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} fill="currentColor" />
      </svg>
    </button>
  )
  return (
    <div class="controls" role="group" aria-label={w.t('moves')}>
      {control('first', 'M5 5h3v14H5zM20 5v14L9 12z', at > first, first)}
      {control('undo', 'M17 5v14L7 12z', at > first, at - 1)}
      <span class="count" aria-hidden="true">
        {Math.max(0, at)} / {total}
      </span>
      {control('redo', 'M7 5v14l10-7z', at < of, at + 1)}
      {control('last', 'M16 5h3v14h-3zM4 5v14l11-7z', at < of, of)}
      {children}
    </div>
  )
}

/** The button that plays the best card. */
export function BestButton({ off, best, text }: { off: boolean; best(): void; text?: string | undefined }) {
  const w = useWords()
  return (
    <button type="button" id="best" aria-disabled={off} title={w.t('best')} onClick={best}>
      <span aria-hidden="true">★ </span>
      {text ?? w.t('bestShort')}
    </button>
  )
}

/**
 * The button that asks for advice and the one that follows it. They are two, and keep their places: a second click on
 * the first one plays nothing.
 */
export function AdviceButtons({
  asking,
  best,
  text,
  ask,
  follow,
}: {
  asking: boolean
  best: unknown
  text?: string
  ask(): void
  follow(): void
}) {
  const w = useWords()
  return (
    <>
      <button type="button" id="ask" aria-disabled={!asking} title={w.t('askAdvice')} onClick={ask}>
        {w.t('advice')}
      </button>
      <BestButton off={!best} best={follow} text={text} />
    </>
  )
}

/** Takes the last act of a friendly game back. */
export function TakeBackButton({
  session,
  off,
  act,
}: {
  session: { takeback?: boolean; acts: number } | null
  off: boolean
  act(): void
}) {
  const w = useWords()
  if (!session?.takeback) return null
  return (
    <button
      type="button"
      id="takeback"
      aria-disabled={off || session.acts === 0}
      onClick={() => !off && session.acts > 0 && act()}>
      {w.t('takeBack')}
    </button>
  )
}

/** The choice of one of a few values. */
export function Choice<T extends string | number>({
  id,
  label,
  inline = false,
  now,
  options,
  set,
}: {
  id: string
  label: string
  /** Whether it stands in a line with others. */
  inline?: boolean
  now: T
  options: readonly (readonly [T, string])[]
  set(value: T): void
}) {
  return (
    <label class={inline ? 'inline' : undefined}>
      {label}
      <select id={id} value={now} onChange={(e) => set(options[e.currentTarget.selectedIndex]![0])}>
        {options.map(([k, name]) => (
          <option key={k} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** How fast the cards of the others come. */
export function PaceChoice() {
  const w = useWords()
  return (
    <Choice
      inline
      id="pace"
      label={w.t('pace')}
      now={pace()}
      options={paces.map((p) => [p, w.t(`pace_${p}`)])}
      set={setPace}
    />
  )
}

/** How a game reads cards that are typed, and what it says of them. */
export interface CardReader {
  read: Reader
  words: Words
  example: string
  hint: string
  noCard(text: string): string
}

/**
 * A field in which a card can be typed. play returns whether the card was taken. Without a reader the pack has 32
 * cards.
 */
export function CardField({
  label,
  field,
  say,
  play,
  reader,
}: {
  label: string
  field: RefObject<HTMLInputElement | null>
  say(text: Said): void
  play(c: Card): boolean
  reader?: CardReader
}) {
  const w = useWords()
  const [typed, setTyped] = useState('')
  const [asked, ask] = useState<Typed | null>(null) // what has two readings
  const take = (c: Card) => {
    if (play(c)) setTyped('')
  }
  const back = () => {
    ask(null)
    field.current?.focus()
  }
  useLayoutEffect(() => {
    if (asked) document.querySelector<HTMLElement>('.controls [data-which]')!.focus()
  }, [asked])
  return (
    <>
      <form
        class="field"
        onSubmit={(e) => {
          e.preventDefault()
          const text = typed.trim().slice(0, 12)
          const cards = (reader?.read ?? readTyped)(reader?.words ?? w, typed)
          ask(cards.length > 1 ? { text, cards } : null)
          if (cards.length === 0) say(reader ? reader.noCard(text) : (w) => w.t('noCard', { text }))
          else if (cards.length > 1)
            say('') // the question has the focus
          else take(cards[0]!)
        }}>
        <label for="field">{label}</label>
        <input
          id="field"
          ref={field}
          value={typed}
          placeholder={reader?.example ?? '10H'}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          size={5}
          aria-describedby="field-hint"
          onInput={(e) => {
            setTyped(e.currentTarget.value)
            ask(null)
          }}
        />
        <span id="field-hint" class="vh">
          {reader?.hint ?? w.t('fieldHint')}
        </span>
        <button type="submit">{w.t('go')}</button>
      </form>
      {asked && (
        <div onKeyDown={(e) => e.key === 'Escape' && back()}>
          <WhichCard
            typed={asked}
            words={reader?.words}
            choose={(c) => {
              back()
              take(c)
            }}
          />
        </div>
      )}
    </>
  )
}

/** The tabs of the panel, with what the chosen one shows. */
export function Tabs<T extends string>({
  list,
  text,
  label,
  tab,
  set,
  children,
}: {
  list: readonly T[]
  text(t: NoInfer<T>): string
  label: string
  tab: T
  set(t: T): void
  children: ComponentChildren
}) {
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(e) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
          if (!step) return
          const to = list[(list.indexOf(tab) + step + list.length) % list.length]!
          set(to)
          document.getElementById('tab-' + to)?.focus()
        }}>
        {list.map((x) => (
          <button
            type="button"
            role="tab"
            key={x}
            id={'tab-' + x}
            aria-selected={tab === x}
            aria-controls="tab-panel"
            tabIndex={tab === x ? 0 : -1}
            onClick={() => set(x)}>
            {text(x)}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={'tab-' + tab} tabIndex={0}>
        {children}
      </div>
    </>
  )
}

/** The button of the help, and the link over the header to the cards. */
export const HelpButton = ({ open }: { open(): void }) => {
  const w = useWords()
  return (
    <button type="button" class="round" id="help" aria-label={w.t('help')} title={w.t('help')} onClick={open}>
      ?
    </button>
  )
}
export const Skip = ({ to }: { to(): void }) => (
  <a
    class="skip"
    href="#felt"
    onClick={(e) => {
      e.preventDefault()
      to()
    }}>
    {useWords().t('skip')}
  </a>
)

/** What keys do, in the order of their meaning: to go to another card of the play, and the keys of one letter. */
export interface Keys {
  at: number
  of: number
  first?: number
  go(to: number): void
  letters: Record<string, () => void>
}

/**
 * Listens to the keys of the page. cardKey sees those that are pressed on a card first, and returns whether it took
 * one.
 */
export function useKeys(
  dialog: boolean,
  letters: boolean,
  { at, of, first = 0, go, letters: acts }: Keys,
  cardKey: (e: KeyboardEvent, card: HTMLElement) => boolean,
): void {
  const on = useRef<(e: KeyboardEvent) => void>(() => {})
  on.current = (e) => {
    const target = e.target as HTMLElement
    if (
      e.defaultPrevented ||
      e.ctrlKey ||
      e.metaKey ||
      e.altKey ||
      dialog ||
      target.closest('input, select, textarea, dialog')
    )
      return
    const card = target.closest<HTMLElement>('#felt [data-card]')
    let act: (() => void) | undefined
    if (target.closest('#felt, .controls')) {
      const to = e.shiftKey && card ? { ArrowLeft: at - 1, ArrowRight: at + 1 }[e.key] : undefined
      const there = to ?? { Backspace: at - 1, Home: first, End: of }[e.key]
      if (there !== undefined) act = () => go(there)
    }
    if (!act && card && cardKey(e, card)) return e.preventDefault()
    if (!act && letters && !e.repeat) act = acts[e.key]
    if (!act) return
    e.preventDefault()
    act()
  }
  useLayoutEffect(() => {
    const listen = (e: KeyboardEvent) => on.current(e)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
