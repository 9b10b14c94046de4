// The dialogs of the board: importing, the rules and help.

import { useState } from 'preact/hooks'
import { call } from '../shared/api'
import { type Face, type Suit, faces, parseCard } from '../shared/cards'
import { KeysDialog } from '../shared/dialogs'
import { Dialog } from '../shared/frame'
import { problemText } from '../shared/problems'
import { NumberField } from '../shared/numberfield'
import { FileButton, drops, readRecord } from '../shared/records'
import type { LegalMoves, NumberedDeal } from './api'
import { type Rules, type Setup, defaultRules, holdersOf } from './rules'
import { type Seat, teamOf } from './seats'
import { type Shared, readFragment } from './url'
import { type Words, useWords } from './words'

type Imported = { ok: true; shared: Shared } | { ok: false; error: string }

async function dealAt(
  w: Words,
  index: string,
  trump: Suit,
  leader: Seat,
): Promise<{ holders: string } | { error: string } | null> {
  const reply = await call<NumberedDeal>(
    'GET',
    `/v1/klaverjas/deals/${index}?trump=${trump}&leader=${leader}`,
    undefined,
    new AbortController().signal,
  )
  if (reply.ok) return { holders: holdersOf(reply.body.position.hands) }
  return reply.failure.kind === 'problem' ? { error: problemText(w, reply.failure.problem) } : null
}

/** Reads a position as JSON, the number of a deal, or the address of a board. The server checks positions. */
export async function importText(w: Words, text: string, current: Setup): Promise<Imported> {
  const bad = (error: string): Imported => ({ ok: false, error })
  const trimmed = text.trim()
  const hash = trimmed.indexOf('#')
  if (hash >= 0 && !trimmed.startsWith('{')) {
    const read = readFragment(trimmed.slice(hash))
    return read.ok ? read : bad(w.t('urlBad', { error: w.t(...read.error) }))
  }
  if (/^\d{1,20}$/.test(trimmed)) {
    const deal = await dealAt(w, trimmed, current.trump, current.leader)
    if (!deal) return bad(w.t('offline'))
    return 'error' in deal
      ? bad(deal.error)
      : { ok: true, shared: { setup: { ...current, holders: deal.holders }, played: [], cursor: 0 } }
  }
  let value: Record<string, unknown>
  try {
    value = JSON.parse(trimmed) as Record<string, unknown>
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error()
  } catch {
    return bad(w.t('importBad'))
  }
  // An answer, such as that of deals/random, holds its position.
  if (typeof value['position'] === 'object' && value['position'] !== null)
    value = value['position'] as Record<string, unknown>
  if (value['hands'] === undefined && value['deal'] === undefined) return bad(w.t('importDeal'))
  const body = Object.fromEntries(
    ['rules', 'trump', 'leader', 'declarer', 'hands', 'deal', 'played'].flatMap((k) =>
      value[k] === undefined ? [] : [[k, value[k]]],
    ),
  )
  const reply = await call<LegalMoves>('POST', '/v1/klaverjas/legal-moves', body, new AbortController().signal)
  if (!reply.ok) return bad(reply.failure.kind === 'problem' ? problemText(w, reply.failure.problem) : w.t('offline'))
  const { deal, rules } = reply.body
  const found = await dealAt(w, deal.index, deal.trump, deal.leader)
  if (!found || 'error' in found) return bad(found ? found.error : w.t('offline'))
  const played = ((value['played'] as string[] | undefined) ?? []).map((c) => parseCard(c)!)
  const setup: Setup = {
    rules: rules as Rules,
    trump: deal.trump,
    leader: deal.leader,
    declarer: deal.declarer ?? teamOf(deal.leader),
    holders: found.holders,
  }
  return { ok: true, shared: { setup, played, cursor: played.length } }
}

/** Reads a record, or another text that is imported. A link has only a record. Several hands become a job. */
export async function readImport(w: Words, text: string, current: Setup, link = false): Promise<Imported> {
  const record = await readRecord(w, text, 'klaverjas', link)
  if (!record.ok) return record
  if (!('job' in record)) return importText(w, record.text, current)
  location.assign('/jobs#' + record.job)
  return new Promise(() => {})
}

