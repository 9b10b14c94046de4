// The panel beside a hand that is played on the server: the sheet, the bids, the result, and the tabs.

import { Tabs } from '../shared/controls'
import { NextHand } from '../shared/nexthand'
import type { TarokActs } from './acts'
import { AdvicePanel } from './advicepanel'
import { Bids } from './choices'
import type { TarokHand } from './hand'
import { Dealt, SeatReview } from './review'
import { ScoreParts } from './scoring'
import { tabs } from './session'
import { Sheet } from './sheet'
import { exchangeAt } from './steps'
import { useTarok } from './words'

interface Props {
  t: TarokHand
  acts: TarokActs
}

function Review({ t, acts }: Props) {
  const w = useTarok()
  if (!t.over) return <p class="hint">{w.t('reviewLater')}</p>
  return (
    <>
      <SeatReview
        answer={t.review}
        setup={t.setup!}
        seat={t.seat}
        setSeat={t.setSeat}
        you={t.me}
        cursor={t.pace.at}
        exchangeAt={exchangeAt(t.s!)}
        go={acts.go}
        jump={acts.jump}
      />
      <Dealt setup={t.setup!} />
    </>
  )
}

function Advised({ t, acts }: Props) {
  const w = useTarok()
  return (
    <>
      {t.mayAsk ? (
        <p class="row">
          <button type="button" id="ask" title={w.b('askHint')} aria-disabled={t.asking} onClick={acts.ask}>
            {w.t('advice')}
          </button>
        </p>
      ) : (
        <p class="hint">{w.b('adviceLater')}</p>
      )}
      {t.asking && <AdvicePanel answer={t.advice} session={t.s!} busy={t.game.busy} follow={acts.follow} />}
    </>
  )
}

export function HandPanel({ t, acts }: Props) {
  const w = useTarok()
  const { game, contract, tab } = t
  const s = t.s!
  const last = s.results.at(-1)
  return (
    <>
      <Sheet shown={s} session={game.session!} game={game} />
      {contract && s.calls.length > 0 && (
        <details id="bids">
          <summary>{w.b('bids')}</summary>
          <Bids bids={s.calls} />
        </details>
      )}
      {t.over && last && (
        <>
          <h3 id="result">{w.b('resultOf', { n: last.number })}</h3>
          <ScoreParts score={last.score} />
          <p class="row end">
            <NextHand hand={t} again={() => t.open('play')} />
          </p>
        </>
      )}
      <Tabs text={w.t} list={tabs} label={w.t('score')} tab={tab} set={t.setTab}>
        {tab === 'review' ? <Review t={t} acts={acts} /> : <Advised t={t} acts={acts} />}
      </Tabs>
    </>
  )
}
