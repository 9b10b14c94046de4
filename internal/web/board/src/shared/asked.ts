// Reading aloud what the page finds out.

import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from './answers'
import { type Said, failureText } from './frame'
import type { Words } from './words'

/**
 * Says one of the texts about an answer: at once if it is there, else when it comes. at is the position that it is
 * about: what was asked for another one is not said any more.
 */
export function useAsked<W extends Words>(
  at: string,
  answer: Answer<unknown>,
  say: (text: Said<W>) => void,
  texts: readonly ((w: W) => string)[],
): (which: number) => void {
  const asked = useRef<{ at: string; which: number } | null>(null)
  const { value, failure } = answer
  const there = value !== undefined
  useEffect(() => {
    if (asked.current?.at !== at) return
    if (failure) say((w: W) => failureText(w, failure))
    if (!there) return
    say(texts[asked.current.which]!)
    asked.current = null
  }, [at, there, failure])
  return (which) => {
    asked.current = there ? null : { at, which }
    say(there ? texts[which]! : (w: W) => w.t('searching'))
  }
}
