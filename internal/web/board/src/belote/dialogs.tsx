// The dialogs of the page: importing a position, and the contract above the table.

import { useState } from 'preact/hooks'
import { type Failure, call } from '../shared/api'
import { SuitIcon } from '../shared/art'
import { type Suit, parseCard, suits as allSuits } from '../shared/cards'
import type * as Schemas from '../contract'
import { Dialog, failureText } from '../shared/frame'
import { problemText } from '../shared/problems'
import { NumberField } from '../shared/numberfield'
import { type Player, type Setup, type Stack, type Trump, defaultThreshold, players, suitsOf, totalOf } from './rules'
import { type Shared, bodyOf } from './state'
import { readFragment } from './url'
import { type BeloteWords, useBelote } from './words'

type Deal = Schemas.BeloteDeal
type LegalMoves = Schemas.BeloteLegalMoves

export type Drawn = { ok: true; setup: Setup; seed: string } | { ok: false; failure: Failure }

const stacksOf = (stacks: Record<Player, readonly (readonly string[])[]>): Setup['stacks'] =>
  Object.fromEntries(
    players.map((p) => [p, stacks[p].map((s): Stack => [parseCard(s[0]!)!, parseCard(s[1]!)!])]),
  ) as Record<Player, Stack[]>

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

type Imported = { ok: true; shared: Shared; seed?: string } | { ok: false; error: string }

// Reads a position as JSON, the seed of a deal, or the address of this page. The server checks positions.
async function importText(w: BeloteWords, text: string, current: Shared): Promise<Imported> {
  const bad = (error: string): Imported => ({ ok: false, error })
  const trimmed = text.trim()
  const { setup } = current
  if (trimmed.includes('#') && !trimmed.startsWith('{')) {
    const read = readFragment(trimmed.slice(trimmed.indexOf('#')))
    return read.ok ? read : bad(w.t('urlBad', { error: w.b(...read.error) }))
  }
  if (/^\d{1,20}$/.test(trimmed)) {
    const suits = suitsOf(setup)
    const drawn = await draw(suits.length > 0 ? suits : allSuits, setup.trump, trimmed)
    return drawn.ok
      ? { ok: true, seed: drawn.seed, shared: { ...current, setup: drawn.setup, played: [], cursor: 0 } }
      : bad(failureText(w, drawn.failure))
  }
  let value: Record<string, unknown>
  try {
    value = JSON.parse(trimmed) as Record<string, unknown>
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error()
  } catch {
    return bad(w.b('importBad'))
  }
  // An answer, such as that of deals/random, holds its position.
  if (typeof value['position'] === 'object' && value['position'] !== null)
    value = value['position'] as Record<string, unknown>
  const fields = ['trump', 'suits', 'leader', 'declarer', 'threshold', 'flip', 'stacks', 'played']
  const body = Object.fromEntries(fields.flatMap((k) => (value[k] === undefined ? [] : [[k, value[k]]])))
  const reply = await call<LegalMoves>('POST', '/v1/belote/legal-moves', body, new AbortController().signal)
  if (!reply.ok) return bad(reply.failure.kind === 'problem' ? problemText(w, reply.failure.problem) : w.t('offline'))
  // The server has read the position, so that its cards and players are good.
  const { trump, declarer, threshold } = reply.body.rules
  const played = ((value['played'] as string[] | undefined) ?? []).map((c) => parseCard(c)!)
  const leader = String(value['leader']).toUpperCase() as Player
  const stacks = stacksOf(value['stacks'] as Record<Player, string[][]>)
  return {
    ok: true,
    shared: {
      ...current,
      setup: { trump: trump as Trump, leader, declarer, threshold, stacks },
      played,
      cursor: played.length,
    },
  }
}

export function ImportDialog({
  current,
  close,
  use,
}: {
  current: Shared
  close(): void
  use(s: Shared, seed?: string): void
}) {
  const w = useBelote()
  const [text, set] = useState(() =>
    current.setup.stacks.A.length > 0 ? JSON.stringify(bodyOf(current)).replace(/,"(?=\w+":)/g, ',\n"') : '',
  )
  const [error, setError] = useState('')
  return (
    <Dialog title={w.b('importTitle')} id="import-dialog" close={close} wide>
      <form
        method="dialog"
        onSubmit={async (e) => {
          e.preventDefault()
          const read = await importText(w, text, current)
          if (read.ok) use(read.shared, read.seed)
          else setError(read.error)
        }}>
        <p class="hint" id="import-hint">
          {w.b('importHint')}
        </p>
        <label for="import-text">{w.b('importText')}</label>
        <textarea
          id="import-text"
          rows={12}
          spellcheck={false}
          aria-describedby="import-hint import-error"
          aria-invalid={error !== ''}
          value={text}
          onInput={(e) => set(e.currentTarget.value)}
        />
        <p class="bad" id="import-error">
          {error}
        </p>
        <div class="row end">
          <button type="submit" class="main" id="import-do">
            {w.t('importDo')}
          </button>
        </div>
      </form>
    </Dialog>
  )
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
      <TrumpChoice suits={suits} trump={setup.trump} change={(trump) => change({ trump })} />
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
