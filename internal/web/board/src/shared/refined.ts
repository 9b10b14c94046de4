// Answers that become better while they are looked at.

import { useEffect, useState } from 'preact/hooks'
import { type Answer, useAgain } from './answers'
import { refine, waited } from './api'
import { useVisible } from './visible'

/** What is known of an answer that becomes better. */
export interface Refined<T> extends Answer<T> {
  /** How many answers have come, each better than the one before. */
  answers: number
  /** Whether better ones may come. */
  refining: boolean
}

interface Kept {
  value: unknown
  answers: number
  done: boolean
}
const kept = new Map<string, Kept>()
const most = 1000

/**
 * The answer to a question, which becomes better for a while. It is asked when the key changes, and only while the page
 * can be seen; an empty key asks nothing. What is not looked at any more ends at once, also on the server.
 */
export function useRefined<T>(key: string, path: string, body: () => unknown): Refined<T> {
  const seen = useVisible()
  const full = path + '|' + key
  const [state, set] = useState<Partial<Answer<T>> & { key: string }>({ key: '' })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (key === '' || !seen || kept.get(full)?.done) return
    const controller = new AbortController()
    const { signal } = controller
    const run = async () => {
      while (!signal.aborted) {
        let answers = 0
        set({ key: full })
        const failure = await refine<T>(path, body(), signal, (value) => {
          if (signal.aborted || ++answers <= (kept.get(full)?.answers ?? 0)) return
          if (kept.size >= most) kept.delete(kept.keys().next().value!)
          kept.set(full, { value, answers, done: false })
          set({ key: full })
        })
        if (signal.aborted) return
        if (!failure) {
          kept.get(full)!.done = true
          return set({ key: full })
        }
        if (!(await waited(failure, signal, (wait) => set({ key: full, failure, wait }))))
          return set({ key: full, failure })
      }
    }
    void run()
    return () => controller.abort()
  }, [full, seen, tries])
  useAgain(state.failure, () => setTries((n) => n + 1))
  const known = kept.get(full)
  return {
    ...(state.key === full ? state : {}),
    ...(known ? { value: known.value as T, failure: undefined } : {}),
    key: full,
    answers: known?.answers ?? 0,
    refining: key !== '' && !known?.done,
    cancel() {},
    retry: () => setTries((n) => n + 1),
  }
}
