// The texts of the board, beside those that all pages share, and the names of seats and teams.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Key as SharedKey, type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import type { LaterKey } from './laterwords-en'
import type { Seat, Team } from './seats'
import type { KlaverjasKey } from './words-en'

export type Key = SharedKey | KlaverjasKey | LaterKey
export type Text = [Key, Vars?]

const own = textsOf({ en: './words-klaverjas-en.js', nl: './words-klaverjas-nl.js' })
const later = textsOf({ en: './words-klaverjas-later-en.js', nl: './words-klaverjas-later-nl.js' }, true)

/** The texts of one language. */
export interface Words extends Shared {
  t(key: Key, vars?: Vars): string
  seat(s: Seat): string
  team(t: Team): string
}

export function klaverjasWords(shared: Shared): Words {
  const w = withTexts<KlaverjasKey | LaterKey>(shared, own, later)
  return { ...w, seat: (s) => w.t(s), team: (x) => w.t(x) }
}

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => klaverjasWords(w), [w])
}
