// The dialog in which a deal of Belote Découverte is entered: the contract, the stacks of both players, and the play.

import { useState } from 'preact/hooks'
import { SuitIcon } from '../shared/art'
import { type Card, type Suit, suits as allSuits, suitOf } from '../shared/cards'
import { EnterChoice, EnterForm, type Line, type PickerGame, useDraft, usePicker } from '../shared/picker'
import { deck32, readTyped, written } from '../shared/typed'
import {
  type Player,
  type Position,
  type Setup,
  type Stack,
  defaultThreshold,
  legalOf,
  play,
  players,
  refusal,
  start,
  suitsOf,
  turnOf,
} from './rules'
import { turnText } from './say'
import type { Shared } from './state'
import { whyNot } from './table'
import { useBelote } from './words'

// The open cards of a player and those below them, each in the order of the stacks.
type Place = Player | 'A2' | 'B2'
const below = { A: 'A2', B: 'B2' } as const
type Chosen = Pick<Setup, 'trump' | 'leader' | 'declarer'>

/** Asks for a deal of the suits of the one on the page, and its play. It opens with what is there. */
export function EnterDialog({ current, close, use }: { current: Shared; close(): void; use(s: Shared): void }) {
  const w = useBelote()
  const { setup, played } = current
  const there = suitsOf(setup)
  const suits = there.length > 0 ? there : allSuits
  const size = 2 * suits.length
  const write = (cards: readonly (Card | null)[]) => cards.flatMap((c) => (c === null ? [] : [written(w, c)])).join(' ')
  const { began, keep, done } = useDraft<Chosen>(JSON.stringify([setup, played]), () => ({
    contract: { trump: setup.trump, leader: setup.leader, declarer: setup.declarer },
    texts: {
      ...Object.fromEntries(
        players.flatMap((p) => [
          [p, write(setup.stacks[p].map((s) => s[0]))],
          [below[p], write(setup.stacks[p].map((s) => s[1]))],
        ]),
      ),
      played: write(played),
    },
    marked: 'A',
  }))
  const [contract, setContract] = useState(began.contract)
  const line = (p: Player, under: boolean): Line<Place> => {
    const name = w.b(under ? 'enterBelow' : 'enterOpen', { player: p })
    const label = w.b(under ? 'enterBelowLabel' : 'enterOpenLabel', { player: w.player(p) })
    return { id: under ? below[p] : p, name, letter: p + (under ? '↓' : ''), label, size }
  }
  const full = (hands: Record<string, readonly Card[]>): Setup => {
    const of = (p: Player): Stack[] => hands[p]!.map((c, i) => [c, hands[below[p]]![i]!])
    return {
      ...setup,
      ...contract,
      threshold:
        contract.trump === setup.trump && there.length > 0
          ? setup.threshold
          : defaultThreshold(suits.length, contract.trump),
      stacks: { A: of('A'), B: of('B') },
    }
  }
  const game: PickerGame<Place | 'played', Position> = {
    reader: {
      words: w,
      deck: { ...deck32, cards: deck32.cards.filter((c) => suits.includes(suitOf(c))) },
      read: (_, text) => readTyped(w, text).filter((c) => suits.includes(suitOf(c))),
    },
    write: (c) => written(w, c),
    lines: players.flatMap((p) => [line(p, false), line(p, true)]),
    names: { A: 'A', B: 'B' },
    order: players,
    rows: [...suits].reverse().map((s) => deck32.cards.filter((c) => suitOf(c) === s)),
    play: {
      id: 'played',
      name: w.t('enterPlayed'),
      label: w.t('enterPlayedLabel'),
      size: 2 * size,
      start: (hands) => start(full(hands)),
      play,
      legal: (p) => legalOf(p).cards,
      whose: turnOf,
      whyNot: (p, c) => (refusal(p, c) === null ? '' : w.t('saidRefused', { card: w.card(c), why: whyNot(w, p, c) })),
      says: (p) =>
        p.finished ? w.t('finishedWhy') : `${w.t('trickN', { n: p.tricks.length + 1 })}: ${turnText(w, p)}`,
    },
  }
  const state = usePicker(game, began, keep)
  const { picked } = state
  const choose = (change: Partial<Chosen>) => {
    const next = { ...contract, ...change }
    const { played, ...hands } = state.texts
    state.replace(played === began.texts['played'] ? hands : state.texts)
    keep({ contract: next })
    setContract(next)
  }
  return (
    <EnterForm
      title={w.t('enterTitle')}
      hint={w.b('enterHint')}
      forms={w.b('enterForms')}
      game={game}
      state={state}
      wrong={picked.wrong}
      close={close}
      use={() => {
        done()
        const hands = Object.fromEntries(game.lines.map((l) => [l.id, picked.read[l.id]!.cards]))
        use({ ...current, setup: full(hands), played: picked.played, cursor: picked.played.length })
      }}>
      <div class="enter-contract">
        <EnterChoice
          name={w.t('trump')}
          id="trump"
          list={[...suits, 'N'] as (Suit | 'N')[]}
          value={contract.trump ?? 'N'}
          text={(t) => w.trump(t === 'N' ? null : t)}
          choose={(t) => choose({ trump: t === 'N' ? null : t })}>
          {(t) => (t === 'N' ? '–' : <SuitIcon suit={t} />)}
        </EnterChoice>
        <EnterChoice
          name={w.t('leader')}
          id="leader"
          list={players}
          value={contract.leader}
          text={w.player}
          choose={(leader) => choose({ leader })}>
          {(p) => p}
        </EnterChoice>
        <EnterChoice
          name={w.b('declarer')}
          id="declarer"
          list={players}
          value={contract.declarer}
          text={w.player}
          choose={(declarer) => choose({ declarer })}>
          {(p) => p}
        </EnterChoice>
      </div>
    </EnterForm>
  )
}
