// What is read aloud after cards were played.

import type { Card } from '../shared/cards'
import { type Position, play, turnOf } from './rules'
import type { BeloteWords } from './words'

export const turnText = (w: BeloteWords, p: Position): string =>
  p.finished ? '' : w.t('turnSay', { seat: w.player(turnOf(p)) })
export const scoreText = (w: BeloteWords, p: Position): string => w.b('saidScore', { a: p.points.A, b: p.points.B })

/** The card that leads to the trick, or who is to lead. */
export const trickText = (w: BeloteWords, p: Position): string =>
  p.led === null
    ? w.t('saidEmpty', { turn: turnText(w, p) })
    : w.t('said', { seat: w.player(p.leader), card: w.card(p.led) })

/** The cards, each trick that ended, and who is to play: one text, however many cards there were. */
export function playsText(w: BeloteWords, before: Position, cards: readonly Card[]): string {
  const parts: string[] = []
  let p = before
  for (const c of cards) {
    const after = play(p, c)
    parts.push(w.t('said', { seat: w.player(turnOf(p)), card: w.card(c) }))
    const trick = after.tricks[p.tricks.length]
    if (trick) parts.push(w.t('saidTrick', { seat: w.player(trick.winner), n: trick.points }))
    p = after
  }
  parts.push(p.finished ? w.b('saidEnd') + ' ' + scoreText(w, p) : turnText(w, p))
  return parts.join(' ')
}
