// A game against the computer. The server does not keep games of Belote yet, so that the deal is in the memory of this
// page, and nowhere else: no card that nobody has seen leaves this file. What the computer does is what the server
// advises on what has been seen.

import { type Answer, ask } from '../shared/answers'
import { pause } from '../shared/api'
import { type Card, type Suit, parseCard } from '../shared/cards'
import type { components } from '../contract'
import { type Drawn, draw, suitsFor } from './dialogs'
import { type Player, type Setup, defaultThreshold, opponent, replay, turnOf } from './rules'
import { asSeen, viewBody } from './seen'

type Schemas = components['schemas']
export type Call = Suit | 'pass'

/** What the game is about. */
export interface Terms {
  suits: number
  /** How trump is decided: while the cards are dealt, by drawing a suit, or not at all. */
  trump: 'bidding' | 'drawn' | 'none'
  /** A leads, B has dealt. */
  me: Player
  /** In how many possible deals the computer looks at each of its cards. */
  worlds: number
}

/** What both players have seen, and what goes on. */
export interface View {
  terms: Terms
  suits: readonly Suit[]
  state: 'bidding' | 'playing' | 'finished'
  /** The deal as far as it has been dealt and seen. */
  setup: Setup
  /** Whether somebody declares. */
  contract: boolean
  played: readonly Card[]
  calls: readonly { player: Player; call: Call }[]
  /** The search for the computer's card or call. Absent when it is not the computer's turn. */
  waiting: Answer<unknown> | undefined
}

/** A table at which the page sits. Where the deal is kept is the table's business. */
export interface Table {
  view(): View
  /** Plays a card that is legal. The computer answers, as long as it is its turn. */
  play(c: Card): void
  /** Chooses a trump while the cards are dealt, or passes. */
  call(c: Call): void
  /**
   * Shows what the computer does as soon as it is known, if it is its turn since before a time: the click that plays a
   * card does not hurry the answer.
   */
  hurry(at: number): void
  leave(): void
}

/** Who may choose at each stage of the dealing: when an open set lies on its side. */
export const speakerAt = (stage: number): Player => (stage % 2 === 0 ? 'A' : 'B')

const cardPause = 450
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Deals a game. changed is called when the view has changed. */
export async function sitDown(terms: Terms, changed: () => void): Promise<Table | Exclude<Drawn, { ok: true }>> {
  const first = suitsFor(terms.suits, null)
  const trump = terms.trump === 'drawn' ? first[Math.floor(Math.random() * first.length)]! : null
  const drawn = await draw(suitsFor(terms.suits, trump), trump)
  if (!drawn.ok) return drawn
  return new MemoryTable({ ...drawn.setup, leader: 'A', declarer: 'A' }, terms, changed)
}

class MemoryTable implements Table {
  #deal: Setup
  #terms: Terms
  #suits: Suit[]
  #changed: () => void
  #state: View['state']
  #contract: boolean
  #played: Card[] = []
  #calls: { player: Player; call: Call }[] = []
  #waiting: Answer<unknown> | undefined
  #alive = new AbortController()
  #pause = new AbortController()
  #asked = 0

  constructor(deal: Setup, terms: Terms, changed: () => void) {
    this.#deal = deal
    this.#terms = terms
    this.#suits = deal.trump === null ? suitsFor(terms.suits, null) : suitsFor(terms.suits, deal.trump)
    this.#changed = changed
    this.#state = terms.trump === 'bidding' ? 'bidding' : 'playing'
    this.#contract = terms.trump === 'drawn'
    this.#next()
  }

  view(): View {
    const setup = asSeen(this.#deal, this.#played)
    if (this.#state === 'bidding') {
      // Four sets: the first of A, the first of B, and once more.
      const n = this.#terms.suits
      const sets = this.#calls.length + 1
      setup.stacks = {
        A: setup.stacks.A.slice(0, sets > 2 ? 2 * n : n),
        B: setup.stacks.B.slice(0, sets > 3 ? 2 * n : sets > 1 ? n : 0),
      }
    }
    return {
      terms: this.#terms,
      suits: this.#suits,
      state: this.#state,
      setup,
      contract: this.#contract,
      played: [...this.#played],
      calls: [...this.#calls],
      waiting: this.#waiting,
    }
  }

  play(c: Card): void {
    this.#played.push(c)
    if (replay(this.#deal, this.#played).finished) this.#state = 'finished'
    this.#next()
  }

  call(call: Call): void {
    const player = speakerAt(this.#calls.length)
    this.#calls.push({ player, call })
    if (call !== 'pass') {
      this.#contract = true
      this.#deal = {
        ...this.#deal,
        trump: call,
        declarer: player,
        threshold: defaultThreshold(this.#terms.suits, call),
      }
    }
    if (call !== 'pass' || this.#calls.length === 4) this.#state = 'playing'
    this.#next()
  }

  hurry(at: number): void {
    if (at > this.#asked) this.#pause.abort()
  }

  leave(): void {
    this.#alive.abort()
    this.#pause.abort()
  }

  // Has the computer act, if it is its turn.
  #next(): void {
    const computer = opponent(this.#terms.me)
    this.#waiting = undefined
    if (this.#state === 'bidding' && speakerAt(this.#calls.length) === computer) {
      void this.#ask<Schemas['BeloteBid']>(
        '/v1/belote/bid',
        { ...bidBody(this.view()), worlds: Math.max(4, this.#terms.worlds) },
        (b) => this.call(b.call),
      )
    } else if (this.#state === 'playing' && turnOf(replay(this.#deal, this.#played)) === computer) {
      const body = { ...viewBody(this.#deal, this.#suits, this.#played), worlds: this.#terms.worlds }
      void this.#ask<Schemas['BeloteAdvice']>('/v1/belote/advise', body, (a) => this.play(parseCard(a.card)!))
    }
    this.#changed()
  }

  async #ask<T>(path: string, body: unknown, then: (answer: T) => void): Promise<void> {
    const { signal } = this.#alive
    const again = () => void this.#ask(path, body, then)
    this.#asked = performance.now()
    this.#pause = new AbortController()
    let now: Answer<T> = { key: path, cancel: () => {}, retry: again }
    this.#waiting = now
    await ask<T>(path, body, signal, (change) => {
      const { failure, wait, ...kept } = now
      now = { ...kept, ...change }
      this.#waiting = now
      this.#changed()
    })
    const { value } = now
    if (value === undefined) return
    await pause(still() ? 0 : Math.max(0, cardPause - (performance.now() - this.#asked)), this.#pause.signal)
    if (!signal.aborted) then(value)
  }
}

/** The open cards while they are dealt, as the API takes them. */
export function bidBody(v: View) {
  const { A, B } = viewBody(v.setup, v.suits, []).stacks
  return { suits: v.suits, open: { A: A.map(([top]) => top), B: B.map(([top]) => top) } }
}

/** The game of this page. It ends when the page is left. */
export const game: { table: Table | null } = { table: null }
