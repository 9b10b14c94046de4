// Deals that the server draws, and the contract above the table.

import { type Failure, call } from '../shared/api'
import { type Suit, suits as allSuits } from '../shared/cards'
import type * as Schemas from '../contract'
import { Choice } from '../shared/controls'
import { NumberField } from '../shared/numberfield'
import { TrumpChoice } from '../shared/trumpchoice'
import { type Setup, type Trump, defaultThreshold, players, suitsOf, totalOf } from './rules'
import { stacksOf } from './session'
import { useBelote } from './words'

type Deal = Schemas.BeloteDeal

export type Drawn = { ok: true; setup: Setup; seed: string } | { ok: false; failure: Failure }

/** Has the server draw a deal. The seed is empty to let it choose one. */
export async function draw(suits: readonly Suit[], trump: Trump, seed = ''): Promise<Drawn> {
  const query = new URLSearchParams({ suits: suits.join(''), trump: trump ?? 'none', ...(seed ? { seed } : {}) })
  const reply = await call<Deal>('GET', `/v1/belote/deals/random?${query}`, undefined, new AbortController().signal)
  if (!reply.ok) return reply
  const { position, seed: used } = reply.body
  return {
    ok: true,
    seed: used,
    setup: {
      trump,
      leader: position.leader,
      declarer: position.declarer,
      threshold: position.threshold,
      stacks: stacksOf(position.stacks),
    },
  }
}

/** The suits of a deal of another size: the trump suit, and the first of the others. */
export function suitsFor(n: number, trump: Trump): Suit[] {
  const first = [...(trump ? [trump] : []), ...allSuits.filter((s) => s !== trump)].slice(0, n)
  return allSuits.filter((s) => first.includes(s))
}

/** The contract of a deal. */
export function Contract({
  setup,
  change,
  resize,
}: {
  setup: Setup
  change(c: Partial<Omit<Setup, 'stacks'>>): void
  resize(n: number): void
}) {
  const w = useBelote()
  const suits = suitsOf(setup)
  const choice = (id: 'leader' | 'declarer', label: string) => (
    <Choice
      inline
      id={id}
      label={label}
      now={setup[id]}
      options={players.map((p) => [p, p])}
      set={(p) => change({ [id]: p })}
    />
  )
  const most = suits.length > 0 ? totalOf(setup) : 162
  return (
    <>
      <Choice
        inline
        id="suits"
        label={w.b('suits')}
        now={suits.length || 4}
        options={[1, 2, 3, 4].map((n) => [n, String(n)])}
        set={resize}
      />
      <TrumpChoice
        suits={suits.length > 0 ? suits : allSuits}
        trump={setup.trump}
        none={w.b('noTrump')}
        change={(trump) => change({ trump })}
      />
      {choice('leader', w.t('leader'))}
      {choice('declarer', w.b('declarer'))}
      <NumberField
        id="threshold"
        label={w.b('threshold')}
        value={setup.threshold}
        min={1}
        max={most}
        title={w.b('thresholdHint', { n: defaultThreshold(suits.length, setup.trump) })}
        bad={w.b('thresholdBad', { n: most })}
        late
        change={(threshold) => change({ threshold })}
      />
    </>
  )
}
