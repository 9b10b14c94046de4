// What is read aloud after cards were played, and the rules in words.

import { type Card, next, points } from './cards'
import {
  type Position,
  type Rules,
  declarerThirds,
  defaultRules,
  opponentsThirds,
  play,
  switches,
  turnOf,
} from './rules'
import type { TarokWords } from './words'

export const turnText = (w: TarokWords, p: Position): string =>
  p.phase === 'finished' ? '' : w.t('turnSay', { seat: w.player(turnOf(p)) })

export const scoreText = (w: TarokWords, p: Position): string =>
  p.setup.contract === 'klop'
    ? w.b('saidKlop', { a: points(p.won.A), b: points(p.won.B), c: points(p.won.C) })
    : w.b('saidScore', { declarer: points(declarerThirds(p)), opponents: points(opponentsThirds(p)) })

/** The cards of the trick, or who is to lead. */
export const trickText = (w: TarokWords, p: Position): string =>
  p.trick.length === 0
    ? w.t('saidEmpty', { turn: turnText(w, p) })
    : p.trick.map((c, i) => w.t('said', { seat: w.player(next(p.leader, i)), card: w.card(c) })).join(' ')

/** The cards, each trick that ended, and who is to play: one text, however many cards there were. */
export function playsText(w: TarokWords, before: Position, cards: readonly Card[]): string {
  const parts: string[] = []
  let p = before
  for (const c of cards) {
    const after = play(p, c)
    parts.push(w.t('said', { seat: w.player(turnOf(p)), card: w.card(c) }))
    const trick = after.tricks[p.tricks.length]
    if (trick) parts.push(w.t('saidTrick', { seat: w.player(trick.winner), n: points(trick.thirds) }))
    p = after
  }
  parts.push(p.phase === 'finished' ? w.b('saidEnd') + ' ' + scoreText(w, p) : turnText(w, p))
  return parts.join(' ')
}

/** The options that are not the default ones, in words; empty if there are none. */
export function rulesText(w: TarokWords, r: Rules): string {
  return [
    ...(r.lead === defaultRules.lead ? [] : [`${w.b('ruleLead')}: ${w.b(`lead_${r.lead}`)}`]),
    ...(r.difference === defaultRules.difference ? [] : [`${w.b('ruleDifference')}: ${w.b(`diff_${r.difference}`)}`]),
    ...(r.mond === defaultRules.mond ? [] : [`${w.b('ruleMond')}: ${w.number(r.mond)}`]),
    ...switches.filter((k) => r[k] !== defaultRules[k]).map((k) => `${w.b(`rule_${k}`)}: ${w.b(r[k] ? 'yes' : 'no')}`),
  ].join(', ')
}
