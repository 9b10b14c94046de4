// What stands beside the table: the thought behind the last card, what everybody may now conclude, and who knows what of
// the chosen card.

import { Brief } from '../shared/card'
import { type Card, parseCard, suitOf, suits, wire } from '../shared/cards'
import { Head } from '../shared/head'
import { factText } from '../klaverjas/holders'
import { Drawing } from '../klaverjas/model'
import { type Position, handOf, totalOf } from '../klaverjas/rules'
import { type Seat, seats, sorted } from '../klaverjas/seats'
import { type PlayedHand, modelOf, possiblesAt } from './model'
import { thoughtText } from './say'
import { type Words, useWords } from './words'

interface Props {
  hand: PlayedHand
  at: number
  position: Position
  chosen: Card
  choose(c: Card): void
}

export function Panel(props: Props) {
  return (
    <>
      <Thoughts {...props} />
      <Who {...props} />
      <Score position={props.position} />
    </>
  )
}

// The thought behind the last card, and the announcements.
function Thoughts({ hand, at }: Props) {
  const w = useWords()
  const n = at - hand.before.length
  const act = hand.played[n - 1]
  const facts = n === 0 ? hand.facts : act?.facts
  return (
    <section class="minds" aria-labelledby="minds-title">
      <h2 id="minds-title">
        {act ? (
          <>
            {w.p('plays', { seat: w.seat(act.seat) })} <Brief card={parseCard(act.card)!} />
          </>
        ) : (
          w.p(n < 0 ? 'playedBefore' : 'start')
        )}
      </h2>
      {act && (
        <blockquote class={'thought of-' + act.seat} id="thought">
          {act.reasons.map((t) => (
            <p key={t.code}>{thoughtText(w, t)}</p>
          ))}
        </blockquote>
      )}
      <h3>{w.p('everybody')}</h3>
      {facts && facts.length > 0 ? (
        <ul id="announced">
          {facts.map((f, i) => (
            <li key={i} data-fact={f.kind + f.seat} class={f.kind === 'belief' ? 'believed' : ''}>
              {factText(w, f)}
              {f.kind === 'belief' && <span class="hint"> {w.p('believed')}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <p class="hint" id="nothing">
          {w.p(act ? 'nothingNew' : 'nothingYet')}
        </p>
      )}
    </section>
  )
}

// What a seat knows of the card, seen from outside.
function knows(w: Words, step: ReturnType<typeof modelOf>, s: Seat): string {
  const possible = step.seats[s].possible!
  const seat = w.seat(s)
  if (step.worlds.length === 1) return w.t('kAll', { seat })
  if (possible.length === 1)
    return possible[0] === s ? w.p('knowsOwn', { seat }) : w.p('knows', { seat, holder: w.seat(possible[0]!) })
  return w.p('wonders', { seat, seats: possible.map((x) => w.seat(x)).join(w.t('orJoin')) })
}

// The model of the chosen card, and how much each seat still holds for possible.
function Who({ hand, at, position, chosen, choose }: Props) {
  const w = useWords()
  const possibles = possiblesAt(hand, at)
  const { holders, trump } = position.setup
  const held = new Set(seats.flatMap((s) => position.held[s]))
  const step = possibles && modelOf(possibles, chosen, holders[chosen] as Seat, !held.has(chosen), at)
  return (
    <section class="model" aria-labelledby="model-title">
      <div class="row">
        <h2 class="grow" id="model-title">
          {w.t('modelTitle')} <Brief card={chosen} />
        </h2>
        <select
          id="model-card"
          aria-label={w.p('chooseCard')}
          value={wire(chosen)}
          onChange={(e) => choose(parseCard(e.currentTarget.value)!)}>
          {suits.map((suit) => (
            <optgroup key={suit} label={w.suit(suit)}>
              {sorted(
                seats.flatMap((s) => handOf(holders, s)).filter((c) => suitOf(c) === suit),
                trump,
              ).map((c) => (
                <option key={c} value={wire(c)}>
                  {w.brief(c)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      {step && possibles ? (
        <>
          <Drawing step={step} seat="S" said={(s) => knows(w, step, s)} />
          <p class="hint">{w.p('modelHint')}</p>
          <table class="pairs" id="pairs">
            <caption>{w.p('pairs')}</caption>
            <Head of={seats.map((s) => w.seat(s))} />
            <tbody>
              <tr>
                {seats.map((s) => (
                  <td key={s} data-pairs={s}>
                    {possibles.seats[s].pairs}
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </>
      ) : (
        <p class="hint">{w.p('playedBefore')}</p>
      )}
    </section>
  )
}

function Score({ position: p }: { position: Position }) {
  const w = useWords()
  return (
    <p class="hint" id="score">
      {w.t(p.finished ? 'saidEnd' : 'saidScore', { ns: totalOf(p, 'NS'), ew: totalOf(p, 'EW') })}
    </p>
  )
}
