// What of a game is shown while its cards come to the table one by one, or when the reader has gone back, and what is
// read aloud when they have come.

import { type Card, type Player, parseCard, players } from './cards'
import { type Contract, type Position, type Setup, play, start, turnOf } from './rules'
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
export const bidSteps = (s: Session): number => s.bids.length + (s.bids.length > 0 && s.state !== 'bidding' ? 1 : 0)

/**
 * What is read aloud after an answer: the cards since another session, what the others have said, and what is to be
 * done.
 */
export function news(w: TarokWords, s: Session, other: Session | null): string {
  const parts: string[] = []
  const old = other?.id === s.id && other.number === s.number ? other : null
  for (const b of s.bids.slice(old?.bids.length ?? 0))
    if (b.seat !== s.seat) parts.push(`${w.player(b.seat)}: ${bidText(w, b.bid)}.`)
  if (s.contract && !old?.contract)
    parts.push(
      w.b('saidPlays', {
        contract: w.contract(s.contract),
        player: s.declarer ? w.player(s.declarer) : w.b('everyone'),
      }),
    )
  const played = cards(s.view.played ?? [])
  // Of a game that the page has found, the trick under way and what is left of the one before.
  const from = old ? (old.view.played?.length ?? 0) : 3 * (s.last_trick?.number ?? 0)
  let p = positionAt(setupOf(s), played.slice(0, from))
  for (const c of played.slice(from)) {
    parts.push(w.t('said', { seat: w.player(turnOf(p)), card: w.card(c) }))
    p = play(p, c)
    const done = p.trick.length === 0 && p.tricks.at(-1)
    if (done)
      parts.push(w.t('won', { seat: w.player(done.winner), n: p.tricks.length, points: '' }).replace(/: $/, '.'))
  }
  if (s.state === 'hand_over' || s.state === 'over')
    parts.push(
      w.b('saidEnd') +
        ' ' +
        w.b('saidTotals', {
          you: w.signed(s.totals.you),
          left: w.signed(s.totals.left),
          right: w.signed(s.totals.right),
        }),
    )
  else parts.push(w.b(`do_${s.state}`) + '.')
  return parts.join(' ')
}
