// What is read aloud after cards were played.

import type { Card } from '../shared/cards'
import { type Position, play, totalOf, turnOf } from './rules'
import type { Words } from './words'

export const turnText = (w: Words, p: Position): string =>
  p.finished ? '' : w.t('turnSay', { seat: w.seat(turnOf(p)) })
export const scoreText = (w: Words, p: Position, key: 'saidScore' | 'saidEnd' = 'saidScore'): string =>
  w.t(key, { ns: totalOf(p, 'NS'), ew: totalOf(p, 'EW') })

/** The cards, each trick that ended, and who is to play: one text, however many cards there were. */
export function playsText(w: Words, before: Position, cards: readonly Card[]): string {
  const parts: string[] = []
  let p = before
  for (const c of cards) {
    const after = play(p, c)
    parts.push(w.t('said', { seat: w.seat(turnOf(p)), card: w.card(c) }))
    const trick = after.tricks[p.tricks.length]
    if (trick) parts.push(w.t('saidTrick', { seat: w.seat(trick.winner), n: trick.points + trick.melds }))
    p = after
  }
  parts.push(p.finished ? scoreText(w, p, 'saidEnd') : turnText(w, p))
  return parts.join(' ')
}
