// The texts of the page of jobs, beside those that all pages share.

import { useMemo } from 'preact/hooks'
import { useWords as useShared } from '../shared/frame'
import { type Key as SharedKey, type Vars, type Words as Shared, textsOf, withTexts } from '../shared/words'
import type { JobsKey } from './words-en'

export type Key = SharedKey | JobsKey

const own = textsOf({ en: './words-jobs-en.js', nl: './words-jobs-nl.js' })

/** The texts of one language. */
export interface Words extends Shared {
  t(key: Key, vars?: Vars): string
}

export const jobsWords = (w: Shared): Words => withTexts<JobsKey>(w, own)

export function useWords(): Words {
  const w = useShared()
  return useMemo(() => jobsWords(w), [w])
}
