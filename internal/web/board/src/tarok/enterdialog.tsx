// The dialog in which a deal of tarok is entered: the contract, the hands and the talon, the exchange, what was
// announced, and the play.

import { EnterChoice, EnterForm } from '../shared/enterform'
import { type Line, type PlayLine, tricksLine } from '../shared/entry'
import { useEntry } from '../shared/picker'
import { type Card, type Player, deck, deck54, isTarok, players, readTarok } from './cards'
import {
  type Position,
  type Setup,
  contracts,
  exchangeOf,
  groupOf,
  groupsOf,
  legalOf,
  play,
  refusal,
  start,
  takenOf,
  turnOf,
} from './rules'
import { turnText } from './say'
import { SaidTable } from './said'
import { type Said, type Shared, isSilent, silence } from './state'
import { whyNot } from './table'
import { type TarokWords, useTarok } from './words'

type Place = Player | 'talon' | 'taken' | 'aside'
type Contract = Pick<Setup, 'contract' | 'declarer'> & { said: Said }

// The taroks in three rows, then the suits.
const rows = [0, 8, 16, 22, 30, 38, 46].map((from, i, all) => deck.slice(from, all[i + 1]))
const names: Record<string, Place> = {
  A: 'A',
  B: 'B',
  C: 'C',
  TALON: 'talon',
  TAKEN: 'taken',
  GENOMEN: 'taken',
  ASIDE: 'aside',
  WEG: 'aside',
}

/** A deal with the cards of the talon that have been taken, before all of the group have been. */
interface Play extends Position {
  taken?: readonly Card[]
}

// The group of the talon that has a card.
const groupWith = (s: Setup, c: Card): number =>
  [...Array(groupsOf(s.contract)).keys()].find((g) => groupOf(s, g).includes(c))!

// The cards that may be taken next: all of one group.
function takable({ setup, taken = [] }: Play): readonly Card[] {
  const [first] = taken
  return first === undefined ? setup.talon : groupOf(setup, groupWith(setup, first)).filter((c) => !taken.includes(c))
}

function take(p: Play, c: Card): Play {
  const taken = [...(p.taken ?? []), c]
  const { setup } = p
  if (taken.length < exchangeOf(setup.contract)) return { ...p, taken }
  return { ...start({ ...setup, group: groupWith(setup, c) }), taken }
}

const putAside = ({ setup }: Play, c: Card): Play => start({ ...setup, discards: [...setup.discards, c] })

// The exchange and the play of a deal, in their order.
function playLines(w: TarokWords, setup: Setup): PlayLine<Play>[] {
  const n = exchangeOf(setup.contract)
  const refused = (p: Play, c: Card) =>
    refusal(p, c) === null ? '' : w.t('saidRefused', { card: w.card(c), why: whyNot(w, p, c) })
  const begin = (hands: Record<string, Card[]>) => {
    const { A = [], B = [], C = [], talon = [] } = hands
    return start({ ...setup, hands: { A, B, C }, talon, group: null, discards: [] })
  }
  const exchange: PlayLine<Play>[] = [
    {
      id: 'taken',
      name: w.b('enterTaken'),
      label: w.b('enterTakenLabel'),
      size: n,
      all: true,
      start: begin,
      legal: takable,
      play: take,
      forced: (p) => (p.taken && p.phase === 'talon' ? takable(p)[0] : undefined),
      whose: turnOf,
      whyNot: (_, c) => w.b('enterNotTaken', { card: w.card(c) }),
      says: (p) => (p.phase === 'talon' ? w.b('saidTalon', { player: w.player(setup.declarer) }) : ''),
    },
    {
      id: 'aside',
      name: w.b('discards'),
      label: w.b('enterAsideLabel'),
      size: n,
      start: (_, p) => p!,
      legal: (p) => (p.phase === 'discard' ? legalOf(p).cards : []),
      play: putAside,
      forced: () => undefined,
      whose: turnOf,
      whyNot: refused,
      says: (p) => (p.phase === 'discard' ? w.b('putAside', { n: n - p.setup.discards.length }) : ''),
    },
  ]
  return [
    ...(n > 0 ? exchange : []),
    tricksLine(w, (p) => turnText(w, p), {
      size: 48,
      start: (hands, p) => p ?? begin(hands),
      legal: (p) => (p.phase === 'play' ? legalOf(p).cards : []),
      play,
      whose: turnOf,
      whyNot: (p, c) => whyNot(w, p, c),
    }),
  ]
}

