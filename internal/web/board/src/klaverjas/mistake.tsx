// A mistake of a review: why it was one, and the line of the card that was played beside the best line.

import { useState } from 'preact/hooks'
import type * as Schemas from '../contract'
import { Brief } from '../shared/card'
import { type Card, parseCard } from '../shared/cards'
import { factText } from './holders'
import type { Cut } from '../shared/variation'
import { type FinishedTrick, type Position, outcomeOf, play, replay, turnOf } from './rules'
import { next, opponents, seats, teamOf } from './seats'
import type { Shared } from './url'
import { type Words, useWords } from './words'

type Reason = Schemas.KlaverjasReason
type Evidence = Schemas.KlaverjasReasonEvidence

/** What the server says of a mistake. */
interface Explained {
  lines: Schemas.KlaverjasLines
  reason?: Reason | undefined
  evidence?: Evidence | undefined
}

/** A mistake with the position before it, with the hands of its lines. */
export interface Explanation extends Explained {
  before: Position
}

/** The explanation of the card at a number of cards of the play, if it was a mistake that has lines. */
export function explainedOf(
  shared: Shared,
  cards: readonly (Partial<Explained> & { number: number })[] | undefined,
  at: number,
): Explanation | null {
  const card = cards?.find((c) => c.number - 1 === at)
  if (!card?.lines) return null
  const { lines, reason, evidence } = card
  const holders = [...shared.setup.holders]
  if (evidence?.hands) for (const s of seats) for (const c of evidence.hands[s]) holders[parseCard(c)!] = s
  const before = replay({ ...shared.setup, holders: holders.join('') }, shared.played.slice(0, at))
  return { before, lines, reason, evidence }
}

/** What the texts of a reason name. */
function varsOf(w: Words, r: Reason, before: Position, lines: Explained['lines']) {
  const own = teamOf(turnOf(before))
  const brief = (name: string | undefined) => (name ? w.brief(parseCard(name)!) : '')
  return {
    card: brief(lines.played[0]),
    better: brief(lines.best[0]),
    own: w.team(own),
    others: w.team(opponents(own)),
    seat: w.seat(r.seat),
    by: brief(r.by),
    lost: isNel(r, before) ? w.t('nelCard', { card: brief(r.lost) }) : brief(r.lost),
    trick: r.trick,
    points: r.points,
    less: r.less ?? 0,
  }
}

/** Whether the card that they get is the nine of trumps. */
const isNel = (r: Reason, before: Position): boolean =>
  r.lost !== undefined && parseCard(r.lost) === parseCard(`9${before.setup.trump}`)

/** Whether the player's team takes the trick in which a reason shows. */
const isOurs = (r: Reason, before: Position): boolean => teamOf(r.seat) === teamOf(turnOf(before))

/** Why a card was a mistake in the deal of its lines, in one sentence, with what follows for the contract. */
function reasonText(w: Words, r: Reason, before: Position, lines: Explained['lines']): string {
  const vars = varsOf(w, r, before, lines)
  const parts = [w.t(sentence(r, isOurs(r, before)), vars)]
  if (r.keeps) parts.push(w.t('whyKeeps', { ...vars, trick: r.keeps }))
  if (r.decides) parts.push(w.t(teamOf(turnOf(before)) === before.setup.declarer ? 'whySoNat' : 'whySoMade', vars))
  return parts.join(' ')
}

/** In how many of the possible deals a card was a mistake for this reason, whatever its seats and cards are. */
function deals(w: Words, r: Reason, e: Evidence, before: Position, lines: Explained['lines']): string {
  const key = r.code === 'pit' && isOurs(r, before) ? 'any_pitTheirs' : (`any_${r.code}` as const)
  const text = w.t('whyIn', { n: e.applies, of: e.worlds, text: w.t(key, varsOf(w, r, before, lines)) })
  return e.decides > 0 ? `${text} ${w.t('whyDecides', { n: e.decides, of: e.worlds })}` : text
}

