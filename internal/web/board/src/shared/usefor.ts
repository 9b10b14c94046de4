// A state that lasts as long as what it is about.

import { useState } from 'preact/hooks'

/** A state that is about a key: with another key it is the first one again. */
export function useFor<V>(key: unknown, first: V): [V, (value: V) => void] {
  const [kept, set] = useState({ key, value: first })
  return [kept.key === key ? kept.value : first, (value) => set({ key, value })]
}
