// The board of a job: its deal, and the cards that its result names.

import type * as Schemas from '../contract'
import { type Job, call } from '../shared/api'
import { url } from '../shared/base'
import { parseCard } from '../shared/cards'
import type { Analysis, NumberedDeal, Solution } from './api'
import { type Rules, holdersOf } from './rules'
import { type Seat, teamOf } from './seats'
import { fragment } from './url'

/** The board of a job that another page or program started, as a fragment. */
export async function boardOf(job: Job): Promise<string | undefined> {
  if (job.status !== 'succeeded') return undefined
  const result = job.result as Partial<Solution & Analysis>
  const deal = result.deal
  if (!deal) return undefined
  const found = await call<NumberedDeal>(
    'GET',
    `/v1/klaverjas/deals/${deal.index}?trump=${deal.trump}&leader=${deal.leader}`,
    undefined,
    new AbortController().signal,
  )
  if (!found.ok) return undefined
  const played = (result.cards ?? []).map((c) => parseCard(c.card)!)
  return fragment({
    setup: {
      rules: result.rules as Rules,
      trump: deal.trump,
      leader: deal.leader,
      declarer: deal.declarer ?? teamOf(deal.leader),
      holders: holdersOf(found.body.position.hands),
    },
    played,
    cursor: played.length,
  })
}

/** The address of the board with a hand that was played, after a number of cards. With a seat it shows the review of its cards. */
export function addressOf(hand: Schemas.KlaverjasPlayedHand, cursor: number, seat?: Seat): string {
  const { rules, trump, leader, declarer, hands, played } = hand
  const setup = { rules: rules as Rules, trump, leader, declarer, holders: holdersOf(hands) }
  return url('/board' + fragment({ setup, played: played.map((c) => parseCard(c)!), cursor }, seat, seat !== undefined))
}
