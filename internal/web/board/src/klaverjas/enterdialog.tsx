// The dialog in which a deal is entered: the contract, the hands, and what was played; or what one seat has seen of it.

import { SuitIcon } from '../shared/art'
import { type Card, suits } from '../shared/cards'
import { EnterChoice, EnterForm } from '../shared/enterform'
import { type PlayLine, tricksLine } from '../shared/entry'
import { useEntry } from '../shared/picker'
import { deck32, readTyped, written } from '../shared/typed'
import { type Position, type Setup, complete, handOf, legalOf, play, start, turnOf } from './rules'
import { turnText } from './say'
import { type Seat, type Team, next, seatNames, seats, teamOf, teams } from './seats'
import { whyNot } from './table'
import { type Heard, type Shared, flows, mayHave } from './url'
import { flowKey } from './ingame'
import { type Words, useWords } from './words'

/** What was entered: a deal and the cards played, or what one seat has seen of them. */
export interface Entered {
  setup: Setup
  played: Card[]
  seat: Seat
  heard?: Heard | undefined
}

interface Contract extends Pick<Setup, 'trump' | 'leader' | 'declarer'> {
  /** The seat that looks, if not all hands are entered. */
  seat?: Seat | undefined
  heard?: Heard | undefined
}

const rows = [3, 2, 0, 1].map((s) => [...Array(8).keys()].map((f) => 8 * s + f))

function holdersIn(hands: Record<string, readonly Card[]>): string {
  const holders = Array<string>(32).fill('.')
  for (const s of seats) for (const c of hands[s] ?? []) holders[c] = s
  return holders.join('')
}

const played = (p: Position): Card[] => [...p.tricks, p.trick].flatMap((t) => t.cards)

// The play of a deal whose hands are in the lines. Of the others' hands a seat knows what has been played.
function playLine(w: Words, setup: Setup, seat?: Seat): PlayLine<Position> {
  const hidden = (p: Position) => seat !== undefined && turnOf(p) !== seat
  return tricksLine(w, (p) => turnText(w, p), {
    size: 32,
    start: (hands) => start({ ...setup, holders: holdersIn(hands) }),
    play,
    legal(p) {
      if (p.finished) return []
      if (hidden(p)) return deck32.cards.filter((c) => mayHave(p, seat!, c, played(p)))
      return legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards
    },
    whose: turnOf,
    turn: (p) => w.seat(turnOf(p)),
    whyNot: (p, c) => (hidden(p) ? w.t('cannotHave', { seat: w.seat(turnOf(p)) }) : whyNot(w, p, c)),
  })
}

// How trump was chosen, if the seat has heard it.
function Bidding({
  heard,
  leader,
  choose,
}: {
  heard: Heard | undefined
  leader: Seat
  choose(h: Heard | undefined): void
}) {
  const w = useWords()
  // Who must declare if all pass.
  const last = heard?.flow === 'official' ? next(leader, 3) : leader
  return (
    <details id="enter-bidding" open={heard !== undefined}>
      <summary>{w.t('bidding')}</summary>
      <select
        id="enter-flow"
        aria-label={w.t('bidding')}
        value={heard?.flow ?? ''}
        onChange={(e) => {
          const flow = e.currentTarget.value as Heard['flow'] | ''
          choose(
            flow ? { flow, caller: flow === 'obliged' ? leader : (heard?.caller ?? leader), passed: false } : undefined,
          )
        }}>
        <option value="">{w.t('flowUnknown')}</option>
        {flows.map((f) => (
          <option key={f} value={f}>
            {w.t(flowKey(f))}
          </option>
        ))}
      </select>
      {heard && heard.flow !== 'obliged' && (
        <EnterChoice
          name={w.t('calledBy')}
          id="caller"
          list={seats}
          value={heard.caller}
          text={w.seat}
          choose={(caller) => choose({ ...heard, caller, passed: false })}>
          {(s) => w.seat(s).charAt(0)}
        </EnterChoice>
      )}
      {heard && heard.caller === last && ['free', 'official'].includes(heard.flow) && (
        <label class="check">
          <input
            type="checkbox"
            id="enter-passed"
            checked={heard.passed}
            onChange={(e) => choose({ ...heard, passed: e.currentTarget.checked })}
          />
          {w.t('allPassed')}
        </label>
      )}
    </details>
  )
}

type Entry = ReturnType<typeof useEntry<Contract, Seat, Position>>

