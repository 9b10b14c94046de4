// Drawing a deal, and the contract above the table.

import { type Failure, call } from '../shared/api'
import type * as Schemas from '../contract'
import { Choice } from '../shared/controls'
import { parseCard, players } from './cards'
import { type Setup, contracts } from './rules'
import { useTarok } from './words'

export type Deal = Schemas.TarokDeal

export type Drawn = { ok: true; deal: Pick<Setup, 'hands' | 'talon'>; seed: string } | { ok: false; failure: Failure }

export const cardsOf = (list: readonly string[]) => list.map((c) => parseCard(c)!)
export const dealOf = (d: Pick<Deal['position'], 'hands' | 'talon'>): Pick<Setup, 'hands' | 'talon'> => ({
  hands: { A: cardsOf(d.hands.A), B: cardsOf(d.hands.B), C: cardsOf(d.hands.C) },
  talon: cardsOf(d.talon),
})

/** Has the server draw a deal. The seed is empty to let it choose one. */
export async function draw(seed = ''): Promise<Drawn> {
  const reply = await call<Deal>(
    'GET',
    `/v1/tarok/deals/random${seed && '?seed=' + seed}`,
    undefined,
    new AbortController().signal,
  )
  return reply.ok ? { ok: true, seed: reply.body.seed, deal: dealOf(reply.body.position) } : reply
}

/** The contract of a deal, and who plays it. */
export function ContractChoice({
  setup,
  change,
}: {
  setup: Setup
  change(c: Partial<Pick<Setup, 'contract' | 'declarer'>>): void
}) {
  const w = useTarok()
  return (
    <>
      <Choice
        inline
        id="contract"
        label={w.t('contract')}
        now={setup.contract}
        options={contracts.map((c) => [c, w.contract(c)])}
        set={(contract) => change({ contract })}
      />
      {setup.contract !== 'klop' && (
        <Choice
          inline
          id="declarer"
          label={w.b('declarer')}
          now={setup.declarer}
          options={players.map((p) => [p, p])}
          set={(declarer) => change({ declarer })}
        />
      )}
    </>
  )
}
