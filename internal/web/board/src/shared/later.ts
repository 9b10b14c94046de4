// Parts of a page that are loaded after it.

import { useEffect, useState } from 'preact/hooks'

/**
 * A module that is loaded after the page is shown, or null until then. If it cannot be loaded, failed is called when it
 * is wanted.
 */
export function useLater<M>(load: () => Promise<M>, wanted: boolean, failed: () => void): M | null {
  const [loaded, set] = useState<M | null>(null)
  useEffect(() => {
    if (!loaded) load().then(set, () => wanted && failed())
  }, [wanted])
  return loaded
}
