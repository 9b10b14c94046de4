// The rest of a hand at once, when nothing is left to decide.

import type { Card } from '../shared/cards'
import type { Position } from './rules'
import { restOf, settled } from './settled'
import { useWords } from './words'

export function ClaimButton({ busy, claim }: { busy: boolean; claim(): void }) {
  const w = useWords()
  return (
    <button type="button" id="claim" aria-disabled={busy} title={w.t('claimTitle')} onClick={() => !busy && claim()}>
      {w.t('claim')}
    </button>
  )
}

let last: { position: Position; rest: Card[] | null } | undefined

/** The cards of the rest of a hand with open cards, if all lines end alike, and else null. */
export function restSettled(position: Position): Card[] | null {
  if (last?.position !== position) last = { position, rest: settled(position) ? restOf(position) : null }
  return last.rest
}
