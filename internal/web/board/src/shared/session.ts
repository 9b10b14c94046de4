// A game with the players of the server. The server keeps the deal: an answer has the cards that the seat has seen, and
// all cards only when the hand is over. The browser keeps the id of the game and nothing else.

import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { useAgain } from './answers'
import { type Failure, call, waited } from './api'
import { beginAsked, begun, gameHash } from './history'
import * as prefs from './prefs'
import type { Words } from './words'

/** Looking at a hand of a game that is over. */
export interface Looks {
  /** The number of the earlier hand that is looked at; 0 for none. */
  earlier: number
  /** Looks at a hand that is over, by its number; 0 goes back to the present one. */
  look(number: number): void
}

/** The state of a game that a sentence is about: it changes with each act, hand and game. */
export const gameState = (s: { id: string; number: number; acts: number } | null): string =>
  s ? `${s.id} ${s.number} ${s.acts}` : ''

// The entry of the history in which an earlier hand is looked at. So a reload keeps it, and the browser goes back from it.
interface Looked {
  game: string
  hand: number
}

export interface Game<S, Q> extends Looks {
  session: S | null
  /** What is looked at: the session, or how it was at the end of an earlier hand. */
  shown: S | null
  /** Whether an answer is awaited. */
  busy: boolean
  /**
   * The act that is awaited: what the page shows before the server has answered. It is empty if the server refuses the
   * act.
   */
  sent: { card?: string; action?: object }
  failure: Failure | undefined
  /** Seconds until the next try. */
  wait: number | undefined
  /** What has happened to the game elsewhere. */
  news: '' | 'conflict' | 'gone'
  /** A refusal of an act, in the words of the server. */
  refused: string
  start(request: Q): Promise<S | null>
  /** Does an act of the seat, such as a call, a card, or the next hand. */
  act(path: string, more: object): Promise<S | null>
  end(): void
  retry(): void
}

/** Looking at hands that are over. failed is told why one could not be read, and how it is read again. */
function useLooked<S>(
  base: string,
  name: string,
  alive: { current: AbortController },
  failed: (f: Failure, again: () => void) => void,
) {
  const [looked, set] = useState<{ of: string; hand: number; session: S } | null>(null)
  // Follows the entry of the history.
  const follow = async () => {
    const { game, hand } = (history.state as Looked | null) ?? { game: '', hand: 0 }
    if (!hand || game !== prefs.game(name)) return set(null)
    const reply = await call<S>('GET', `${base}/${game}/hands/${hand}`, undefined, alive.current.signal)
    if ((history.state as Looked | null)?.hand !== hand) return
    if (reply.ok) return set({ of: game, hand, session: reply.body })
    set(null)
    if (reply.failure.kind === 'aborted') return
    failed(reply.failure, () => void follow())
  }
  useEffect(() => {
    const on = () => void follow()
    on()
    addEventListener('popstate', on)
    return () => removeEventListener('popstate', on)
  }, [])
  const look = (hand: number) => {
    if ((looked?.hand ?? 0) === hand) return
    history.pushState(hand > 0 ? { game: prefs.game(name), hand } : null, '')
    void follow()
  }
  return { looked, look }
}

// With a secret API key a game is one, also if the request for it is sent again because its answer was lost.
const idempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

type State<S> = Pick<Game<S, never>, 'session' | 'busy' | 'sent' | 'failure' | 'wait' | 'news' | 'refused'>

const nothing = {
  session: null,
  busy: false,
  sent: {},
  failure: undefined,
  wait: undefined,
  news: '',
  refused: '',
} as const

type Sent = [path: string, act: { acts: number }]

// The act that has no answer. A worker ends with the page that is left, and a request may not have reached the server: the page that reads the game
// next does the act, unless it was done. left is where the browser keeps it.
function useSent(left: string, alive: AbortController) {
  const sent = useRef<Sent | null>(null)
  useEffect(() => {
    const leave = () => sent.current && prefs.write(left, JSON.stringify(sent.current))
    addEventListener('visibilitychange', leave, alive) // also when the page is left or closed
    return () => {
      leave()
      alive.abort()
    }
  }, [])
  return sent
}

/**
 * The game of this browser, read again when the page is loaded. base is the path of the sessions, and name the name
 * under which the browser keeps it.
 */