/** Why a card was a mistake. With hidden cards: in which of the possible deals, what happens in one of them, and what was known. */
export function Why({ of: { before, lines, reason, evidence } }: { of: Explanation }) {
  const w = useWords()
  const text = reason && reasonText(w, reason, before, lines)
  return (
    <>
      {reason && (
        <p id="why" data-code={reason.code}>
          {evidence ? deals(w, reason, evidence, before, lines) : text}
        </p>
      )}
      {reason && evidence && (
        <p id="why-example">{w.t(evidence.hands ? 'whyExample' : 'whyPlayed', { text: text ?? '' })}</p>
      )}
      {reason &&
        evidence &&
        knownText(w, reason, evidence).map((text) => (
          <p key={text} class="hint known-then">
            {text}
          </p>
        ))}
      {evidence?.hands && <p class="hint">{w.t('whyOther')}</p>}
    </>
  )
}

// The sentence of a reason. ours says that the player's team takes the trick in which it shows.
function sentence(r: Reason, ours: boolean) {
  switch (r.code) {
    case 'pit':
      return ours ? 'why_pitTheirs' : 'why_pit'
    case 'nel':
    case 'ace':
    case 'ten':
    case 'cards':
      return r.lost === r.by ? 'why_takes' : r.kept ? 'why_kept' : 'why_gets'
    case 'later_roem':
      return 'why_roem'
    case 'later_roem_missed':
      return 'why_roem_missed'
    default:
      return `why_${r.code}` as const
  }
}

// What a line is after some cards: its tricks, the last of which may not be complete.
interface Shown {
  tricks: { number: number; cards: Card[]; trick: FinishedTrick | null }[]
  end: Position
}

function shownOf(before: Position, line: readonly string[], n: number): Shown {
  let p = before
  const tricks: Shown['tricks'] = []
  let open = [...before.trick.cards]
  for (const name of line.slice(0, n)) {
    const c = parseCard(name)!
    const number = p.tricks.length + 1
    open = [...open, c]
    p = play(p, c)
    const done = p.tricks.length === number ? p.tricks[number - 1]! : null
    tricks[number - before.tricks.length - 1] = { number, cards: open, trick: done }
    if (done) open = []
  }
  return { tricks, end: p }
}

/** How many cards of the lines there are up to the end of a trick. */
const upTo = (before: Position, trick: number): number => 4 * (trick - before.tricks.length) - before.trick.cards.length

