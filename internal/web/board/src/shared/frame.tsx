// What the pages share: the header, and notices about answers that failed.

import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Answer } from './answers'
import type { Failure } from './api'
import { site, url } from './base'
import { pages } from './pages'
import { problemText } from './problems'
import { language, setLanguage, setTheme, theme } from './prefs'
import { type Lang, type Words, languages, load, words } from './words'
import { answers, replaced, unanswered } from './solver'

export const Language = createContext<Words>(words('en'))
export const useWords = (): Words => useContext(Language)

/**
 * The words of a page in its language, which its root provides, and how to change the language. title is the title of
 * the page, and first the language that it begins with.
 */
export function useLanguage(title: (w: Words) => string, first = language()): [Words, (l: Lang) => void] {
  const [lang, set] = useState<Lang>(first)
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = title(w)
  }, [lang])
  return [w, set]
}

/** A text, or what makes it in the language that the page has when it is shown. */
export type Said<W = Words> = string | ((w: W) => string)

/**
 * What is read aloud last, in the language of the page, and how to change it. A sentence is about the state of the page,
 * as a text or by its identity. It stands until the next sentence, or vanishes when the state is another one and nothing
 * is said of it: so one act is read aloud once. More of the new state may be coming before it is told. A refusal vanishes
 * with its state: the card can be played after all.
 */
export function useStatus<W>(
  w: W,
  about: unknown = '',
  coming = false,
): [string, (text: Said<W>, refusal?: boolean) => void] {
  const [said, set] = useState<{ text: Said<W>; refusal?: boolean | undefined }>({ text: '' })
  const old = useMemo(() => about, [said]) !== about
  const text = useMemo(() => (typeof said.text === 'string' ? said.text : said.text(w)), [said, w])
  useEffect(() => {
    // What is said of the new state comes in the same task.
    if (old && !coming) setTimeout(() => set((now) => (now === said ? { text: '' } : now)))
  }, [old, coming, said])
  return [old && said.refusal ? '' : text, (text, refusal) => set({ text, refusal })]
}

// A site without a server has the pages that need none.
const shown = pages.filter((p) => !site || site.includes(p.name))

/** Says when the browser calculates, because the server does not answer. */
export function Replaced() {
  const w = useWords()
  const [now, set] = useState(replaced)
  useEffect(() => {
    const follow = () => set(replaced)
    addEventListener(answers, follow)
    return () => removeEventListener(answers, follow)
  }, [])
  return (
    <p class={now ? 'notice' : 'vh'} id="local" role="status">
      {now && w.t('local')}
    </p>
  )
}

export function Header({
  page,
  setLang,
  mode,
  children,
}: {
  /** The page; the pages of the jobs and of the rules are not in the navigation. */
  page: (typeof pages)[number]['name'] | 'jobs' | 'rules'
  setLang(l: Lang): void
  mode?: ComponentChildren
  children?: ComponentChildren
}) {
  const w = useWords()
  const [dark, setDark] = useState(theme() === 'dark')
  const [all, setAll] = useState(false) // on a phone, what is behind the button is shown
  return (
    <>
      <header class={'top' + (all ? ' all' : '')}>
        <a class="brand" href={url('/')}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <use href="#suit-S" />
          </svg>
          Roem
        </a>
        <button
          type="button"
          class="round"
          id="menu"
          aria-label={w.t('menu')}
          title={w.t('menu')}
          aria-expanded={all}
          onClick={() => setAll(!all)}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 7h16M4 12h16M4 17h16" stroke="currentColor" stroke-width="2" />
          </svg>
        </button>
        <nav aria-label={w.t('pages')}>
          {shown.map((p) => (
            <a key={p.name} href={url(p.path)} {...(page === p.name ? { 'aria-current': 'page' } : {})}>
              {w.t(`page_${p.name}`)}
            </a>
          ))}
          {!site && <a href={url('/docs/developers')}>{w.t('developers')}</a>}
        </nav>
        {mode}
        <div class="tools">
          <div class="segments" role="group" aria-label={w.t('language')}>
            {languages.map((l) => (
              <button
                type="button"
                key={l}
                lang={l}
                id={'lang-' + l}
                aria-pressed={w.lang === l}
                title={l === 'nl' ? 'Nederlands' : 'English'}
                onClick={() =>
                  void load(l).then(
                    () => {
                      setLanguage(l)
                      setLang(l)
                    },
                    () => {},
                  )
                }>
                {l.toUpperCase()}
              </button>
            ))}
          </div>
          <button
            type="button"
            class="round"
            id="theme"
            aria-label={w.t('theme')}
            title={w.t('theme')}
            onClick={() => {
              setTheme(dark ? 'light' : 'dark')
              setDark(!dark)
            }}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2" />
              <path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" />
            </svg>
          </button>
          {children}
        </div>
      </header>
      <Replaced />
    </>
  )
}

