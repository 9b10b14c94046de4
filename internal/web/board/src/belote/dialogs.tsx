// Deals that the server draws, and the contract above the table.

import { type Failure, call } from '../shared/api'
import { SuitIcon } from '../shared/art'
import { type Suit, suits as allSuits } from '../shared/cards'
import type * as Schemas from '../contract'
import { NumberField } from '../shared/numberfield'
import { type Player, type Setup, type Trump, defaultThreshold, players, suitsOf, totalOf } from './rules'
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

/** The choice of trump among the suits of the deal, or none. */
export function TrumpChoice({
  suits,
  trump,
  change,
}: {
  suits: readonly Suit[]
  trump: Trump
  change(t: Trump): void
}) {
  const w = useBelote()
  return (
    <div class="segments trump" role="group" aria-label={w.t('trump')}>
      <span class="lead-in" aria-hidden="true">
        {w.t('trump')}
      </span>
      {suits.map((s) => (
        <button
          type="button"
          key={s}
          id={'trump-' + s}
          aria-pressed={trump === s}
          aria-label={w.suit(s)}
          title={w.suit(s)}
          onClick={() => change(s)}>
          <SuitIcon suit={s} />
        </button>
      ))}
      <button
        type="button"
        id="trump-N"
        aria-pressed={trump === null}
        title={w.b('noTrump')}
        aria-label={w.b('noTrump')}
        onClick={() => change(null)}>
        ∅
      </button>
    </div>
  )
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
    <label class="inline">
      {label}
      <select id={id} value={setup[id]} onChange={(e) => change({ [id]: e.currentTarget.value as Player })}>
        {players.map((p) => (
          <option key={p} value={p}>
            {p}
          </option>
        ))}
      </select>
    </label>
  )
  const most = suits.length > 0 ? totalOf(setup) : 162
  return (
    <>
      <label class="inline">
        {w.b('suits')}
        <select id="suits" value={suits.length || 4} onChange={(e) => resize(Number(e.currentTarget.value))}>
          {[1, 2, 3, 4].map((n) => (
            <option key={n} value={n}>
              {n}
            </option>
          ))}
        </select>
      </label>
      <TrumpChoice
        suits={suits.length > 0 ? suits : allSuits}
        trump={setup.trump}
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
