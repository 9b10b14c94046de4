// Who answers the requests of a page: the server, or a worker of the browser, in which Klaverjas is calculated without one.

import { base, site, url, worker } from './base'
import { load as loadFile } from './files'
import { read } from './prefs'

/** Answers a request as fetch does, also with a stream of events. It throws if there is no answer. */
export type Solver = (path: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>

/** What to say where nothing has answered. */
export const unanswered = site ? 'needsServer' : 'offline'

const server: Solver = (path, init) => fetch(url(path), init)

let loading: Promise<Solver> | undefined
async function load(): Promise<Solver> {
  return (await loadFile<typeof import('./local')>('./local.js')).open(`${base}/${worker}`)
}
function loaded(): Promise<Solver> {
  loading ??= load()
  loading.catch(() => (loading = undefined))
  return loading
}
const inWorker: Solver = async (path, init) => (await loaded())(path, init)
// On a site the worker answers everything: it begins to load together with the page.
if (site && worker) void loaded()

// Where a page has a worker, games are where they began.
const game = /^\/v1\/klaverjas\/sessions\/([^/?]+)/

/** The event that tells that another one answers now. */
export const answers = 'roem-answers'
/** Whether the worker has answered in place of the server. */
export let replaced = false

function tell(now: boolean): void {
  if (now === replaced) return
  replaced = now
  dispatchEvent(new Event(answers))
}

// When the server is asked again that has not answered.
const pauseAfter = 10_000
let again = 0

/** The solver of the page. A server that cannot be reached is replaced by the worker, for what that can answer. */
export const send: Solver = async (path, init) => {
  const id = game.exec(path)?.[1]
  const here = worker && path.startsWith('/v1/klaverjas/') && (!id || !!read('here')?.includes(id) || site)
  if (site) return here ? inWorker(path, init) : Promise.reject(new Error(path))
  if (!here) return server(path, init)
  if (id || Date.now() < again) return inWorker(path, init)
  try {
    const response = await server(path, init)
    tell(false)
    return response
  } catch (error) {
    if (init.signal.aborted) throw error
    again = Date.now() + pauseAfter
    const response = await inWorker(path, init)
    tell(true)
    return response
  }
}
