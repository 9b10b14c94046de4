// The texts of the pages of the rules, beside those that all pages share.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Key as SharedKey, type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import type { RulesKey } from './words-en'

const own = textsOf({ en: './words-rules-en.js', nl: './words-rules-nl.js' })

/** The texts of one language. */
export interface Words extends Shared {
  t(key: SharedKey | RulesKey, vars?: Vars): string
  /** A text that the page may have: a note of a step. */
  maybe(key: string, vars?: Vars): string | undefined
}

export const rulesWords = (w: Shared): Words => {
  const all = withTexts<RulesKey>(w, own)
  return { ...all, maybe: (key, vars) => (own(w.lang, key) === undefined ? undefined : all.t(key as RulesKey, vars)) }
}

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => rulesWords(w), [w])
}