/** The seat that looks, and the contract. */
function Choices({ entry: { contract, choose, state } }: { entry: Entry }) {
  const w = useWords()
  const { seat } = contract
  return (
    <>
      {seat && (
        <EnterChoice
          name={w.t('seatShown')}
          id="seat"
          list={seats}
          value={seat}
          text={w.seat}
          choose={(to) => {
            const { [seat]: hand = '', ...others } = state.texts
            state.replace({ ...others, [to]: hand })
            choose({ seat: to }, true)
          }}>
          {(s) => w.seat(s).charAt(0)}
        </EnterChoice>
      )}
      <EnterChoice
        name={w.t('trump')}
        id="trump"
        list={suits}
        value={contract.trump}
        text={w.suit}
        choose={(trump) => choose({ trump })}>
        {(s) => <SuitIcon suit={s} />}
      </EnterChoice>
      <EnterChoice
        name={w.t('leader')}
        id="leader"
        list={seats}
        value={contract.leader}
        text={w.seat}
        choose={(leader) => choose({ leader, heard: undefined })}>
        {(s) => w.seat(s).charAt(0)}
      </EnterChoice>
      <EnterChoice
        name={w.t('declarer')}
        id="declarer"
        list={teams}
        value={contract.declarer}
        text={w.team}
        choose={(declarer: Team) => choose({ declarer, heard: undefined })}>
        {(t) => w.t(t === 'NS' ? 'nsShort' : 'ewShort')}
      </EnterChoice>
    </>
  )
}

/** Asks for a deal and its play, or for what one seat has seen of them. It opens with what is on the board. */
export function EnterDialog({
  setup,
  played = [],
  own,
  heard,
  close,
  use,
}: {
  setup: Setup
  played?: readonly Card[]
  own?: Seat
  heard?: Heard | undefined
  close(): void
  use(e: Entered): void
}) {
  const w = useWords()
  const { trump, leader, declarer } = setup
  const entry = useEntry<Contract, Seat, Position>(
    JSON.stringify([setup, played, own, heard]),
    () => {
      const write = (cards: readonly Card[]) => cards.map((c) => written(w, c)).join(' ')
      return {
        contract: { trump, leader, declarer, seat: own, heard },
        texts: {
          ...Object.fromEntries(seats.map((s) => [s, write(handOf(setup.holders, s))])),
          ...(own || complete(setup.holders) ? { played: write(played) } : {}),
        },
        marked: own ?? seats.find((s) => handOf(setup.holders, s).length < 8) ?? 'N',
      }
    },
    ({ seat, heard: _, ...contract }) => ({
      reader: { words: w, deck: deck32, read: readTyped },
      write: (c) => written(w, c),
      lines: (seat ? [seat] : seats).map((s) => ({
        id: s,
        name: w.seat(s),
        letter: w.seat(s).charAt(0),
        label: w.t('forHand', { seat: w.seat(s) }),
        size: 8,
        rest: !seat,
      })),
      names: seatNames,
      order: seats,
      rows,
      plays: [playLine(w, { ...setup, ...contract }, seat)],
    }),
  )
  const { contract, choose } = entry
  const { seat } = contract
  return (
    <EnterForm
      title={w.t(seat ? 'enterOwn' : 'enterTitle')}
      hint={w.t(seat ? 'enterOwnHint' : 'enterHint')}
      forms={w.t('enterForms')}
      entry={entry}
      close={close}
      use={(cards) =>
        use({
          setup: {
            ...setup,
            trump: contract.trump,
            leader: contract.leader,
            declarer: contract.declarer,
            holders: holdersIn(cards),
          },
          played: cards['played']!,
          seat: seat ?? contract.leader,
          heard: contract.heard,
        })
      }
      after={
        seat && (
          <Bidding
            heard={contract.heard}
            leader={contract.leader}
            choose={(h) => choose({ heard: h, ...(h ? { declarer: teamOf(h.caller) } : {}) }, true)}
          />
        )
      }>
      <Choices entry={entry} />
    </EnterForm>
  )
}

/** Asks for the deal of the open mode. */
export const OpenEnterDialog = (p: { current: Shared; close(): void; use(s: Shared): void }) => (
  <EnterDialog
    setup={p.current.setup}
    played={p.current.played}
    close={p.close}
    use={({ setup, played }) => p.use({ setup, played, cursor: played.length })}
  />
)
