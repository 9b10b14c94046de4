// The messages between a page and the worker of Roem.
//
// The page sends requests as it would send them to a server: the paths, the bodies and the answers are those of the contract. The worker
// answers each request once, in any order, with `answer`, `failed` or `cancelled`; before that it may send `progress` and `event`. It needs no
// message to begin, and sends none of its own but `ready`, once for each of its two programs.

/** A request to the worker. */
export interface Request {
  /** Names the request in the messages about it. No two requests without an answer have the same. */
  id: number
  method: 'GET' | 'POST' | 'DELETE'
  /** The path of the server, with its query: `/v1/klaverjas/solve`, `/v1/klaverjas/deals/random?seed=1`. */
  path: string
  /** The body, as JSON: a text is sent as it is, and any other value is written as JSON. Absent for a GET. */
  body?: unknown
  /** How many seconds to wait at most. The answer to a search that takes longer is the problem `too_slow`. Absent: as long as it takes. */
  wait?: number
  /** Asks for the messages `progress`. */
  progress?: boolean
  /** Asks for answers that become better, as `Accept: text/event-stream` does: each is a message `event`, and `answer` follows the last. */
  events?: boolean
}

/** Ends a request. Its search stops within some 20 ms, and the worker answers with `cancelled`, or with the answer if it was ready. */
export interface Cancel {
  id: number
  cancel: true
}

/** Asks how much memory the program has. */
export interface Memory {
  id: number
  memory: true
}

/** The bytes of memory that the program has. It never gives some back. */
export interface MemoryOf {
  id: number
  memory: number
}

/** The answer to a request: what the server would have answered. */
export interface Answer {
  id: number
  status: number
  /** In lower case: `content-type`, and for a new session `location`. */
  headers: Record<string, string>
  /** The body as a text: JSON, or SVG. A problem has the content type `application/problem+json`, and the codes of the contract. */
  body: string
}

/** There is no answer: the program or a network cannot be loaded, or the program has ended. The same request may be sent again. */
export interface Failed {
  id: number
  failed: string
}

/** The request was cancelled. */
export interface Cancelled {
  id: number
  cancelled: true
}

/** How far a search has come: as `progress` of a job in the contract. */
export interface Progress {
  id: number
  progress: { done: number; of: number; nodes: number; lower?: number; upper?: number }
}

/** One of the answers that become better: the event `advice`, and after the last one `finished`, as in the contract. */
export interface Event {
  id: number
  event: string
  /** JSON. */
  data: string
}

/** A program has been loaded. A request may be sent before that. */
export interface Ready {
  ready: true
  version: string
}

export type ToWorker = Request | Cancel | Memory
export type FromWorker = Answer | MemoryOf | Failed | Cancelled | Progress | Event | Ready