export function ImportDialog({ setup, close, use }: { setup: Setup; close(): void; use(s: Shared): void }) {
  const w = useWords()
  const [text, set] = useState('')
  const [error, setError] = useState('')
  return (
    <Dialog title={w.t('importTitle')} id="import-dialog" close={close}>
      <form
        method="dialog"
        onSubmit={async (e) => {
          e.preventDefault()
          const read = await readImport(w, text, setup)
          if (read.ok) use(read.shared)
          else setError(read.error)
        }}>
        <p class="hint" id="import-hint">
          {w.t('importHint')}
        </p>
        <label for="import-text">{w.t('importText')}</label>
        <textarea
          id="import-text"
          rows={8}
          spellcheck={false}
          aria-describedby="import-hint import-error"
          aria-invalid={error !== ''}
          value={text}
          onInput={(e) => set(e.currentTarget.value)}
          {...drops(set)}
        />
        <p class="bad" id="import-error">
          {error}
        </p>
        <div class="row end">
          <FileButton set={set} />
          <button type="submit" class="main" id="import-do">
            {w.t('importDo')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function RulesDialog({ rules: began, close, use }: { rules: Rules; close(): void; use(r: Rules): void }) {
  const w = useWords()
  const [rules, set] = useState(began)
  const number = (id: string, label: string, value: number, change: (n: number) => Rules) => (
    <NumberField
      key={id}
      id={id}
      label={label}
      value={value}
      max={1000}
      step={10}
      bad={w.t('bonusBad')}
      change={(n) => set(change(n))}
    />
  )
  return (
    <Dialog title={w.t('rulesTitle')} id="rules-dialog" close={close}>
      <form
        method="dialog"
        noValidate
        onSubmit={(e) => {
          const bad = e.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')
          if (!bad) return use(rules)
          e.preventDefault()
          bad.focus()
        }}>
        <label>
          {w.t('system')}
          <select
            id="rule-system"
            value={rules.system}
            onChange={(e) => {
              const system = e.currentTarget.value as Rules['system']
              set({ ...rules, system, under_ruff: defaultRules(system).under_ruff })
            }}>
            {(['rotterdam', 'amsterdam'] as const).map((x) => (
              <option key={x} value={x}>
                {w.t(x)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.t('under')}
          <select
            id="rule-under"
            value={rules.under_ruff}
            onChange={(e) => set({ ...rules, under_ruff: e.currentTarget.value as Rules['under_ruff'] })}>
            {(['forced', 'forbidden', 'free'] as const).map((x) => (
              <option key={x} value={x}>
                {w.t(x)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.t('natMelds')}
          <select
            id="rule-nat"
            value={rules.nat_melds}
            onChange={(e) => set({ ...rules, nat_melds: e.currentTarget.value as Rules['nat_melds'] })}>
            <option value="defenders">{w.t('natDefenders')}</option>
            <option value="all">{w.t('natAll')}</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            id="rule-melds"
            checked={rules.melds}
            onChange={(e) => set({ ...rules, melds: e.currentTarget.checked })}
          />
          {w.t('melds')}
        </label>
        <fieldset>
          <legend>{w.t('pit')}</legend>
          <div class="numbers">
            {number('rule-pit-declarers', w.t('pitDeclarers'), rules.pit.declarers, (n) => ({
              ...rules,
              pit: { ...rules.pit, declarers: n },
            }))}
            {number('rule-pit-defenders', w.t('pitDefenders'), rules.pit.defenders, (n) => ({
              ...rules,
              pit: { ...rules.pit, defenders: n },
            }))}
          </div>
        </fieldset>
        <fieldset>
          <legend>{w.t('four')}</legend>
          <div class="numbers">
            {faces.map((f: Face, i) =>
              number('rule-four-' + f, w.face(i), rules.four_of_a_kind[f], (n) => ({
                ...rules,
                four_of_a_kind: { ...rules.four_of_a_kind, [f]: n },
              })),
            )}
          </div>
        </fieldset>
        <div class="row end">
          <button type="submit" class="main" id="use-rules">
            {w.t('apply')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function HelpDialog({
  hidden,
  ...rest
}: {
  hidden?: boolean
  close(): void
  keys: boolean
  setKeys(on: boolean): void
}) {
  const w = useWords()
  return (
    <KeysDialog
      {...rest}
      text={w.t(hidden ? 'helpHidden' : 'helpText')}
      rows={[
        ['← → ↑ ↓', w.t('kArrows')],
        ['Enter', w.t('kEnter')],
        ['Backspace, Shift ←', w.t('kBack')],
        ['Shift →', w.t('kRedo')],
        ['Home, End', w.t('kEnds')],
        ...(hidden ? [['a', w.t('kAsk')] as [string, string]] : []),
        ['b', w.t('kBest')],
        ['v', w.t('kValues')],
        ['s', w.t('kScore')],
        ['t', w.t('kTrick')],
        ...(hidden ? [['r', w.t('claimTitle')] as [string, string]] : []),
        ['n, p', w.t('kMistake')],
        ['m', w.t('kMode')],
        ['/', w.t('kField')],
        ['?', w.t('kHelp')],
      ]}
    />
  )
}
