// Why a decision was a mistake, in sentences: what is true of most deals, and what happens in one of them.

import type * as Schemas from '../contract'
import { useWords } from './frame'

/** A reason of a review. The codes that only one game has have a sentence of that game. */
export interface Reason<Code extends string> {
  code: Code
  trick: number
  by: string
  in_best: boolean
  lost?: string
  points: number
  less?: number
  worlds: number
  applies: number
  decides: number
  played: readonly string[]
  best: readonly string[]
}

/** The codes that all games share. */
export type Shared = Exclude<Schemas.BeloteReasonCode, 'below'> | 'partner_trump'

// The reasons that show in this trick already say which card is given away.
const here: readonly string[] = ['not_good', 'points', 'partner_trump']

/** What the sentences name: cards by their names, the trumps, the two sides, and who takes the trick of the example. */
export interface Named {
  card(name: string): string
  trump: string
  own: string
  others: string
  seat: string
}

/** own has the sentence of a code that is the game's own. */
export function Because<C extends string>({
  of: r,
  names: n,
  own,
}: {
  of: Reason<C | Shared>
  names: Named
  own(code: C, better: string): string
}) {
  const w = useWords()
  const vars = {
    card: n.card(r.played[0]!),
    better: n.card(r.best[0]!),
    by: n.card(r.by),
    lost: r.lost === undefined ? '' : n.card(r.lost),
    trump: n.trump,
    own: n.own,
    others: n.others,
    seat: n.seat,
    trick: r.trick,
    points: r.points,
    less: r.less ?? 0,
    n: r.applies,
    of: r.worlds,
  }
  const shared = `due_${r.code as Shared}` as const
  const said = w.t(shared, vars)
  const text = said === shared ? own(r.code as C, vars.better) : said
  const gets = r.lost !== undefined && r.lost !== r.by && !here.includes(r.code)
  return (
    <section class="mistake" id="mistake" aria-labelledby="why-title">
      <h3 id="why-title">{w.t('whyTitle')}</h3>
      <p id="why" data-code={r.code}>
        {w.t(r.applies === r.worlds ? 'dueAll' : 'dueIn', { ...vars, text })}
        {r.decides > 0 && ' ' + w.t('dueDecides', { n: r.decides })}
      </p>
      <p id="why-example" class="hint">
        {w.t(r.in_best ? 'dueAfter' : gets ? 'dueGets' : 'dueTakes', vars)}
      </p>
    </section>
  )
}
