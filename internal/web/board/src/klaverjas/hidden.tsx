// The hidden mode: the board as one seat sees it. Either somebody follows a hand of their own, or plays with the
// players of the server.

import { useEffect } from 'preact/hooks'
import { useNarrow } from '../shared/frame'
import { HandButtons, HandPage, Status } from '../shared/handpage'
import { handText } from '../shared/session'
import type { Lang } from '../shared/words'
import { type KlaverjasActs, useKlaverjasActs } from './acts'
import type { SessionRequest } from './api'
import { Contract } from './contract'
import { CardModel, Felt } from './felt'
import { type KlaverjasHand, useKlaverjasHand } from './hand'
import { flowKey } from './ingame'
import type { Shared } from './url'
import { useWords } from './words'

interface Props {
  t: KlaverjasHand
  acts: KlaverjasActs
}

function Line({ t: { s, bidding, setup, seat } }: { t: KlaverjasHand }) {
  const w = useWords()
  if (!s) return null
  return (
    <p class="deal-line" id="deal-line">
      {s.hands > 1 && <span>{handText(w, s)}</span>}
      {bidding ? (
        <span>{w.t(flowKey(s.bidding))}</span>
      ) : (
        <>
          <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
          <span>
            {s.called_by
              ? w.t('seatDeclares', { seat: w.seat(s.called_by) })
              : w.t('teamDeclares', { team: w.team(setup.declarer) })}
          </span>
        </>
      )}
      <span>{w.t('youAre', { seat: w.seat(seat) })}</span>
    </p>
  )
}

// The contract of the hand that is followed.
function OwnContract({ t, acts }: Props) {
  const w = useWords()
  if (t.playing || !t.there) return null
  return (
    <>
      {t.D && <t.D.Seats t={t} />}
      <Contract setup={t.setup} change={acts.contract} />
      <button type="button" id="rules" onClick={() => t.open('rules')}>
        {w.t('rules')}
      </button>
    </>
  )
}

function Begins({ t }: { t: KlaverjasHand }) {
  const w = useWords()
  const enter = (
    <button type="button" id="enter" onClick={() => t.open('enter')}>
      {w.t('enterOwnShort')}
    </button>
  )
  if (t.there) return <HandButtons hand={t} shares={t.whole !== null || !t.s} enter={enter} />
  return null
}

export function Hidden({
  setLang,
  known,
  first,
  toOpen,
}: {
  setLang(l: Lang): void
  known: Shared | null
  /** The game to begin with. */
  first: SessionRequest | null
  /** Goes to the open mode; with again, to try the position again. */
  toOpen(shared?: Shared, again?: boolean): void
}) {
  const w = useWords()
  const t = useKlaverjasHand(w, known)
  const acts = useKlaverjasActs(t, toOpen)
  const narrow = useNarrow()
  useEffect(() => {
    if (first) t.begin(first)
  }, [])
  const { D } = t
  const contract = <OwnContract t={t} acts={acts} />
  return (
    <HandPage
      hand={t}
      page="klaverjas"
      title={w.t('titleHidden')}
      setLang={setLang}
      toOpen={acts.open}
      home={acts.home}
      label={w.t('contract')}
      line={t.s ? <Line t={t} /> : !narrow && contract}
      begins={
        <>
          {narrow && contract}
          {narrow && <span class="grow" />}
          <Begins t={t} />
        </>
      }
      table={
        <>
          <Felt t={t} acts={acts} />
          <Status hand={t} />
        </>
      }
      below={<CardModel t={t} />}
      panel={t.there && (D ? <D.HandPanel t={t} acts={acts} again={(shared) => toOpen(shared, true)} /> : ' ')}>
      {D && <D.OwnDialogs t={t} acts={acts} />}
    </HandPage>
  )
}