export function useGame<S extends { id: string; acts: number }, Q extends object>(
  wanted: boolean,
  base: string,
  name: string,
): Game<S, Q> {
  const [now, change] = useReducer((was: State<S>, to: Partial<State<S>>): State<S> => ({ ...was, ...to }), nothing)
  const { session, failure, wait } = now
  const underWay = useRef(false)
  const last = useRef<(() => void) | null>(null)
  const alive = useRef(new AbortController())
  const left = 'sent-' + name
  const sent = useSent(left, alive.current)

  const gone = () => {
    prefs.setGame('', name)
    change({ session: null, news: 'gone' })
  }
  // Sends a request until it is answered. A server that is busy is asked again after the time that it names; nothing
  // has changed then.
  const send = async (
    method: string,
    path: string,
    body?: object,
    more?: Record<string, string>,
  ): Promise<S | null> => {
    if (underWay.current) return null
    underWay.current = true
    change({ busy: true, sent: body ?? {}, failure: undefined, news: '', refused: '' })
    last.current = () => void send(method, path, body, more)
    const { signal } = alive.current
    sent.current = body && 'acts' in body ? [path, body as { acts: number }] : null
    let answer: S | null = null
    let heard = false
    while (!signal.aborted) {
      const reply = await call<S>(method, path, body, signal, more)
      if (reply.ok) {
        answer = reply.body
        heard = true
        prefs.setGame(answer.id, name)
        change({ session: answer })
        break
      }
      const f = reply.failure
      if (await waited(f, signal, (wait) => change({ failure: f, wait }))) {
        change({ failure: undefined, wait: undefined })
        continue
      }
      const status = f.kind === 'problem' ? f.status : 0
      if (f.kind === 'problem' && f.problem.code === 'nothing_to_take_back') change({ refused: f.problem.detail })
      else if (status === 409) {
        change({ news: 'conflict' })
        const now = await call<S>('GET', `${base}/${prefs.game(name)}`, undefined, signal)
        if (now.ok) change({ session: now.body })
        else if (now.failure.kind === 'problem' && now.failure.status === 404) gone()
        else change({ failure: now.failure })
      } else if (status === 404) gone()
      else if (f.kind === 'problem' && status === 422)
        change({ refused: f.problem.errors?.map((e) => e.detail).join(' ') ?? f.problem.detail })
      else if (f.kind !== 'aborted') change({ failure: f })
      heard = f.kind === 'problem'
      break
    }
    if (heard && sent.current) {
      sent.current = null
      prefs.write(left, '')
    }
    underWay.current = false
    change({ busy: false, sent: {} })
    return answer
  }
  const read = async () => {
    if (!prefs.game(name)) return
    const path = `${base}/${prefs.game(name)}`
    const now = await send('GET', path)
    const [to, act] = (JSON.parse(prefs.read(left) || 'null') ?? []) as Sent
    if (to?.startsWith(path) && act.acts === now?.acts) await send('POST', to, act)
  }
  useEffect(() => {
    if (wanted && !session) void read()
  }, [wanted])
  const { looked, look } = useLooked<S>(base, name, alive, (f, again) => {
    last.current = () => {
      change({ failure: undefined })
      again()
    }
    change({ failure: f })
  })
  const earlier = session && looked?.of === session.id ? looked : null
  const retry = () => last.current?.()
  useAgain(wait === undefined && failure, retry)

  return {
    ...now,
    shown: earlier?.session ?? session,
    earlier: earlier?.hand ?? 0,
    look,
    retry,
    start(request) {
      const before = prefs.game(name)
      if (before) void call('DELETE', `${base}/${before}`, undefined, new AbortController().signal)
      return send('POST', base, request, { 'Idempotency-Key': idempotencyKey() })
    },
    act: (path, more) =>
      session && !earlier
        ? send('POST', `${base}/${session.id}/${path}`, { acts: session.acts, ...more })
        : Promise.resolve(null),
    end() {
      const id = prefs.game(name)
      prefs.setGame('', name)
      change({ session: null })
      if (id) void call('DELETE', `${base}/${id}`, undefined, new AbortController().signal)
    },
  }
}

/**
 * Begins a game where the page was opened for that. What the first table would move is not shown before it. A game that the browser keeps goes on, unless it is over or gone. start is
 * null until the page can begin one.
 */
export function useBegin(game: Game<{ state: string }, never>, name: string, start: (() => void) | null): void {
  const awaited = useRef(true)
  awaited.current &&=
    !game.session &&
    !game.failure &&
    !game.news &&
    !game.refused &&
    (beginAsked() || game.busy || prefs.game(name) !== '') &&
    (location.hash || gameHash) === gameHash
  useLayoutEffect(() => void document.documentElement.toggleAttribute('data-awaited', awaited.current))
  useEffect(() => {
    if (!start || !beginAsked() || game.busy || game.failure) return
    const { session } = game
    if (!session && prefs.game(name)) return // it is read
    begun()
    if (!session || session.state === 'over') start()
  })
}

/** Which hand of a match is played, and how long the match is. */
export const handText = (w: Words, s: { number: number; hands: number; target?: number }): string =>
  w.t(s.target ? 'handTo' : 'handOf16', { n: s.number, of: s.hands, to: w.number(s.target ?? 0) })
