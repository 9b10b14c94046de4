// The dialog in which a deal of tarok is entered: the contract, the hands and the talon.

import { useState } from 'preact/hooks'
import { EnterChoice, EnterForm, type Line, type PickerGame, useDraft, usePicker } from '../shared/picker'
import { type Card, type Player, deck, deck54, isTarok, players, readTarok } from './cards'
import { type Contract, type Setup, contracts } from './rules'
import { useTarok } from './words'

type Place = Player | 'talon'
type Chosen = Pick<Setup, 'contract' | 'declarer'>

// The taroks in three rows, then the suits.
const rows = [0, 8, 16, 22, 30, 38, 46].map((from, i, all) => deck.slice(from, all[i + 1]))
const names: Record<string, Place> = { A: 'A', B: 'B', C: 'C', TALON: 'talon' }

/** Asks for a deal. It opens with what is on the page. */
export function EnterDialog({ setup, close, use }: { setup: Setup; close(): void; use(s: Setup): void }) {
  const w = useTarok()
  const write = (cards: readonly Card[]) => cards.map(w.brief).join(' ')
  const { began, keep, done } = useDraft<Chosen>(JSON.stringify(setup), () => ({
    contract: { contract: setup.contract, declarer: setup.declarer },
    texts: { ...Object.fromEntries(players.map((p) => [p, write(setup.hands[p])])), talon: write(setup.talon) },
    marked: 'A',
  }))
  const [contract, setContract] = useState(began.contract)
  const choose = (change: Partial<Chosen>) => {
    keep({ contract: { ...contract, ...change } })
    setContract({ ...contract, ...change })
  }
  const hand = (p: Player): Line<Place> => ({
    id: p,
    name: w.player(p),
    letter: p,
    label: w.b('enterHand', { player: w.player(p) }),
    size: 16,
    rest: true,
  })
  const talon: Line<Place> = { id: 'talon', name: w.b('talon'), letter: 'T', label: w.b('enterTalon'), size: 6 }
  const game: PickerGame<Place, never> = {
    reader: { words: w, deck: deck54, read: (_, text) => readTarok(w, text) },
    write: w.brief,
    // The last hand fills itself when the others and the talon are in.
    lines: [hand('A'), hand('B'), talon, hand('C')],
    names,
    order: players,
    rows,
  }
  const state = usePicker(game, began, keep)
  const { picked } = state
  const cardsOf = (p: Place) => picked.read[p]!.cards
  const none = picked.whole ? players.find((p) => !cardsOf(p).some(isTarok)) : undefined
  return (
    <EnterForm
      title={w.t('enterTitle')}
      hint={w.b('enterHint')}
      forms={w.b('enterForms')}
      game={game}
      state={state}
      wrong={picked.wrong || none !== undefined}
      close={close}
      use={() => {
        done()
        const hands = { A: cardsOf('A'), B: cardsOf('B'), C: cardsOf('C') }
        use({ ...setup, ...contract, hands, talon: cardsOf('talon'), group: null, discards: [] })
      }}
      after={none && <p class="bad">{w.b('enterVoid', { player: w.player(none) })}</p>}>
      <div class="enter-contract">
        <label class="enter-choice">
          <span>{w.t('contract')}</span>
          <select
            id="enter-contract"
            value={contract.contract}
            onChange={(e) => choose({ contract: e.currentTarget.value as Contract })}>
            {contracts.map((c) => (
              <option key={c} value={c}>
                {w.contract(c)}
              </option>
            ))}
          </select>
        </label>
        {contract.contract !== 'klop' && (
          <EnterChoice
            name={w.b('declarer')}
            id="declarer"
            list={players}
            value={contract.declarer}
            text={w.player}
            choose={(declarer) => choose({ declarer })}>
            {(p) => p}
          </EnterChoice>
        )}
      </div>
    </EnterForm>
  )
}
