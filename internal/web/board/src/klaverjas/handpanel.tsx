// The panel beside a hand with hidden cards: the score, the calls, and the tabs.

import { Tabs } from '../shared/controls'
import type { KlaverjasActs } from './acts'
import { AdvicePanel, BidPanel, Strength } from './advice'
import { CallTable } from './game'
import type { KlaverjasHand } from './hand'
import { HoldersTab } from './holders'
import { tabs } from './ingame'
import { requestFrom } from './request'
import { Score } from './panel'
import { lastPlayers } from './playdialog'
import { SeatReviewPanel } from './seatreview'
import { teamOf } from './seats'
import { Sheet } from './sheet'
import type { Shared } from './url'
import { useWords } from './words'

interface Props {
  t: KlaverjasHand
  acts: KlaverjasActs
  /** Tries a position again in the open mode. */
  again(shared: Shared): void
}

function Holders({ t, acts }: Props) {
  const { card, setCard } = t
  return (
    <HoldersTab
      bidding={t.bidding}
      seat={t.seat}
      answer={t.knowledge}
      level={t.level}
      setLevel={t.setLevel}
      chosen={card}
      asked={t.asked}
      play={acts.play}
      choose={(c) => {
        setCard(c === card ? null : c)
        t.setModelAt(99)
      }}
    />
  )
}

function Advised({ t, acts }: Props) {
  const w = useWords()
  const { setup, position, auction, s } = t
  return (
    <>
      {t.advising && (
        <AdvicePanel
          answer={t.advice}
          declares={setup.declarer === teamOf(t.seat)}
          method={t.method}
          setMethod={t.setMethod}
          playCard={acts.play}
        />
      )}
      {!t.advising && !t.bidding && (
        <p class="hint">{position.finished ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.seat(t.turn!) })}</p>
      )}
      {t.early && auction && <BidPanel answer={t.bid} passed={!s && auction.calls.length > 0} rules={setup.rules} />}
      {t.early && <Strength answer={t.strength} />}
    </>
  )
}

function Review({ t, acts, again }: Props) {
  const { cursor } = t.seen
  const whole = t.whole!
  return (
    <SeatReviewPanel
      answer={t.review}
      seat={t.seat}
      shared={whole}
      cursor={cursor}
      go={acts.go}
      jump={acts.jump}
      playFrom={() => t.begin(requestFrom(whole, cursor, lastPlayers()))}
      again={() => again({ setup: whole.setup, played: whole.played, cursor })}
    />
  )
}

const shows = {
  holders: Holders,
  advice: Advised,
  review: Review,
  sheet: ({ t: { game } }: Props) => <Sheet session={game.session!} game={game} />,
}

export function HandPanel(p: Props) {
  const w = useWords()
  const { t } = p
  const { s, bidding, shownTab } = t
  const Shown = shows[shownTab]
  return (
    <>
      {!bidding && <Score position={t.position} />}
      {!bidding && s && s.calls.length > 0 && (
        <details id="calls-made">
          <summary>{w.t('bidding')}</summary>
          <CallTable session={s} />
        </details>
      )}
      <Tabs text={w.t} list={tabs.filter(t.mayTab)} label={w.t('seenBy')} tab={shownTab} set={t.setTab}>
        <Shown {...p} />
      </Tabs>
    </>
  )
}
