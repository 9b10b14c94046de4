// The texts of the page of puzzles, in addition to the texts of the board.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import { type Key as KlaverjasKey, type Words as Klaverjas, klaverjasWords } from '../klaverjas/words'
import type { PuzzlesKey } from './words-en'

const own = textsOf({ en: './words-puzzles-en.js', nl: './words-puzzles-nl.js' })

/** The texts of one language. p gives the texts of this page. */
export interface Words extends Klaverjas {
  p(key: PuzzlesKey, vars?: Vars): string
}

export function puzzlesWords(shared: Shared): Words {
  const { t } = withTexts<PuzzlesKey | KlaverjasKey>(shared, own)
  return { ...klaverjasWords(shared), p: t }
}

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => puzzlesWords(w), [w])
}