function Line({
  id,
  heading: Heading,
  title,
  before,
  line,
  at,
  marked,
}: {
  id: string
  heading: 'h3' | 'h4'
  title: string
  before: Position
  line: readonly string[]
  at: number
  marked: number | undefined
}) {
  const w = useWords()
  const { tricks } = shownOf(before, line, at)
  const outcome = outcomeOf(shownOf(before, line, line.length).end)
  return (
    <section class="one-line" aria-labelledby={id}>
      <Heading id={id}>
        {title} <Brief card={parseCard(line[0]!)!} /> <span class="to">{w.signed(outcome)}</span>
      </Heading>
      <table>
        <thead class="vh">
          <tr>
            <th scope="col">{w.t('trick')}</th>
            <th scope="col">{w.t('cardsPlayed')}</th>
            <th scope="col">{w.t('points')}</th>
          </tr>
        </thead>
        <tbody>
          {tricks.map(({ number, cards, trick }, i) => {
            const leader = trick?.leader ?? (i === 0 ? before.trick.leader : tricks[i - 1]!.trick!.winner)
            return (
              <tr key={number} class={number === marked ? 'here' : ''} data-trick={number}>
                <th scope="row">{number}</th>
                <td>
                  {cards.map((c, k) => {
                    const wins = trick !== null && next(leader, k) === trick.winner
                    return (
                      <span key={c} class={wins ? 'wins' : ''} title={w.seat(next(leader, k))}>
                        <span class="vh">{w.seat(next(leader, k))}: </span>
                        <Brief card={c} />
                        {wins && <span class="vh"> {w.t('takesIt')}</span>}
                      </span>
                    )
                  })}
                </td>
                <td>{trick && `${trick.points}${trick.melds > 0 ? `+${trick.melds}` : ''}`}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** The line of a card beside the best line, stepped together. If titled, the first card was not played: both have this title. */
export function TwoLines({ of: { before, lines, reason }, titled }: { of: Explanation; titled?: string }) {
  const w = useWords()
  const heading = titled ? 'h3' : 'h4' // one level below the heading of the part around them
  const size = lines.played.length
  const first = reason ? Math.min(size, upTo(before, reason.trick)) : size
  const [stepped, setStepped] = useState({ lines, at: first })
  const at = stepped.lines === lines ? stepped.at : first // an effect that resets it would undo a click just after the lines appear
  const inBest =
    reason === undefined ||
    ['bring_home', 'roem_missed', 'later_roem_missed', 'last_trump', 'spent'].includes(reason.code) ||
    (reason.code === 'pit' && isOurs(reason, before))
  const step = (to: number, name: 'lineStart' | 'lineBack' | 'lineOn' | 'lineEnd', path: string) => (
    <button
      type="button"
      id={name}
      class="round"
      aria-label={w.t(name)}
      title={w.t(name)}
      aria-disabled={to === at}
      onClick={() => setStepped({ lines, at: to })}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} fill="currentColor" />
      </svg>
    </button>
  )
  return (
    <>
      <div class="two-lines">
        <Line
          id="line-played"
          heading={heading}
          title={titled ?? w.t('linePlayed')}
          before={before}
          line={lines.played}
          at={at}
          marked={inBest ? undefined : reason?.trick}
        />
        <Line
          id="line-best"
          heading={heading}
          title={titled ?? w.t('lineBetter')}
          before={before}
          line={lines.best}
          at={at}
          marked={inBest ? reason?.trick : undefined}
        />
      </div>
      <p class="row steps">
        {step(1, 'lineStart', 'M5 5h3v14H5zM20 5v14L9 12z')}
        {step(Math.max(1, at - 1), 'lineBack', 'M17 5v14L7 12z')}
        <span class="count" aria-live="polite">
          {w.t('lineAt', { n: at, of: size })}
        </span>
        {step(Math.min(size, at + 1), 'lineOn', 'M7 5v14l10-7z')}
        {step(size, 'lineEnd', 'M16 5h3v14h-3zM4 5v14l11-7z')}
      </p>
    </>
  )
}

export function Mistake({
  of,
  again,
  playFrom,
}: {
  of: Explanation
  /** Lets the reader try the position again. */
  again(): void
  /** Begins a game with the players of the server in this position. */
  playFrom(): void
}) {
  const w = useWords()
  return (
    <section class="mistake" id="mistake" aria-labelledby="why-title">
      <h3 id="why-title">{w.t(of.reason ? 'whyTitle' : 'whyLines')}</h3>
      <Why of={of} />
      <TwoLines of={of} />
      <p class="row">
        <button type="button" id="try-again" onClick={again}>
          {w.t('tryAgain')}
        </button>
        <button type="button" id="play-from" onClick={playFrom}>
          {w.t('playFrom')}
        </button>
      </p>
    </section>
  )
}

// What the seat could know of a reason.
function knownText(w: Words, r: Reason, e: Evidence): string[] {
  const facts = e.facts.map((f) => factText(w, f))
  if (e.probability === undefined) return facts
  const vars = { seat: w.seat(r.seat), card: w.brief(parseCard(r.by)!), n: Math.round(100 * e.probability) }
  return [w.t(e.probability >= 1 ? 'whyCertain' : 'whyChance', vars), ...facts]
}

/** What the panel shows while the reader tries a position again: nothing that tells the answer. */
export function Trying({ position, stop }: { position: Position; stop(): void }) {
  const w = useWords()
  return (
    <>
      <p id="trying">{w.t('trying', { seat: w.seat(turnOf(position)) })}</p>
      <p class="row end">
        <button type="button" id="try-stop" onClick={stop}>
          {w.t('tryStop')}
        </button>
      </p>
    </>
  )
}

/** What a card was worth that was tried. */
export const triedText = (w: Words, c: Card, cost: number): string =>
  w.t(cost === 0 ? 'triedBest' : 'tried', { card: w.card(c), n: cost })

/** Where the play has left the game, or the variation that was made of it. */
export function Branch({ cuts, aside, swap }: { cuts: readonly Cut[]; aside: Cut | undefined; swap(): void }) {
  const w = useWords()
  const at = cuts[0]?.at ?? aside!.at
  return (
    <p class="notice branch" id="branch">
      {w.t(cuts.length > 0 ? 'inBranch' : 'hasBranch', { n: at + 1 })}{' '}
      <button type="button" id="swap" onClick={swap}>
        {w.t(cuts.length > 0 ? 'toGame' : 'toBranch')}
      </button>
    </p>
  )
}
