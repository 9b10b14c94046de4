// The rest of a hand at once, when nothing is left to decide.

import { useMemo } from 'preact/hooks'
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

/** The button of the open board: it is there where all lines end alike. */
export function OpenClaim({ position, playLine }: { position: Position; playLine(cards: Card[]): void }) {
  const may = useMemo(() => settled(position), [position])
  return may ? <ClaimButton busy={false} claim={() => playLine(restOf(position))} /> : null
}
