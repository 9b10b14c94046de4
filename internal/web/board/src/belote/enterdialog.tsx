// The dialog in which a deal of Belote Découverte is entered: the contract, the stacks of both players, and the play.
// Cards below that nobody has seen are left out; then the play has those that are turned after each trick.

import { SuitIcon } from '../shared/art'
import { type Card, type Suit, suits as allSuits, suitOf } from '../shared/cards'
import { EnterChoice, EnterForm } from '../shared/enterform'
import { type Line, type PlayLine, tricksLine } from '../shared/entry'
import { useEntry } from '../shared/picker'
import { deck32, readTyped, written } from '../shared/typed'
import {
  type Player,
  type Position,
  type Setup,
  type Stack,
  defaultThreshold,
  isUnseen,
  legalOf,
  play,
  players,
  start,
  suitsOf,
  toTurn,
  turnOf,
  turned,
} from './rules'
import { turnText } from './say'
import { type Shared, turnable } from './state'
import { whichTurned, whyNot } from './table'
import { type BeloteWords, useBelote } from './words'

// The open cards of a player and those below them, each in the order of the stacks.
type Place = Player | 'A2' | 'B2'
const below = { A: 'A2', B: 'B2' } as const

interface Contract extends Pick<Setup, 'trump' | 'leader' | 'declarer'> {
  /** Whether the cards below are known, or face down. */
  below: 'open' | 'down'
}

// The play of a deal, with the cards that are turned where they are not known.
function playLine(w: BeloteWords, size: number, full: (hands: Record<string, Card[]>) => Setup): PlayLine<Position> {
  const line = tricksLine<Position>(w, (p) => turnText(w, p), {
    size,
    twice: true,
    start: (hands) => start(full(hands)),
    play(p, c) {
      const at = toTurn(p)
      return at ? { ...p, setup: turned(p.setup, at, c) } : play(p, c)
    },
    legal: (p) => (toTurn(p) ? turnable(p) : legalOf(p).cards),
    whose: turnOf,
    whyNot: (p, c) => whyNot(w, p, c),
  })
  return {
    ...line,
    whyNot: (p, c) => (toTurn(p) ? w.b('notTurned', { card: w.card(c) }) : line.whyNot(p, c)),
    says: (p) => (toTurn(p) ? whichTurned(w, p) : line.says(p)),
  }
}

// What was played, with the cards that were turned.
function withTurned({ setup, played }: Shared): Card[] {
  const down = (p: Player) => setup.stacks[p].map(([top]): Stack => [top, null])
  let p = start({ ...setup, stacks: { A: down('A'), B: down('B') } })
  const out: Card[] = []
  for (const c of played) {
    out.push(c)
    p = play(p, c)
    for (let at = toTurn(p); at; at = toTurn(p)) {
      const under = setup.stacks[at.player][at.at]![1]
      if (under === null) break
      out.push(under)
      p = { ...p, setup: turned(p.setup, at, under) }
    }
  }
  return out
}

/** Asks for a deal of the suits of the one on the page, and its play. It opens with what is there. */
export function EnterDialog({ current, close, use }: { current: Shared; close(): void; use(s: Shared): void }) {
  const w = useBelote()
  const { setup, played } = current
  const there = suitsOf(setup)
  const suits = there.length > 0 ? there : allSuits
  const size = 2 * suits.length
  const unseen = isUnseen(setup)
  const write = (cards: readonly (Card | null)[]) => cards.flatMap((c) => (c === null ? [] : [written(w, c)])).join(' ')
  const line = (p: Player, under: boolean): Line<Place> => {
    const name = w.b(under ? 'enterBelow' : 'enterOpen', { player: p })
    const label = w.b(under ? 'enterBelowLabel' : 'enterOpenLabel', { player: w.player(p) })
    return { id: under ? below[p] : p, name, letter: p + (under ? '↓' : ''), label, size }
  }
  const entry = useEntry<Contract, Place, Position>(
    JSON.stringify([setup, played]),
    () => ({
      contract: { trump: setup.trump, leader: setup.leader, declarer: setup.declarer, below: unseen ? 'down' : 'open' },
      texts: {
        ...Object.fromEntries(
          players.flatMap((p) => [
            [p, write(setup.stacks[p].map((s) => s[0]))],
            [below[p], unseen ? '' : write(setup.stacks[p].map((s) => s[1]))],
          ]),
        ),
        played: write(unseen ? withTurned(current) : played),
      },
      marked: 'A',
    }),
    ({ below: lies, ...contract }) => {
      const down = lies === 'down'
      const full = (hands: Record<string, readonly Card[]>): Setup => {
        const of = (p: Player) => hands[p]!.map((c, i): Stack => [c, hands[below[p]]?.[i] ?? null])
        const same = contract.trump === setup.trump && there.length > 0
        return {
          ...contract,
          threshold: same ? setup.threshold : defaultThreshold(suits.length, contract.trump),
          stacks: { A: of('A'), B: of('B') },
          ...(down ? { suits } : {}),
        }
      }
      return {
        reader: {
          words: w,
          deck: { ...deck32, cards: deck32.cards.filter((c) => suits.includes(suitOf(c))) },
          read: (_, text) => readTyped(w, text).filter((c) => suits.includes(suitOf(c))),
        },
        write: (c) => written(w, c),
        lines: players.flatMap((p) => [line(p, false), ...(down ? [] : [line(p, true)])]),
        names: { A: 'A', B: 'B' },
        order: players,
        rows: [...suits].reverse().map((s) => deck32.cards.filter((c) => suitOf(c) === s)),
        plays: [playLine(w, (down ? 6 : 4) * size, full)],
      }
    },
  )
  const { contract, choose, picked } = entry
  return (
    <EnterForm
      title={w.t('enterTitle')}
      hint={w.b(contract.below === 'down' ? 'enterDownHint' : 'enterHint')}
      forms={w.b('enterForms')}
      entry={entry}
      close={close}
      use={() => {
        const { setup, tricks, led } = picked.position!
        const played = [...tricks.flatMap((t) => t.cards), ...(led === null ? [] : [led])]
        use({ ...current, setup, played, cursor: played.length })
      }}>
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
        choose={(declarer) => choose({ declarer }, true)}>
        {(p) => p}
      </EnterChoice>
      <EnterChoice
        name={w.b('enterUnder')}
        id="below"
        list={['open', 'down'] as const}
        value={contract.below}
        text={(x) => w.b(x === 'open' ? 'enterKnown' : 'enterDown')}
        choose={(x) => choose({ below: x })}>
        {(x) => w.b(x === 'open' ? 'enterKnown' : 'enterDown')}
      </EnterChoice>
    </EnterForm>
  )
}
