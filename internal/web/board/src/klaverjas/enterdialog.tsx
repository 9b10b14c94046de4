// The dialog in which a deal is entered: the contract, the hands, and what was played.

import { useState } from 'preact/hooks'
import { SuitIcon } from '../shared/art'
import { type Card, suits } from '../shared/cards'
import { EnterChoice, EnterForm, type PickerGame, useDraft, usePicker } from '../shared/picker'
import { deck32, readTyped, written } from '../shared/typed'
import { type Position, type Setup, complete, handOf, legalOf, play, refusal, start, turnOf } from './rules'
import { turnText } from './say'
import { type Seat, type Team, seatNames, seats, teams } from './seats'
import { whyNot } from './table'
import { type Words, useWords } from './words'

/** What was entered: a deal and the cards played, or the cards of one seat. */
export interface Entered {
  setup: Setup
  played: Card[]
  seat: Seat
}

type Contract = Pick<Setup, 'trump' | 'leader' | 'declarer'>

const rows = [3, 2, 0, 1].map((s) => [...Array(8).keys()].map((f) => 8 * s + f))

// The play of a deal whose hands are in the lines.
function playLine(w: Words, setup: Setup): NonNullable<PickerGame<Seat | 'played', Position>['play']> {
  return {
    id: 'played',
    name: w.t('enterPlayed'),
    label: w.t('enterPlayedLabel'),
    size: 32,
    start(hands) {
      const holders = Array<string>(32).fill('.')
      for (const s of seats) for (const c of hands[s]!) holders[c] = s
      return start({ ...setup, holders: holders.join('') })
    },
    play,
    legal: (p) => (p.finished ? [] : legalOf(p.setup.rules, p.setup.trump, p.trick, p.held[turnOf(p)]).cards),
    whose: turnOf,
    whyNot: (p, c) => (refusal(p, c) === null ? '' : w.t('saidRefused', { card: w.card(c), why: whyNot(w, p, c) })),
    says: (p) => (p.finished ? w.t('finishedWhy') : `${w.t('trickN', { n: p.tricks.length + 1 })}: ${turnText(w, p)}`),
  }
}

/** Asks for a deal and its play, or for the hand of one seat. It opens with what is on the board. */
export function EnterDialog({
  setup,
  played = [],
  own,
  close,
  use,
}: {
  setup: Setup
  played?: readonly Card[]
  own?: Seat
  close(): void
  use(e: Entered): void
}) {
  const w = useWords()
  const [only, setOnly] = useState(own)
  const { began, keep, done } = useDraft<Contract>(JSON.stringify([setup, played, own]), () => {
    const { trump, leader, declarer } = setup
    const write = (cards: readonly Card[]) => cards.map((c) => written(w, c)).join(' ')
    const whole = complete(setup.holders)
    return {
      contract: { trump, leader, declarer },
      texts: {
        ...Object.fromEntries(seats.map((s) => [s, write(handOf(setup.holders, s))])),
        ...(whole && !own ? { played: write(played) } : {}),
      },
      marked: own ?? seats.find((s) => handOf(setup.holders, s).length < 8) ?? 'N',
    }
  })
  const [contract, setContract] = useState(began.contract)
  const game: PickerGame<Seat | 'played', Position> = {
    reader: { words: w, deck: deck32, read: readTyped },
    write: (c) => written(w, c),
    lines: (only ? [only] : seats).map((s) => ({
      id: s,
      name: w.seat(s),
      letter: w.seat(s).charAt(0),
      label: w.t('forHand', { seat: w.seat(s) }),
      size: 8,
      rest: !only,
    })),
    names: seatNames,
    order: seats,
    rows,
    ...(only ? {} : { play: playLine(w, { ...setup, ...contract }) }),
  }
  const state = usePicker(game, began, keep)
  const { picked } = state
  const choose = (change: Partial<Contract>) => {
    const next = { ...contract, ...change }
    // Another contract does not have the play that the dialog began with.
    const { played, ...hands } = state.texts
    state.replace(played === began.texts['played'] ? hands : state.texts)
    keep({ contract: next })
    setContract(next)
  }
  return (
    <EnterForm
      title={w.t(only ? 'enterOwn' : 'enterTitle')}
      hint={w.t(only ? 'enterOwnHint' : 'enterHint')}
      forms={w.t('enterForms')}
      game={game}
      state={state}
      wrong={picked.wrong}
      close={close}
      use={() => {
        done()
        const holders = Array<string>(32).fill('.')
        picked.holder.forEach((s, c) => (holders[c] = s))
        use({
          setup: { ...setup, ...contract, holders: holders.join('') },
          played: picked.played,
          seat: only ?? contract.leader,
        })
      }}>
      {only && (
        <label>
          {w.t('seatShown')}
          <select
            id="enter-seat"
            value={only}
            onChange={(e) => {
              const to = e.currentTarget.value as Seat
              state.replace({ [to]: state.texts[only] ?? '' })
              setOnly(to)
            }}>
            {seats.map((s) => (
              <option key={s} value={s}>
                {w.seat(s)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="enter-contract">
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
          choose={(leader) => choose({ leader })}>
          {(s) => w.seat(s).charAt(0)}
        </EnterChoice>
        <EnterChoice
          name={w.t('declarer')}
          id="declarer"
          list={teams}
          value={contract.declarer}
          text={w.team}
          choose={(declarer: Team) => choose({ declarer })}>
          {(t) => w.t(t === 'NS' ? 'nsShort' : 'ewShort')}
        </EnterChoice>
      </div>
    </EnterForm>
  )
}
