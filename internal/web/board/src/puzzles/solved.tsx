// The solution of a decision: the verdict, the values of all cards, what follows them, and who finds the card.

import { useState } from 'preact/hooks'
import { url } from '../shared/base'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import { failureText } from '../shared/frame'
import { Head } from '../shared/head'
import { useLaterTexts } from '../shared/later'
import * as prefs from '../shared/prefs'
import { useGame } from '../shared/session'
import { StopDialog } from '../shared/stopdialog'
import type { Session, SessionRequest } from '../klaverjas/api'
import { requestFrom } from '../klaverjas/request'
import { type Explanation, TwoLines, Why } from '../klaverjas/mistake'
import type { Team } from '../klaverjas/seats'
import type { Mark } from '../shared/standing'
import { fragment, gameFragment } from '../klaverjas/url'
import {
  type Decision,
  type Puzzle,
  type Solution,
  cardsOf,
  comparedWith,
  dealOf,
  decisionsOf,
  explanationOf,
} from './puzzle'
import { triedAt } from './solving'
import type { Solving } from './tries'
import { type Words, useWords } from './words'

/** The values as the table of the board shows them. */
export const solvedOf = (s: Decision) => ({
  outcome: s.values[0]!.outcome,
  moves: s.values.map(({ card, outcome, cost }) => ({ card, outcome, won: outcome > 0, best: cost === 0 })),
})

