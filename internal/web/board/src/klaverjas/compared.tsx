// A hand beside what a master made of it, and the rating over all hands of this browser.

import { useLayoutEffect, useState } from 'preact/hooks'
import type { Session } from './api'
import { handName, helped } from './helped'
import { entries, fewest, forget, keep, ratingOf } from './rating'
import { teamOf } from './seats'
import { useWords } from './words'

export const reference = 'master'

export function Compared({ session }: { session: Session }) {
  const w = useWords()
  const r = session.results[session.results.length - 1]
  const c = r?.compared?.player === reference ? r.compared : undefined
  const [kept, setKept] = useState(entries)
  useLayoutEffect(() => {
    if (!c) return
    keep(handName(session), c.difference)
    setKept(entries())
  }, [session.id, session.number])
  if (!c) return null
  const mine = teamOf(session.seat)
  const best = c.points[mine] - c.points[mine === 'NS' ? 'EW' : 'NS']
  const rating = ratingOf(kept.map(([, d]) => d))
  const one = (n: number) => w.signed(Math.round(n * 10) / 10)
  return (
    <div class="rating" id="rating">
      <p>
        {w.t('comparedPoints', { us: w.number(c.points[mine]), them: w.number(c.points[mine === 'NS' ? 'EW' : 'NS']) })}{' '}
        <b id="compared">
          {w.t(c.difference > 0 ? 'comparedMore' : c.difference < 0 ? 'comparedLess' : 'comparedSame', {
            n: w.number(Math.abs(c.difference)),
            own: w.signed(best + c.difference),
            best: w.signed(best),
          })}
        </b>
      </p>
      {helped(handName(session)) && <p id="rating-helped">{w.t('ratingHelped')}</p>}
      {rating ? (
        <p id="rating-now">
          {w.t('ratingNow', { mean: one(rating.mean), low: one(rating.low), high: one(rating.high), n: rating.hands })}{' '}
          <b>{w.t('ratingLevel', { level: w.t(`level_${rating.level}`) })}</b>
          {rating.from !== rating.to &&
            ' ' + w.t('ratingFits', { from: w.t(`level_${rating.from}`), to: w.t(`level_${rating.to}`) })}
        </p>
      ) : (
        <p id="rating-later">{w.t('ratingLater', { n: kept.length, of: fewest })}</p>
      )}
      <details>
        <summary>{w.t('ratingWhat')}</summary>
        <p>{w.t('ratingHint')}</p>
        <button
          type="button"
          id="rating-forget"
          onClick={() => {
            forget()
            setKept([])
          }}>
          {w.t('ratingForget')}
        </button>
      </details>
    </div>
  )
}