/** Asks for a deal, its exchange and its play. It opens with what is on the page. */
export function EnterDialog({ current, close, use }: { current: Shared; close(): void; use(s: Shared): void }) {
  const w = useTarok()
  const { setup, said, played } = current
  const write = (cards: readonly Card[]) => cards.map(w.brief).join(' ')
  const hand = (p: Player): Line<Place> => ({
    id: p,
    name: w.player(p),
    letter: p,
    label: w.b('enterHand', { player: w.player(p) }),
    size: 16,
    rest: true,
  })
  const talon: Line<Place> = { id: 'talon', name: w.b('talon'), letter: 'T', label: w.b('enterTalon'), size: 6 }
  const entry = useEntry<Contract, Place, Play>(
    JSON.stringify([setup, said, played]),
    () => ({
      contract: { contract: setup.contract, declarer: setup.declarer, said },
      texts: {
        ...Object.fromEntries(players.map((p) => [p, write(setup.hands[p])])),
        talon: write(setup.talon),
        taken: write(takenOf(setup)),
        aside: write(setup.discards),
        played: write(played),
      },
      marked: 'A',
    }),
    ({ contract, declarer }) => ({
      reader: { words: w, deck: deck54, read: (_, text) => readTarok(w, text) },
      write: w.brief,
      // The last hand fills itself when the others and the talon are in.
      lines: [hand('A'), hand('B'), talon, hand('C')],
      names,
      order: players,
      rows,
      plays: playLines(w, { ...setup, contract, declarer }),
    }),
  )
  const { contract, choose, picked } = entry
  const none = picked.whole ? players.find((p) => !picked.read[p]!.cards.some(isTarok)) : undefined
  return (
    <EnterForm
      title={w.t('enterTitle')}
      hint={w.b('enterHint')}
      forms={w.b('enterForms')}
      entry={entry}
      wrong={none !== undefined}
      close={close}
      use={({ A = [], B = [], C = [], talon = [], taken = [], aside = [], played = [] }) => {
        const { said, ...chosen } = contract
        const dealt = { ...setup, ...chosen, hands: { A, B, C }, talon, group: null, discards: aside }
        const group = taken[0] === undefined ? null : groupWith(dealt, taken[0])
        use({ setup: { ...dealt, group }, said, played, cursor: played.length })
      }}
      after={
        <>
          {none && <p class="bad">{w.b('enterVoid', { player: w.player(none) })}</p>}
          {contract.contract !== 'klop' && (
            <details id="enter-said" open={!isSilent(contract.said)}>
              <summary>{w.b('announcements')}</summary>
              <SaidTable
                id="enter-"
                contract={contract.contract}
                said={contract.said}
                change={(said) => choose({ said }, true)}
              />
            </details>
          )}
        </>
      }>
      <EnterChoice
        name={w.t('contract')}
        id="contract"
        list={contracts}
        value={contract.contract}
        text={w.contract}
        choose={(c) => choose({ contract: c, said: silence })}>
        {(c) => w.contract(c)}
      </EnterChoice>
      {contract.contract !== 'klop' && (
        <EnterChoice
          name={w.b('declarer')}
          id="declarer"
          list={players}
          value={contract.declarer}
          text={w.player}
          choose={(declarer) => choose({ declarer, said: silence })}>
          {(p) => p}
        </EnterChoice>
      )}
    </EnterForm>
  )
}
