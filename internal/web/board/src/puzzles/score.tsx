// What the reader has found so far, and the rating.

import type { Kept } from './kept'
import { useWords } from './words'

export function Score({ kept, change, forget }: { kept: Kept; change: number; forget(): void }) {
  const w = useWords()
  const by = Math.round(kept.rating) - Math.round(kept.rating - change)
  return (
    <div class="kept" id="kept">
      <p id="rating">
        {w.p('rating')}: <b>{Math.round(kept.rating)}</b> ± {Math.round(2 * kept.deviation)}
        {by !== 0 && (
          <span class={by > 0 ? 'up' : 'down'} id="rating-change">
            {' '}
            ({w.signed(by)})
          </span>
        )}
      </p>
      <p>
        {w.p('solvedOf', { n: kept.right.length, of: kept.right.length + kept.wrong.length, second: kept.second })},{' '}
        {w.p('streak', { n: kept.streak, best: kept.best })}
      </p>
      <details>
        <summary>{w.p('ratingWhat')}</summary>
        <p>{w.p('ratingHint')}</p>
        <button type="button" id="rating-forget" onClick={forget}>
          {w.p('ratingForget')}
        </button>
      </details>
    </div>
  )
}
