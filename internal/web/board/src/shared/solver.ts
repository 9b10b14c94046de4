// Who answers the requests of a page: the server, or a worker of the browser, in which Klaverjas is calculated without one.

import { base, site, url, worker } from './base'
import { load } from './files'

/** Answers a request as fetch does, also with a stream of events. It throws if there is no answer. */
export type Solver = (path: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>

/** What to say where nothing has answered. */
export const unanswered = site ? 'needsServer' : 'offline'

/** The event that tells that another one answers now. */
export const answers = 'roem-answers'
/** Whether the worker answers in place of the server. */
export let replaced = false

function tell(now: boolean): void {
  if (now === replaced) return
  replaced = now
  dispatchEvent(new Event(answers))
}

let loading: Promise<Solver> | undefined
function loaded(): Promise<Solver> {
  loading ??= load<typeof import('./local')>('./local.js').then((l) => l.solver(`${base}/${worker}`, tell))
  loading.catch(() => (loading = undefined))
  return loading
}
if (worker) void loaded()

/** The solver of the page. A server that cannot be reached is replaced by the worker, for what that can answer. */
export const send: Solver = async (path, init) => {
  if (worker && /^\/v1\/(klaverjas|records)\//.test(path)) return (await loaded())(path, init)
  if (site) throw new Error(path)
  return fetch(url(path), init)
}
