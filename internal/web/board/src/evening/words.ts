// The texts of the page of an evening, beside those that all pages share.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Key as SharedKey, type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import type { EveningKey } from './words-en'

const own = textsOf({ en: './words-evening-en.js', nl: './words-evening-nl.js' })

/** The texts of one language. */
export interface Words extends Shared {
  t(key: SharedKey | EveningKey, vars?: Vars): string
}

export const eveningWords = (w: Shared): Words => withTexts<EveningKey>(w, own)

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => eveningWords(w), [w])
}
