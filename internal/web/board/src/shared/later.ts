// Parts of a page that are loaded after it.

import { useEffect, useState } from 'preact/hooks'
import { useWords } from './frame'
import { loadLater } from './words'

/**
 * A module that is loaded after the page is shown, with its texts, or null until then. If it cannot be loaded, failed is
 * called when it is wanted.
 */
export function useLater<M>(load: () => Promise<M>, wanted: boolean, failed: () => void): M | null {
  const [loaded, set] = useState<M | null>(null)
  const { lang } = useWords()
  useEffect(() => {
    if (!loaded)
      Promise.all([load(), loadLater(lang)]).then(
        ([m]) => set(m),
        () => wanted && failed(),
      )
  }, [wanted])
  return loaded
}

/** Whether the texts are there that are loaded after the page, where they are wanted. */
export function useLaterTexts(wanted: boolean): boolean {
  const { lang } = useWords()
  const [there, set] = useState('')
  useEffect(() => {
    if (!wanted) return
    loadLater(lang).then(
      () => set(lang),
      () => {}, // the page does without
    )
  }, [lang, wanted])
  return there === lang
}
