// What of a game is shown while its cards come to the table one by one, or when the reader has gone back.

import { type Card, type Player, parseCard, players } from './cards'
import { type Contract, type Position, type Setup, play, start } from './rules'
import type { Session } from './session'
import type { TarokWords } from './words'

export const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)
export const bidText = (w: TarokWords, b: string): string => (b === 'pass' ? w.t('passes') : w.contract(b as Contract))

/** The hand as far as the player has seen it: the player's cards, and all cards when it is over. */
export function setupOf(s: Session): Setup {
  const { contract = 'klop', declarer = 'A', talon, group, discards } = s.revealed ?? s
  const hands = Object.fromEntries(
    players.map((p): [Player, Card[]] => [
      p,
      cards(s.revealed ? s.revealed.hands[p] : p === s.seat ? s.view.hand : []),
    ]),
  ) as Record<Player, Card[]>
  return {
    contract,
    declarer,
    hands,
    talon: cards(talon),
    group: group ?? null,
    discards: cards(discards ?? []),
    rules: s.view.rules,
  }
}

/** The position after some cards. The discards may be unseen. */
export const positionAt = (setup: Setup, played: readonly Card[]): Position =>
  played.reduce(play, { ...start(setup), phase: 'play' })

/** The steps in which the bids of a hand are shown: each bid, and the end of the bidding. */
export const bidSteps = (s: Session): number => s.calls.length + (s.calls.length > 0 && s.state !== 'bidding' ? 1 : 0)
