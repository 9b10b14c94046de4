// What is called at the table, and what is read aloud after cards were played.

import type { Card } from '../shared/cards'
import { keptText } from '../shared/variation'
import { type Position, lastTrick, meldsIn, outcomeOf, pitOf, play, totalOf, turnOf } from './rules'
import { next } from './seats'
import type { Words } from './words'

export const turnText = (w: Words, p: Position): string =>
  p.finished ? '' : w.t('turnSay', { seat: w.seat(turnOf(p)) })
export const scoreText = (w: Words, p: Position, key: 'saidScore' | 'saidEnd' = 'saidScore'): string =>
  w.t(key, { ns: totalOf(p, 'NS'), ew: totalOf(p, 'EW') })

/** The cards of the trick, or who is to lead. */
export const trickText = (w: Words, p: Position): string =>
  p.trick.cards.length === 0
    ? w.t('saidEmpty', { turn: turnText(w, p) })
    : p.trick.cards.map((c, i) => w.t('said', { seat: w.seat(next(p.trick.leader, i)), card: w.card(c) })).join(' ')

/**
 * What is called when a trick is complete, the last one of a position: its roem, and at the end of the hand the last
 * trick, the pit, and who is nat.
 */
export function callsOf(w: Words, p: Position): string[] {
  const { rules, trump, declarer } = p.setup
  const trick = p.tricks[p.tricks.length - 1]!
  const out: string[] = []
  const call = (what: string, n: number) => {
    const text = w.t('called', { what, n })
    out.push(text.charAt(0).toUpperCase() + text.slice(1))
  }
  const roem = meldsIn(rules, trick.cards, trump)
  if (roem.length > 0)
    call(
      roem.map((m) => w.t(`roem_${m.kind}`)).join(w.t('andJoin')),
      roem.reduce((sum, m) => sum + m.points, 0),
    )
  if (!p.finished) return out
  call(w.t('lastTrick'), lastTrick)
  const pit = pitOf(p)
  if (pit !== null) call(w.t('allTricks'), pit)
  if (outcomeOf(p) < 0) out.push(w.t('areNat', { team: w.team(declarer) }))
  return out
}

/** The cards, each trick that ended with what was called, and who is to play: one text, however many cards there were. */
export function playsText(w: Words, before: Position, cards: readonly Card[]): string {
  const parts: string[] = []
  let p = before
  for (const c of cards) {
    const after = play(p, c)
    parts.push(w.t('said', { seat: w.seat(turnOf(p)), card: w.card(c) }))
    const trick = after.tricks[p.tricks.length]
    if (trick) {
      parts.push(w.t('saidTrick', { seat: w.seat(trick.winner), n: trick.points + trick.melds }))
      parts.push(...callsOf(w, after).map((x) => x + '.'))
    }
    p = after
  }
  parts.push(p.finished ? scoreText(w, p, 'saidEnd') : turnText(w, p))
  return parts.join(' ')
}

/** The contract after a change, and how many of the cards played stay. */
export const contractText = (w: Words, p: Position, before: number, after: number): string =>
  w.t('saidContract', {
    trump: w.suit(p.setup.trump),
    kept: keptText(w, before, after),
    turn: p.finished ? '' : turnText(w, p),
  })