/** What stands below the cards of a hidden puzzle: the values, or that a card was tried that does not hold. */
export function marksOf(w: Words, s: Decision | undefined, missed: Card | null): ReadonlyMap<Card, Mark> {
  if (!s) return new Map(missed === null ? [] : [[missed, { text: '✗', said: w.p('wrong'), tone: 'v-much' }]])
  return new Map(
    s.values.map((v, i) => {
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

/** Whether the puzzle was solved, by its result, and what the best card of a decision keeps. */
export function verdictText(
  w: Words,
  p: Puzzle,
  s: Solution,
  score: number,
  at: number,
  chosen: string | undefined,
): string {
  return `${w.p(verdictOf(score, chosen))}. ${keepsText(w, p, decisionsOf(p, s)[at]!, chosen)}`
}

const verdictOf = (score: number, chosen: string | undefined) =>
  score === 1 ? 'right' : score > 0 ? 'rightSecond' : chosen ? 'wrong' : 'answerShown'

/** What the best card keeps beside the one that was chosen or, if that was the best one, beside the second best one. */
function keepsText(w: Words, p: Puzzle, d: Decision, chosen: string | undefined): string {
  const other = comparedWith(d, chosen)
  const team: Team = p.view ? p.view.declarer : p.position!.declarer
  const vars = {
    best: w.card(parseCard(d.card)!),
    other: w.card(parseCard(other.card)!).toLowerCase(),
    n: rounded(other.cost),
    worlds: w.number(d.worlds?.used ?? 0),
  }
  const text = [w.p(p.view ? 'keepsHidden' : 'keepsOpen', vars)]
  if (!p.view && d.themes.includes('nat'))
    text.push(w.p(d.values[0]!.outcome > 0 ? 'onlyMakes' : 'onlyNat', { team: w.team(team) }))
  return text.join(' ')
}

export function Solved({
  puzzle,
  solution,
  solving: { tries, score, at },
  place,
  decision: s,
  view,
  show,
}: {
  puzzle: Puzzle
  solution: Solution
  solving: Solving
  place: number
  decision: Decision
  view(place: number): void
  show(cards: Card[]): void
}) {
  const w = useWords()
  const chosen = triedAt(tries, place)
  const team = w.team((puzzle.view ?? puzzle.position!).declarer)
  const there = useLaterTexts(true)
  const why = explanationOf(puzzle, solution, s, comparedWith(s, chosen))
  const lines = s.values.filter((v) => v.line && (v.card === s.card || v.card === chosen))
  return (
    <>
      <p class={'verdict ' + (score > 0 ? 'made' : 'nat')} id="verdict">
        <b aria-hidden="true">{score > 0 ? '✓' : '✗'}</b>
        <span>
          {w.p(verdictOf(score, triedAt(tries, at)))}
          <small>{keepsText(w, puzzle, s, chosen)}</small>
        </span>
      </p>
      {puzzle.decisions > 1 && <Decisions of={puzzle.decisions} tries={tries} place={place} view={view} />}
      {there && why && <WhyNot of={why} />}
      <div class="scroll" tabIndex={0} role="region" aria-label={w.p('valuesAll')}>
        <table id="values">
          <caption>{w.p('valuesAll')}</caption>
          <Head of={[w.p('cardCol'), w.p('costCol'), w.p(puzzle.view ? 'winCol' : 'outcomeCol', { team })]} />
          <tbody>
            {s.values.map((v) => (
              <tr key={v.card} data-value={v.card} class={v.card === chosen ? 'chosen' : ''}>
                <th scope="row">
                  <Brief card={parseCard(v.card)!} />
                  {v.card === s.card && <span aria-hidden="true"> ★</span>}
                  {v.card === chosen && <small> {w.p('yours')}</small>}
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
      {place === 0 && <Grades solution={solution} />}
      <p class="themes">
        {w.p('about')}: {s.themes.map((t) => w.p(`th_${t}`)).join(', ')}.{' '}
        <a href={url('/board' + fragment(dealOf(puzzle, solution, s)))} id="on-board">
          {w.p('onBoard')}
        </a>
      </p>
      {there && <PlayOn puzzle={puzzle} solution={solution} decision={s} />}
    </>
  )
}

/** The decisions of a puzzle that goes on for several cards, each with what came of it. */
function Decisions({
  of,
  tries,
  place,
  view,
}: {
  of: number
  tries: Solving['tries']
  place: number
  view(place: number): void
}) {
  const w = useWords()
  return (
    <div class="segments" id="decisions" role="group" aria-label={w.p('decisions')}>
      {Array.from({ length: of }, (_, i) => {
        const own = tries?.tried.filter((t) => t.decision === i + 1) ?? []
        const found = own.some((t) => t.holds)
        const what = found ? (own.length > 1 ? 'rightSecond' : 'right') : own.length > 0 ? 'wrong' : 'notAsked'
        return (
          <button
            type="button"
            key={i}
            data-place={i}
            aria-pressed={i === place}
            aria-label={`${w.p('cardOf', { n: i + 1, of })}: ${w.p(what)}`}
            onClick={() => view(i)}>
            {i + 1} {found ? '✓' : own.length > 0 ? '✗' : ''}
          </button>
        )
      })}
    </div>
  )
}

/** Who finds the first card. */
function Grades({ solution }: { solution: Solution }) {
  const w = useWords()
  return (
    <>
      <div
        class="scroll"
        tabIndex={0}
        role="region"
        aria-label={w.p('found', { card: w.card(parseCard(solution.card)!).toLowerCase() })}>
        <table id="grades">
          <caption>{w.p('found', { card: w.card(parseCard(solution.card)!).toLowerCase() })}</caption>
          <Head of={[w.p('playersCol'), w.p('foundCol')]} />
          <tbody>
            {solution.grades.map((g) => (
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
    </>
  )
}

/** How many players of a level find the card. A level at which all choose alike finds it or does not. */
const foundText = (w: Words, { players, found }: { players: number; found: number }): string =>
  players > 1 ? w.p('foundOf', { n: found, of: players }) : w.p(found > 0 ? 'foundYes' : 'foundNo')

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
function PlayOn({ puzzle, solution, decision }: { puzzle: Puzzle; solution: Solution; decision: Decision }) {
  const w = useWords()
  const [asking, ask] = useState(false)
  const game = useGame<Session, SessionRequest>(false, '/v1/klaverjas/sessions', 'game')
  const start = async () => {
    const shared = dealOf(puzzle, solution, decision)
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
