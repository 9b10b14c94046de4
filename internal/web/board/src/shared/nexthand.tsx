// What follows a hand that is over.

import { useWords } from './frame'
import type { AnyHand } from './hand'

/** The ways on from a hand that is over: its review, and the next hand or another game. */
export function NextHand({ hand, again }: { hand: AnyHand; again(): void }) {
  const w = useWords()
  return (
    <>
      <button type="button" id="review" onClick={() => hand.setTab('review')}>
        {w.t('review')}
      </button>
      {hand.earlier ? null : hand.session!.state === 'hand_over' ? (
        <button
          type="button"
          class="main"
          id="next-hand"
          aria-disabled={hand.still}
          onClick={() => !hand.still && void hand.act('next')}>
          {w.t('nextHand')}
        </button>
      ) : (
        <button type="button" class="main" id="again" onClick={again}>
          {w.t('playAgain')}
        </button>
      )}
    </>
  )
}
