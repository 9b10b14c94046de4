// Drawing and importing a deal, and the contract above the table.

import { useState } from 'preact/hooks'
import { type Failure, call } from '../api'
import type { components } from '../contract'
import { Dialog, failureText } from '../frame'
import { type Player, parseCard, players } from './cards'
import { type Contract, type Rules, type Setup, contracts, defaultRules } from './rules'
import { type Kontra, type Said, type Shared, bodyOf, saidBody, silence } from './state'
import { readFragment } from './url'
import { type TarokWords, useTarok } from './words'

type Schemas = components['schemas']
type Deal = Schemas['TarokDeal']
type LegalMoves = Schemas['TarokLegalMoves']

export type Drawn = { ok: true; deal: Pick<Setup, 'hands' | 'talon'>; seed: string } | { ok: false; failure: Failure }

const describe = (p: Schemas['Problem']): string => [p.detail, ...(p.errors ?? []).map((e) => `${e.pointer ?? ''} ${e.detail}`.trim())].join(' ')
const cardsOf = (list: readonly string[]) => list.map((c) => parseCard(c)!)
const dealOf = (d: Pick<Deal, 'hands' | 'talon'>): Pick<Setup, 'hands' | 'talon'> =>
  ({ hands: { A: cardsOf(d.hands.A), B: cardsOf(d.hands.B), C: cardsOf(d.hands.C) }, talon: cardsOf(d.talon) })

/** Has the server draw a deal. The seed is empty to let it choose one. */
export async function draw(seed = ''): Promise<Drawn> {
  const reply = await call<Deal>('GET', `/v1/tarok/deals/random${seed && '?seed=' + seed}`, undefined, new AbortController().signal)
  return reply.ok ? { ok: true, seed: reply.body.seed, deal: dealOf(reply.body) } : reply
}

type Imported = { ok: true; shared: Shared; seed?: string } | { ok: false; error: string }

// Reads a position or deal as JSON, the seed of a deal, or the address of this page. The server checks positions.
async function importText(w: TarokWords, text: string, current: Shared): Promise<Imported> {
  const bad = (error: string): Imported => ({ ok: false, error })
  const trimmed = text.trim()
  if (trimmed.includes('#') && !trimmed.startsWith('{')) {
    const read = readFragment(trimmed.slice(trimmed.indexOf('#')))
    return read.ok ? read : bad(w.t('urlBad', { error: w.b(...read.error) }))
  }
  const fresh = (deal: Pick<Setup, 'hands' | 'talon'>): Shared => ({ setup: { ...current.setup, ...deal, group: null, discards: [] }, said: silence, played: [], cursor: 0 })
  if (/^\d{1,20}$/.test(trimmed)) {
    const drawn = await draw(trimmed)
    return drawn.ok ? { ok: true, seed: drawn.seed, shared: fresh(drawn.deal) } : bad(failureText(w, drawn.failure))
  }
  let value: Record<string, unknown>
  try {
    value = JSON.parse(trimmed) as Record<string, unknown>
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error()
  } catch {
    return bad(w.b('importBad'))
  }
  // A deal without a contract gets the one on the page.
  const { contract: now, declarer: who } = current.setup
  if (value['contract'] === undefined) value = { ...value, contract: now, ...(now === 'klop' ? {} : { declarer: who }) }
  const fields = ['hands', 'talon', 'contract', 'declarer', 'group', 'discards', 'played', 'rules']
  const body = Object.fromEntries(fields.flatMap((k) => (value[k] === undefined ? [] : [[k, value[k]]])))
  const reply = await call<LegalMoves>('POST', '/v1/tarok/legal-moves', body, new AbortController().signal)
  if (!reply.ok) return bad(reply.failure.kind === 'problem' ? describe(reply.failure.problem) : w.t('offline'))
  // The server has read the position, so that its cards and players are good.
  const contract = value['contract'] as Contract
  const declarer = (contract === 'klop' ? 'A' : String(value['declarer']).toUpperCase()) as Player
  const played = cardsOf((value['played'] as string[] | undefined) ?? [])
  const group = (value['group'] as number | undefined) ?? null
  const { lead, emperor, difference, mond } = { ...defaultRules, ...(value['rules'] as Partial<Rules> | undefined) }
  const setup: Setup = { contract, declarer, rules: { lead, emperor, difference, mond }, ...dealOf(value as unknown as Deal), group, discards: cardsOf((value['discards'] as string[] | undefined) ?? []) }
  const said: Said = { kontra: (value['kontra'] as Kontra | undefined) ?? 'none', bonuses: {} }
  for (const [b, one] of Object.entries((value['announcements'] as Said['bonuses'] | undefined) ?? {})) said.bonuses[b as 'kings'] = { by: one.by, kontra: one.kontra ?? 'none' }
  return { ok: true, shared: { setup, said, played, cursor: played.length } }
}

export function ImportDialog({ current, close, use }: { current: Shared; close(): void; use(s: Shared, seed?: string): void }) {
  const w = useTarok()
  const [text, set] = useState(() => JSON.stringify({ ...bodyOf(current), ...saidBody(current.said) }).replace(/,"(?=\w+":)/g, ',\n"'))
  const [error, setError] = useState('')
  return (
    <Dialog title={w.b('importTitle')} id="import-dialog" close={close} wide>
      <form method="dialog" onSubmit={async (e) => {
        e.preventDefault()
        const read = await importText(w, text, current)
        if (read.ok) use(read.shared, read.seed)
        else setError(read.error)
      }}>
        <p class="hint" id="import-hint">{w.b('importHint')}</p>
        <label for="import-text">{w.b('importText')}</label>
        <textarea id="import-text" rows={12} spellcheck={false} aria-describedby="import-hint import-error" aria-invalid={error !== ''} value={text} onInput={(e) => set(e.currentTarget.value)} />
        <p class="bad" id="import-error">{error}</p>
        <div class="row end"><button type="submit" class="main" id="import-do">{w.t('importDo')}</button></div>
      </form>
    </Dialog>
  )
}

/** The contract of a deal, and who plays it. */
export function ContractChoice({ setup, change }: { setup: Setup; change(c: Partial<Pick<Setup, 'contract' | 'declarer'>>): void }) {
  const w = useTarok()
  return (
    <>
      <label class="inline">{w.t('contract')}<select id="contract" value={setup.contract} onChange={(e) => change({ contract: e.currentTarget.value as Contract })}>{contracts.map((c) => <option key={c} value={c}>{w.contract(c)}</option>)}</select></label>
      {setup.contract !== 'klop' && <label class="inline">{w.b('declarer')}<select id="declarer" value={setup.declarer} onChange={(e) => change({ declarer: e.currentTarget.value as Player })}>{players.map((p) => <option key={p} value={p}>{p}</option>)}</select></label>}
    </>
  )
}
