// The texts of the board, beside those that all pages share, and the names of seats and teams.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Key as SharedKey, type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import type { Seat, Team } from './seats'
import type { KlaverjasKey } from './words-en'

export type Key = SharedKey | KlaverjasKey
export type Text = [Key, Vars?]

const own = textsOf<KlaverjasKey>({ en: './words-klaverjas-en.js', nl: './words-klaverjas-nl.js' })

/** The texts of one language. */
export interface Words extends Shared {
  t(key: Key, vars?: Vars): string
  seat(s: Seat): string
  team(t: Team): string
}

export function klaverjasWords(shared: Shared): Words {
  const w = withTexts(shared, own(shared.lang))
  return { ...w, seat: (s) => w.t(s), team: (x) => w.t(x) }
}

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => klaverjasWords(w), [w])
}
