// Whether somebody can see the page.

import { useEffect, useState } from 'preact/hooks'

export function useVisible(): boolean {
  const [visible, set] = useState(!document.hidden)
  useEffect(() => {
    const change = () => set(!document.hidden)
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return visible
}
