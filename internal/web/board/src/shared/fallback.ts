// The server, and the worker that answers while the server does not.

import { url } from './base'
import { read } from './prefs'
import type { Solver } from './solver'

// How long a server may say nothing, in milliseconds: to a question, before it is asked for something small, and to that.
const silence = 5000
// How often a server that is gone is looked for, in milliseconds.
const often = 10_000

async function isThere(): Promise<boolean> {
  try {
    return (await fetch(url('/v1'), { cache: 'no-store', signal: AbortSignal.timeout(silence) })).status < 500
  } catch {
    return false
  }
}

// A server may be gone without a word, and a search takes as long as it takes.
const server: Solver = async (path, init) => {
  const gone = new AbortController()
  const leave = () => gone.abort()
  init.signal.throwIfAborted()
  init.signal.addEventListener('abort', leave)
  const look = setInterval(async () => (await isThere()) || leave(), silence)
  try {
    const response = await fetch(url(path), { ...init, signal: gone.signal })
    // What stands before a server that is gone answers with a page of its own.
    if (response.status > 501 && !response.headers.get('Content-Type')?.includes('json'))
      throw new Error(String(response.status))
    return response
  } finally {
    clearInterval(look)
  }
}

// Games are where they began.
const game = /^\/v1\/klaverjas\/sessions\/([^/?]+)/

/** Asks the server, and the worker in its place while the server is gone. tell is told who answers. */
export function fallback(worker: () => Solver, tell: (replaced: boolean) => void): Solver {
  let replaced = false
  let looked = 0
  const change = (now: boolean) => tell((replaced = now))
  const look = async () => {
    if (Date.now() < looked + often) return
    looked = Date.now()
    if (await isThere()) change(false)
  }
  return async (path, init) => {
    const id = game.exec(path)?.[1]
    if (id) return (read('here')?.includes(id) ? worker() : server)(path, init)
    if (replaced) {
      void look() // nobody waits for it
      return worker()(path, init)
    }
    try {
      return await server(path, init)
    } catch (error) {
      if (init.signal.aborted) throw error
      const response = await worker()(path, init)
      looked = Date.now()
      change(true)
      return response
    }
  }
}
