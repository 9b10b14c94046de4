// What only a hand that is followed has: whose cards are shown, and the dialogs in which it is entered.

import { ShareDialog } from '../shared/dialogs'
import type { KlaverjasActs } from './acts'
import { RulesDialog } from './dialogs'
import { EnterDialog } from './enterdialog'
import type { KlaverjasHand } from './hand'
import { nothing, sameDeal } from './ingame'
import { seats } from './seats'
import { seenOf } from './seen'
import { fragment } from './url'
import { useWords } from './words'

/** Whose cards are shown, where the open mode has shown them all. */
export function Seats({ t: { known, own, seat, changeOwn } }: { t: KlaverjasHand }) {
  const w = useWords()
  if (!known || !sameDeal(known, own)) return null
  const { played, cursor } = own
  return (
    <div class="segments seats" role="group" aria-label={w.t('seatShown')}>
      <span class="lead-in" aria-hidden="true">
        {w.t('seatShown')}
      </span>
      {seats.map((s) => (
        <button
          type="button"
          key={s}
          id={'seat-' + s}
          aria-pressed={s === seat}
          title={w.seat(s)}
          aria-label={w.seat(s)}
          onClick={() => changeOwn({ type: 'set', seen: seenOf({ ...known, played, cursor }, s) })}>
          {w.seat(s).charAt(0)}
        </button>
      ))}
    </div>
  )
}

export function OwnDialogs({ t, acts }: { t: KlaverjasHand; acts: KlaverjasActs }) {
  const { dialog, close, playing, setup, own } = t
  return (
    <>
      {dialog === 'enter' && (
        <EnterDialog
          setup={playing ? nothing.setup : setup}
          played={playing ? [] : own.played}
          heard={playing ? undefined : own.heard}
          own={t.seat}
          close={close}
          use={({ setup, played, seat, heard }) => {
            const entered = { setup, played, cursor: played.length, seat, heard }
            if (playing) history.pushState(null, '', fragment(entered, seat))
            t.setPlaying(false)
            t.setTab('advice')
            t.changeOwn({ type: 'set', seen: entered })
          }}
        />
      )}
      {dialog === 'rules' && (
        <RulesDialog rules={setup.rules} close={close} use={(rules) => acts.contract({ rules })} />
      )}
      {dialog === 'share' && !t.session && <ShareDialog close={close} say={t.say} />}
    </>
  )
}
