// The page of puzzles: which ones are wanted, the puzzle, and what the browser keeps.

import { useEffect, useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { Skip } from '../shared/controls'
import { KeyDialog } from '../shared/dialog'
import { Header, Language, Waiting, failureText, useKeyAsked, useLanguage, useNarrow, useStatus } from '../shared/frame'
import type { Lang } from '../shared/words'
import { type Kept, answered, keep, readKept, saw, unrated } from './kept'
import { type Daily, type Puzzle, following } from './puzzle'
import { Shown } from './shown'
import { type Where, addressOf, kinds, levels, readWhere, themes } from './where'
import { puzzlesWords, useWords } from './words'

const none = () => undefined
const today = (): string => new Date().toISOString().slice(0, 10)

/** What the page shows, which is its address. */
function useWhere(): [Where, (to: Where) => void] {
  const [where, set] = useState(() => readWhere(location.hash))
  useEffect(() => {
    const follow = () => set(readWhere(location.hash))
    for (const event of ['popstate', 'hashchange']) addEventListener(event, follow)
    return () => ['popstate', 'hashchange'].forEach((event) => removeEventListener(event, follow))
  }, [])
  return [
    where,
    (to) => {
      if (addressOf(to) !== location.hash) history.pushState(null, '', addressOf(to))
      set(to)
    },
  ]
}

/** The puzzle of an address: by its id, else by its day, else the puzzle of today. */
function usePuzzle({ id, date }: Where): { answer: Answer<Puzzle | Daily>; puzzle?: Puzzle; day: string } {
  const day = id ? '' : date || today()
  const path = '/v1/klaverjas/puzzles/'
  const answer = useAnswer<Puzzle | Daily>(id || day, path + (id || 'daily?date=' + day), none)
  const { value } = answer
  return { answer, day, ...(value ? { puzzle: 'puzzle' in value ? value.puzzle : value } : {}) }
}

export function PuzzlesPage() {
  const [w, setLang] = useLanguage((w) => puzzlesWords(w).p('puzzlesTitle'))
  return (
    <Language.Provider value={w}>
      <Puzzles setLang={setLang} />
    </Language.Provider>
  )
}

function Puzzles({ setLang }: { setLang(l: Lang): void }) {
  const w = useWords()
  const [where, go] = useWhere()
  const [kept, setKept] = useState(readKept)
  const [missing, setMissing] = useState<Failure | 'none' | null>(null) // why there is no next puzzle
  const [key, setKey] = useState(false)
  const { answer, puzzle, day } = usePuzzle(where)
  const [said, say] = useStatus(w, puzzle?.id)
  useKeyAsked([answer, missing === 'none' ? undefined : { failure: missing }], () => setKey(true))

  const change = (now: Kept) => {
    setKept(now)
    keep(now)
  }
  useEffect(() => {
    if (puzzle) change(saw(kept, puzzle.id))
  }, [puzzle?.id])

  const seek = async (to: Where) => {
    setMissing(null)
    const { id, failure } = await following(to, puzzle?.id ?? '', kept.seen, kept.rating)
    if (id) go({ ...to, id, date: '' })
    else {
      go(to)
      setMissing(failure ?? 'none')
    }
  }
  const narrow = useNarrow()
  const filters = (
    <Filters where={where} seek={(to) => void seek(to)} today={() => go({ ...where, id: '', date: today() })} />
  )
  return (
    <>
      <Skip to={() => document.querySelector<HTMLElement>('#felt [data-card][tabindex="0"]')?.focus()} />
      <Header page="puzzles" setLang={setLang} />
      <main class="puzzles">
        <h1 class="vh">{w.t('page_puzzles')}</h1>
        {!narrow && filters}
        {missing && (
          <p class="notice bad" id="none">
            {missing === 'none' ? w.p('none') : failureText(w, missing)}
          </p>
        )}
        {puzzle ? (
          <Shown
            key={puzzle.id}
            puzzle={puzzle}
            day={day}
            kept={kept}
            said={said}
            say={say}
            count={(score) => {
              const now = answered(kept, puzzle, score)
              change(now)
              return now.rating - kept.rating
            }}
            forget={() => change(unrated(kept))}
            next={() => void seek(where)}
          />
        ) : (
          <Waiting answer={answer} />
        )}
        {narrow && filters}
      </main>
      {key && <KeyDialog close={() => setKey(false)} />}
    </>
  )
}

/** Which puzzles are wanted. */
function Filters({ where, seek, today }: { where: Where; seek(to: Where): void; today(): void }) {
  const w = useWords()
  return (
    <div class="bar" role="group" aria-label={w.p('filters')}>
      <div class="segments" role="group" aria-label={w.p('cardsOf')}>
        {(['', ...kinds] as const).map((cards) => (
          <button
            type="button"
            key={cards}
            id={'cards-' + (cards || 'all')}
            aria-pressed={where.cards === cards}
            title={w.p(`${cards || 'all'}CardsHint`)}
            onClick={() => where.cards !== cards && seek({ ...where, cards })}>
            {w.p(`${cards || 'all'}Cards`)}
          </button>
        ))}
      </div>
      <label class="inline">
        {w.p('levelIs')}
        <select
          id="level"
          value={where.level}
          onChange={(e) => seek({ ...where, level: e.currentTarget.value as Where['level'] })}>
          <option value="">{w.p('anyLevel')}</option>
          {levels.map((l) => (
            <option key={l} value={l}>
              {w.p(`for_${l}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        {w.p('themeIs')}
        <select
          id="theme-of"
          value={where.theme}
          onChange={(e) => seek({ ...where, theme: e.currentTarget.value as Where['theme'] })}>
          <option value="">{w.p('anyTheme')}</option>
          {themes.map((t) => (
            <option key={t} value={t}>
              {w.p(`th_${t}`)}
            </option>
          ))}
        </select>
      </label>
      <span class="grow" />
      <button type="button" id="daily" onClick={today}>
        {w.p('daily')}
      </button>
    </div>
  )
}
