// The page of puzzles: a position, an answer, and what the cards are worth.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../shared/answers'
import type { Failure } from '../shared/api'
import { useAsked } from '../shared/asked'
import { url } from '../shared/base'
import { Brief } from '../shared/card'
import { type Card, parseCard, wire } from '../shared/cards'
import { Controls, Skip, useKeys } from '../shared/controls'
import {
  Header,
  KeyDialog,
  Language,
  Waiting,
  failureText,
  useKeyAsked,
  useLanguage,
  useNarrow,
  useStatus,
} from '../shared/frame'
import * as prefs from '../shared/prefs'
import { useGame } from '../shared/session'
import { StopDialog } from '../shared/stopdialog'
import { type Lang, loadLater } from '../shared/words'
import type { Session, SessionRequest } from '../klaverjas/api'
import { requestFrom } from '../klaverjas/ingame'
import { type Explanation, TwoLines, Why } from '../klaverjas/mistake'
import { type Position, refusal, replay } from '../klaverjas/rules'
import { type Team, sorted } from '../klaverjas/seats'
import { type Mark, SeenTable } from '../klaverjas/seentable'
import { Table, whyNot } from '../klaverjas/table'
import { fragment, gameFragment } from '../klaverjas/url'
import { type Kept, answered, keep, readKept } from './kept'
import {
  type Daily,
  type Puzzle,
  type Solution,
  cardsOf,
  comparedWith,
  dealOf,
  explanationOf,
  following,
  sharedOf,
} from './puzzle'
import { type Where, addressOf, kinds, levels, readWhere, themes } from './where'
import { type Words, puzzlesWords, useWords } from './words'

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

  const seek = async (to: Where) => {
    setMissing(null)
    const { id, failure } = await following(to, puzzle?.id ?? '', new Set([...kept.right, ...kept.wrong]))
    if (id) go({ ...to, id, date: '' })
    else {
      go(to)
      setMissing(failure ?? 'none')
    }
  }
  const count = (id: string, right: boolean) => {
    const now = answered(kept, id, right)
    setKept(now)
    keep(now)
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
            count={count}
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

/** The puzzle on the table, with the answer of the reader and then the solution beside it. */
function Shown({
  puzzle,
  day,
  kept,
  said,
  say,
  count,
  next,
}: {
  puzzle: Puzzle
  day: string
  kept: Kept
  said: string
  say(text: string | ((w: Words) => string)): void
  count(id: string, right: boolean): void
  next(): void
}) {
  const w = useWords()
  const shared = useMemo(() => sharedOf(puzzle), [puzzle])
  const [chosen, choose] = useState<Card | null>(null)
  const [refused, setRefused] = useState<Card | null>(null)
  const [focused, setFocused] = useState<Card | undefined>()
  const [line, setLine] = useState<{ cards: Card[]; at: number }>({ cards: [], at: 0 })
  const path = `/v1/klaverjas/puzzles/${puzzle.id}/solution`
  const answer = useAnswer<Solution>(chosen === null ? '' : puzzle.id, path, none)
  const solution = chosen === null ? undefined : answer.value
  const asked = useMemo(() => replay(shared.setup, shared.played), [shared])
  const position = useMemo(
    () => (line.at > 0 ? replay(shared.setup, [...shared.played, ...line.cards.slice(0, line.at)]) : asked),
    [shared, line],
  )
  const tell = useAsked(puzzle.id, answer, say, [
    (w: Words) => (solution && chosen !== null ? verdictText(w, puzzle, solution, chosen) : ''),
  ])

  const playCard = (c: Card) => {
    if (chosen !== null) return
    if (refusal(asked, c) !== null) {
      setRefused(c)
      return say((w) => w.p('chooseLegal', { card: w.card(c), why: whyNot(w, asked, c) }))
    }
    setRefused(null)
    choose(c)
    tell(0)
  }
  // The answer counts when it is known whether it was right.
  useEffect(() => {
    if (solution && chosen !== null) count(puzzle.id, solution.card === wire(chosen))
  }, [solution])

  const goLine = (to: number) =>
    setLine({ ...line, at: Math.max(0, Math.min(line.cards.length, to - shared.played.length)) })
  useKeys(
    false,
    true,
    {
      at: shared.played.length + line.at,
      of: shared.played.length + line.cards.length,
      go: goLine,
      letters: { n: next },
    },
    (e, at) => {
      const c = parseCard(at.dataset['card']!)!
      const hand = sorted(position.held[puzzle.seat], shared.setup.trump)
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (!step || !hand.includes(c)) return false
      const to = hand[(hand.indexOf(c) + step + hand.length) % hand.length]!
      document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
      return true
    },
  )
  const valued = line.at === 0 ? solution : undefined
  const { setup } = shared
  // On a phone the question is above the table.
  const narrow = useNarrow()
  const ask = chosen === null && (
    <div class="ask" id="ask">
      <p>{w.p(puzzle.view ? 'askHidden' : 'askOpen', { seat: w.seat(puzzle.seat), n: puzzle.margin })}</p>
      <p class="hint">{w.p('askHow')}</p>
    </div>
  )
  return (
    <>
      <p class="deal-line" id="deal-line">
        <b>
          {day
            ? w.p('ofDay', {
                date: new Date(day + 'T12:00:00Z').toLocaleDateString(w.lang, {
                  day: 'numeric',
                  month: 'long',
                  year: 'numeric',
                }),
              })
            : w.p('puzzleId', { id: puzzle.id })}
        </b>
        <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
        <span>{w.t('teamDeclares', { team: w.team(setup.declarer) })}</span>
        <span>{w.t(setup.rules.system)}</span>
        <span>{w.p('levelShown', { level: w.p(`for_${puzzle.level}`) })}</span>
      </p>
      {narrow && ask}
      <div class="page">
        <div class="play">
          {puzzle.view ? (
            <SeenTable
              position={position}
              seat={puzzle.seat}
              gathers={false}
              live={line.at === 0}
              marks={marksOf(w, valued)}
              late={false}
              chosen={focused}
              refused={refused}
              playCard={playCard}
              focusCard={setFocused}
              skip={() => {}}
            />
          ) : (
            <Table
              position={position}
              solution={valued && solvedOf(valued)}
              roving={focused === undefined ? {} : { [puzzle.seat]: focused }}
              refused={refused}
              playCard={playCard}
              focusCard={setFocused}
              valued={valued !== undefined}
            />
          )}
          {line.cards.length > 0 && (
            <Controls at={shared.played.length + line.at} of={shared.played.length + line.cards.length} go={goLine} />
          )}
          <p class="status" id="status" role="status">
            {said || null}
          </p>
        </div>
        <aside class="panel" aria-label={w.p('puzzleId', { id: puzzle.id })}>
          {!narrow && ask}
          {chosen !== null && !solution && <Waiting answer={answer} />}
          {chosen !== null && solution && (
            <Solved
              puzzle={puzzle}
              solution={solution}
              chosen={chosen}
              position={asked}
              show={(cards) => setLine({ cards, at: 1 })}
            />
          )}
          <p class="next">
            <button type="button" class={solution ? 'main' : ''} id="next" onClick={next}>
              {w.p('nextPuzzle')}
            </button>
          </p>
          <p class="kept" id="kept">
            {w.p('score')}: {w.p('solvedOf', { n: kept.right.length, of: kept.right.length + kept.wrong.length })},{' '}
            {w.p('streak', { n: kept.streak, best: kept.best })}
          </p>
        </aside>
      </div>
    </>
  )
}

/** The values as the table of the board shows them. */
const solvedOf = (s: Solution) => ({
  outcome: s.values[0]!.outcome,
  moves: s.values.map(({ card, outcome, cost }) => ({ card, outcome, won: outcome > 0, best: cost === 0 })),
})

/** What stands below the cards of a hidden puzzle. */
function marksOf(w: Words, s: Solution | undefined): ReadonlyMap<Card, Mark> {
  return new Map(
    (s?.values ?? []).map((v, i) => {
      const n = Math.round(v.cost)
      const mark =
        i === 0
          ? { text: '★', said: w.t('isBest'), tone: 'v-best' }
          : { text: w.t('losesValue', { n }), said: w.t('loses', { n }), tone: n >= 20 ? 'v-much' : 'v-some' }
      return [parseCard(v.card)!, mark]
    }),
  )
}

const rounded = (n: number): number => Math.round(n)

/** Whether the answer was right, and what the better card keeps. */
function verdictText(w: Words, p: Puzzle, s: Solution, chosen: Card): string {
  const right = wire(chosen) === s.card
  return `${w.p(right ? 'right' : 'wrong')}. ${keepsText(w, p, s, chosen)}`
}

/** What the best card keeps beside the one that was chosen or, if that was the best one, beside the second best one. */
function keepsText(w: Words, p: Puzzle, s: Solution, chosen: Card): string {
  const other = comparedWith(s, wire(chosen))
  const team: Team = p.view ? p.view.declarer : p.position!.declarer
  const vars = {
    best: w.card(parseCard(s.card)!),
    other: w.card(parseCard(other.card)!).toLowerCase(),
    n: rounded(other.cost),
    worlds: w.number(s.worlds?.used ?? 0),
  }
  const text = [w.p(p.view ? 'keepsHidden' : 'keepsOpen', vars)]
  if (!p.view && s.themes.includes('nat'))
    text.push(w.p(s.values[0]!.outcome > 0 ? 'onlyMakes' : 'onlyNat', { team: w.team(team) }))
  return text.join(' ')
}

/** The solution: the verdict, the values of all cards, what follows them, and who finds the card. */
function Solved({
  puzzle,
  solution: s,
  chosen,
  position,
  show,
}: {
  puzzle: Puzzle
  solution: Solution
  chosen: Card
  position: Position
  show(cards: Card[]): void
}) {
  const w = useWords()
  const right = wire(chosen) === s.card
  const team = w.team(position.setup.declarer)
  const there = useLaterTexts()
  const why = explanationOf(puzzle, s, comparedWith(s, wire(chosen)))
  const lines = s.values.filter((v) => v.line && (v.card === s.card || v.card === wire(chosen)))
  return (
    <>
      <p class={'verdict ' + (right ? 'made' : 'nat')} id="verdict">
        <b aria-hidden="true">{right ? '✓' : '✗'}</b>
        <span>
          {w.p(right ? 'right' : 'wrong')}
          <small>{keepsText(w, puzzle, s, chosen)}</small>
        </span>
      </p>
      {there && why && <WhyNot of={why} />}
      <div class="scroll" tabIndex={0} role="region" aria-label={w.p('valuesAll')}>
        <table id="values">
          <caption>{w.p('valuesAll')}</caption>
          <thead>
            <tr>
              <th scope="col">{w.p('cardCol')}</th>
              <th scope="col">{w.p('costCol')}</th>
              <th scope="col">{w.p(puzzle.view ? 'winCol' : 'outcomeCol', { team })}</th>
            </tr>
          </thead>
          <tbody>
            {s.values.map((v) => (
              <tr key={v.card} data-value={v.card} class={v.card === wire(chosen) ? 'chosen' : ''}>
                <th scope="row">
                  <Brief card={parseCard(v.card)!} />
                  {v.card === s.card && <span aria-hidden="true"> ★</span>}
                  {v.card === wire(chosen) && <small> {w.p('yours')}</small>}
                </th>
                <td>
                  {v.cost === 0
                    ? w.t('isBest')
                    : v.standard_error
                      ? w.p('plusMinus', { n: rounded(v.cost), e: Math.max(1, rounded(2 * v.standard_error)) })
                      : w.number(rounded(v.cost))}
                </td>
                <td>{puzzle.view ? `${rounded(100 * (v.win_probability ?? 0))} %` : w.signed(v.outcome)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > 0 && (
        <div class="lines" role="group" aria-label={w.p('lines')}>
          <h2>{w.p('lines')}</h2>
          {lines.map((v) => (
            <button type="button" key={v.card} data-line={v.card} onClick={() => show(cardsOf([v.card, ...v.line!]))}>
              {w.p('lineAfter', { card: w.brief(parseCard(v.card)!) })}
            </button>
          ))}
        </div>
      )}
      <div
        class="scroll"
        tabIndex={0}
        role="region"
        aria-label={w.p('found', { card: w.card(parseCard(s.card)!).toLowerCase() })}>
        <table id="grades">
          <caption>{w.p('found', { card: w.card(parseCard(s.card)!).toLowerCase() })}</caption>
          <thead>
            <tr>
              <th scope="col">{w.p('playersCol')}</th>
              <th scope="col">{w.p('foundCol')}</th>
            </tr>
          </thead>
          <tbody>
            {s.grades.map((g) => (
              <tr key={g.level}>
                <th scope="row">{w.p(`lv_${g.level}`)}</th>
                <td>
                  <progress max={g.players} value={g.found} aria-label={foundText(w, g)} />
                  <span aria-hidden="true">{foundText(w, g)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{w.p('foundHint')}</p>
      <p class="themes">
        {w.p('about')}: {s.themes.map((t) => w.p(`th_${t}`)).join(', ')}.{' '}
        <a href={url('/board' + fragment(dealOf(puzzle, s)))} id="on-board">
          {w.p('onBoard')}
        </a>
      </p>
      {there && <PlayOn puzzle={puzzle} solution={s} />}
    </>
  )
}

/** How many players of a level find the card. A level at which all choose alike finds it or does not. */
const foundText = (w: Words, { players, found }: { players: number; found: number }): string =>
  players > 1 ? w.p('foundOf', { n: found, of: players }) : w.p(found > 0 ? 'foundYes' : 'foundNo')

/** Whether the texts are there that are loaded after the page. */
function useLaterTexts(): boolean {
  const { lang } = useWords()
  const [there, set] = useState('')
  useEffect(() => {
    loadLater(lang).then(
      () => set(lang),
      () => {}, // the page does without
    )
  }, [lang])
  return there === lang
}

/** Why another card is a mistake. */
function WhyNot({ of }: { of: Explanation }) {
  const w = useWords()
  if (!of.reason && !of.evidence) return null
  return (
    <section class="mistake" aria-labelledby="why-not">
      <h2 id="why-not">{w.p('whyNot', { card: w.card(parseCard(of.lines.played[0]!)!).toLowerCase() })}</h2>
      <Why of={of} />
      {of.evidence && <TwoLines of={of} titled={w.p('lineWith')} />}
    </section>
  )
}

/** Begins a game with the players of the server in the position of the puzzle. The board goes on with it. */
function PlayOn({ puzzle, solution }: { puzzle: Puzzle; solution: Solution }) {
  const w = useWords()
  const [asking, ask] = useState(false)
  const game = useGame<Session, SessionRequest>(false, '/v1/klaverjas/sessions', 'game')
  const start = async () => {
    const shared = dealOf(puzzle, solution)
    if (await game.start(requestFrom(shared, shared.played.length, { partner: 'club', opponents: 'club' })))
      location.assign(url('/board' + gameFragment))
  }
  return (
    <>
      <p class="row">
        <button
          type="button"
          id="play-from"
          aria-disabled={game.busy}
          onClick={() => !game.busy && (prefs.game('game') ? ask(true) : void start())}>
          {w.p('playFrom')}
        </button>
      </p>
      {(game.failure || game.refused) && (
        <p class="notice bad" role="alert">
          {game.refused || (game.failure && failureText(w, game.failure))}
        </p>
      )}
      {asking && <StopDialog close={() => ask(false)} stop={() => void start()} />}
    </>
  )
}