const phone = matchMedia('(max-width: 719px), (max-height: 500px)')

/** Whether the page is as narrow as on a phone, or as low as on one that lies on its side. The table is first there, and what begins another deal is below it. */
export function useNarrow(): boolean {
  const [narrow, set] = useState(phone.matches)
  useEffect(() => {
    const follow = () => set(phone.matches)
    follow() // it may have changed since the page was drawn
    phone.addEventListener('change', follow)
    return () => phone.removeEventListener('change', follow)
  }, [])
  return narrow
}

export type Mode = 'open' | 'hidden'

/** The switch between all cards open and the cards of one seat. */
export function ModeSwitch({ mode, change }: { mode: Mode; change(): void }) {
  const w = useWords()
  return (
    <div class="segments mode" role="group" aria-label={w.t('mode')}>
      {(['open', 'hidden'] as const).map((m) => (
        <button
          type="button"
          key={m}
          id={'mode-' + m}
          aria-pressed={mode === m}
          title={w.t(m === 'open' ? 'modeOpenHint' : 'modeHiddenHint')}
          onClick={() => mode !== m && change()}>
          {w.t(m === 'open' ? 'modeOpen' : 'modeHidden')}
        </button>
      ))}
    </div>
  )
}

/** Opens the dialog for the API key when the server asks for one. */
export function useKeyAsked(
  answers: readonly ({ failure?: Failure | null | undefined } | undefined)[],
  open: () => void,
): void {
  const asked = answers.some((a) => a?.failure?.kind === 'problem' && a.failure.status === 401)
  useEffect(() => {
    if (asked) open()
  }, [asked])
}

/** Why a request failed, in words. */
export const failureText = (w: Words, f: Failure): string =>
  f.kind === 'problem' ? w.t('failed', { detail: problemText(w, f.problem) }) : w.t(unanswered)

/** What goes on with an answer that has not come: its search, or why it failed. */
export function Waiting({ answer }: { answer: Answer<unknown> }) {
  const w = useWords()
  if (answer.value !== undefined) return null
  const failure = answer.failure
  if (failure?.kind === 'offline')
    return (
      <p class="notice bad" id="offline">
        {w.t(unanswered)}{' '}
        <button type="button" onClick={answer.retry}>
          {w.t('retry')}
        </button>
      </p>
    )
  if (failure?.kind === 'problem') {
    if (answer.wait !== undefined) {
      return (
        <p class="notice" id="countdown">
          {w.t(failure.status === 429 ? 'limited' : 'busy', { n: answer.wait })}
        </p>
      )
    }
    return (
      <p class="notice bad" id="failed">
        {failureText(w, failure)}{' '}
        <button type="button" onClick={answer.retry}>
          {w.t('retry')}
        </button>
      </p>
    )
  }
  if (answer.cancelled)
    return (
      <p class="notice">
        {w.t('cancelled')}{' '}
        <button type="button" onClick={answer.retry}>
          {w.t('again')}
        </button>
      </p>
    )
  const progress = answer.job?.progress as
    { nodes: number; lower?: number; upper?: number; done: number; of: number } | null | undefined
  return (
    <div class="notice late">
      <p>
        {w.t('searching')}
        {progress?.lower !== undefined && progress.upper !== undefined && (
          <> {w.t('bounds', { lower: w.signed(progress.lower), upper: w.signed(progress.upper) })}</>
        )}
        {progress ? <> {w.t('nodes', { n: w.number(progress.nodes) })}</> : null}
      </p>
      {answer.job && (
        <button type="button" id="cancel" onClick={answer.cancel}>
          {w.t('cancel')}
        </button>
      )}
    </div>
  )
}
