// What is read aloud when what has happened has been shown.

import { play, turnOf } from './rules'
import type { Session } from './session'
import { bidText, cards, positionAt, setupOf } from './shown'
import type { TarokWords } from './words'

/**
 * What is read aloud after an answer: the cards since another session, what the others have said, and what is to be
 * done.
 */
export function news(w: TarokWords, s: Session, other: Session | null): string {
  const parts: string[] = []
  const old = other?.id === s.id && other.number === s.number ? other : null
  for (const b of s.calls.slice(old?.calls.length ?? 0))
    if (b.seat !== s.seat) parts.push(`${w.player(b.seat)}: ${bidText(w, b.call)}.`)
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
