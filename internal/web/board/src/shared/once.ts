// Things that are started once, also with a double click.

import { useEffect, useRef } from 'preact/hooks'

/** A function that does nothing while it runs. One that leaves the page does not end, until the browser comes back to it. */
export function useOnce<A extends unknown[]>(start: (...of: A) => Promise<unknown>): (...of: A) => void {
  const running = useRef(false)
  useEffect(() => {
    const shown = () => (running.current = false)
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  return (...of) => {
    if (running.current) return
    running.current = true
    void start(...of).finally(() => (running.current = false))
  }
}

/** Leaves the page. The promise does not end. */
export function leave(address: string): Promise<never> {
  location.assign(address)
  return new Promise(() => {})
}
