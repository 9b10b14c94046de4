// The texts of the page, in addition to the texts of the board.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import { type Key as KlaverjasKey, type Words as Klaverjas, klaverjasWords } from '../klaverjas/words'
import type { LaterKey } from './laterwords-en'
import type { WatchKey } from './words-en'

const own = textsOf({ en: './words-watch-en.js', nl: './words-watch-nl.js' })
const later = textsOf({ en: './words-watch-later-en.js', nl: './words-watch-later-nl.js' }, true)

/** The texts of one language. p gives the texts of this page. */
export interface Words extends Klaverjas {
  p(key: WatchKey | LaterKey, vars?: Vars): string
}

export function watchWords(shared: Shared): Words {
  const { t } = withTexts<WatchKey | LaterKey | KlaverjasKey>(shared, own, later)
  return { ...klaverjasWords(shared), p: t }
}

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => watchWords(w), [w])
}
