// What the program would do in a game: bid, exchange, announce or play, and why.

import type * as Schemas from '../contract'
import { type Card, next, parseCard } from './cards'
import type { Contract } from './rules'
import type { Session } from './session'
import type { TarokWords } from './words'

export type Advice =
  Schemas.TarokBidAdvice | Schemas.TarokExchangeAdvice | Schemas.TarokAnnounceAdvice | Schemas.TarokAdvice

/** The act of a player, as the server takes it. */
export interface Deed {
  path: string
  more: object
}

const paths: Record<string, string> = { bidding: 'bid', exchange: 'exchange', announce: 'announce', playing: 'advise' }

/** Whether there is advice on what the session waits for. */
export const advisable = (s: Session): boolean => s.state in paths

/** The request for advice: its path, and its body from what the session shows. */
export function adviceRequest(s: Session): { path: string; body: object } {
  const calls = s.calls.map((b) => b.call)
  const said = s.words.length > 0 ? { said: s.words } : {}
  const radli = { [s.seat]: s.radli.you, [next(s.seat)]: s.radli.left, [next(s.seat, 2)]: s.radli.right }
  const more =
    s.state === 'bidding'
      ? { calls }
      : s.state === 'announce'
        ? { said: s.words }
        : s.state === 'playing'
          ? { calls, radli, ...said }
          : {}
  return { path: `/v1/tarok/${paths[s.state]}`, body: { ...s.view, ...more } }
}

/** What the advice says to do. */
export function deedOf(a: Advice): Deed {
  if ('call' in a) return { path: 'call', more: { call: a.call } }
  if ('group' in a) return { path: 'exchange', more: { group: a.group, discards: a.discards } }
  if ('say' in a)
    return {
      path: 'announce',
      more: { bonuses: a.say.bonuses ?? [], double: [...(a.say.kontra ? ['game'] : []), ...(a.say.double ?? [])] },
    }
  return { path: 'play', more: { card: a.card } }
}

export const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)

const bidText = (w: TarokWords, bid: string): string => (bid === 'pass' ? w.t('pass') : w.contract(bid as Contract))

function saidText(w: TarokWords, say: Schemas.TarokWords): string {
  const parts = [
    ...(say.bonuses ?? []).map((b) => w.b('announceIt', { what: w.bonus(b) })),
    ...(say.kontra ? [w.b('doubleIt', { what: w.b('game') })] : []),
    ...(say.double ?? []).map((b) => w.b('doubleIt', { what: w.bonus(b) })),
  ]
  return parts.length > 0 ? parts.join('. ') : w.b('sayNothing')
}

/** What is advised, in words. */
export function deedText(w: TarokWords, a: Advice): string {
  if ('call' in a) return bidText(w, a.call)
  if ('group' in a) return w.b('adviseTake', { n: a.group + 1, cards: w.cards(cards(a.discards)) })
  if ('say' in a) return saidText(w, a.say)
  return w.card(parseCard(a.card)!)
}
