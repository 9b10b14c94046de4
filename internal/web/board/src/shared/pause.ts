// Waiting.

/** Waits for a time, or until the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
