// The hands of a game that are over: opening one, and the way back.

import type { ComponentChildren } from 'preact'
import { useWords } from './frame'
import type { Looks } from './session'

/** Opens a hand that is over, by its number, in the sheet. present is the number of the hand that is played. */
export function OpenHand({
  game,
  number,
  present,
  children,
}: {
  game: Looks
  number: number
  present: number
  children: ComponentChildren
}) {
  const w = useWords()
  const here = number === (game.earlier || present)
  return (
    <button
      type="button"
      data-hand={number}
      class={'open-hand' + (here ? ' here' : '')}
      aria-current={here ? 'true' : undefined}
      title={w.t('handOpen', { n: number })}
      onClick={() => game.look(number === present ? 0 : number)}>
      {children}
    </button>
  )
}

/** The way back to the hand that is played. */
export const BackToGame = ({ game }: { game: Looks }) => (
  <button type="button" class="main" id="hand-now" onClick={() => game.look(0)}>
    {useWords().t('handNow')}
  </button>
)
