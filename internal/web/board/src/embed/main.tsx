// The program of /embed: the board of Klaverjas in a frame of another site's page, without a header and forms. The
// position is in the fragment, as on the board, and how it is shown is in the query.

import { useEffect, useMemo } from 'preact/hooks'
import { site, url } from '../shared/base'
import { BestButton, Controls } from '../shared/controls'
import { Language, Replaced, useLanguage } from '../shared/frame'
import { useLaterTexts } from '../shared/later'
import { type OpenGame, useOpenBoard, useOpenTable } from '../shared/openboard'
import { show } from '../shared/page'
import type { Theme } from '../shared/prefs'
import { type Lang, type Vars, fill, languages, textsOf } from '../shared/words'
import { game, useValues } from '../klaverjas/opentable'
import { Score, type Tab, Values } from '../klaverjas/panel'
import { type Position, complete } from '../klaverjas/rules'
import type { Seat } from '../klaverjas/seats'
import { type Action, type State, blank, initial } from '../klaverjas/state'
import { Table } from '../klaverjas/table'
import { type Shared, fragment, readFragment } from '../klaverjas/url'
import { type Words, klaverjasWords, useWords } from '../klaverjas/words'
import type { EmbedKey } from './words-en'

const own = textsOf({ en: './words-embed-en.js', nl: './words-embed-nl.js' })
const say = (w: Words, key: EmbedKey, vars?: Vars): string => fill(own(w.lang, key) ?? key, vars)

/** What is wrong with an address. An object, since the state of a component cannot be a function. */
interface Wrong {
  text(w: Words): string
}

const choices: Record<string, readonly string[]> = {
  values: ['shown', 'hidden'],
  language: languages,
  theme: ['light', 'dark'],
}

/** How the board is shown, and the first mistake in the query that says so. */
function readQuery(query: string): { flags: Record<string, string>; wrong: Wrong | null } {
  const flags: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const allowed = choices[name]
    if (!allowed) return { flags, wrong: { text: (w) => w.t('urlUnknown', { field: name.slice(0, 20) }) } }
    if (!allowed.includes(value))
      return { flags, wrong: { text: (w) => say(w, 'flag', { name, choices: allowed.join(say(w, 'or')) }) } }
    flags[name] = value
  }
  return { flags, wrong: null }
}
// In a frame that has no address, the element around it has what would be in one.
const around = location.protocol === 'about:' ? (frameElement as HTMLElement | null) : null
const { query, hash: given } = (around?.dataset ?? {}) as Partial<Record<string, string>>
const { flags, wrong } = readQuery(query ?? location.search)

function read(hash: string): { ok: true; shared: Shared } | { ok: false; error: Wrong } {
  if (hash.length < 2) return { ok: false, error: { text: (w) => say(w, 'nothing') } }
  const from = readFragment(hash)
  if (!from.ok) return { ok: false, error: { text: (w) => w.t(...from.error) } }
  return from.seat ? { ok: false, error: { text: (w) => say(w, 'oneSeat') } } : from
}

function begin(): { state: State; error: Wrong | null } {
  const from = read(given ?? location.hash)
  return from.ok ? { state: initial(from.shared), error: wrong } : { state: blank(), error: from.error }
}

// The address and the storage stay as they are: the address is the one that the page around the frame has given.
const embedded: OpenGame<State, Action, Position, Words, Shared, Wrong, Tab, Seat> = {
  ...game,
  errorText: (w, e) => e.text(w),
  readFragment: read,
  there: () => false,
}

/** Tells the page around the frame how high the board is, now and when that changes. */
function useHeight() {
  useEffect(() => {
    if (parent === window) return
    const tell = new ResizeObserver(() => {
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
      parent.postMessage({ type: 'roem-height', height }, '*')
    })
    tell.observe(document.documentElement)
    return () => tell.disconnect()
  }, [])
}

function Board() {
  const w = useWords()
  const started = useMemo(begin, [])
  const board = useOpenBoard(embedded, w, started)
  const { state, position, error, refused, playCard, playLine, go } = board
  const valued = flags['values'] !== 'hidden'
  const { solution, told } = useValues(board, valued)
  const { chosen, best, focusCard } = useOpenTable(board, told)
  const { setup } = state
  const missing = [...setup.holders].filter((h) => h === '.').length
  const there = useLaterTexts(error !== null) // the texts of what is wrong
  if (error)
    return (
      there && (
        <p class="notice bad" id="url-error">
          {w.t('urlBad', { error: error.text(w) })}
        </p>
      )
    )
  return (
    <>
      <p class="deal-line">
        <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
        <span>{w.t('teamDeclares', { team: w.team(setup.declarer) })}</span>
      </p>
      {missing > 0 && (
        <p class="notice" id="incomplete">
          {w.t('incomplete', { n: missing })}
        </p>
      )}
      <div class="page">
        <div class="play">
          <Table
            position={position}
            solution={solution.value}
            roving={chosen}
            refused={refused}
            playCard={playCard}
            focusCard={focusCard}
            valued={valued}
          />
          <Controls at={state.cursor} of={state.played.length} go={go}>
            {valued && <BestButton off={position.finished || !solution.value} best={best} />}
            {(!site || site.includes('klaverjas')) && (
              <a class="open-it" href={url('/board' + fragment(state))} target="_blank" rel="noopener">
                {say(w, 'openIt')}
              </a>
            )}
          </Controls>
          <p class="status" id="status" role="status">
            {board.said || null}
          </p>
        </div>
        <aside class="panel" aria-label={w.t('score')}>
          <Score position={position} />
          {valued && complete(setup.holders) && (
            <Values position={position} answer={solution} playCard={playCard} playLine={playLine} />
          )}
        </aside>
      </div>
    </>
  )
}

function EmbedPage() {
  const [w] = useLanguage((w) => klaverjasWords(w).t('title'), flags['language'] as Lang | undefined)
  useHeight()
  return (
    <Language.Provider value={w}>
      <main class="embedded">
        <h1 class="vh">{klaverjasWords(w).t('title')}</h1>
        <Replaced />
        <Board />
      </main>
    </Language.Provider>
  )
}

await show(EmbedPage, flags['language'] as Lang | undefined, flags['theme'] as Theme | undefined)
