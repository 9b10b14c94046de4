// What is on the table of a hand that is played on the server, the buttons below it, and the panel beside it.

import { AdviceButtons, CardField, Controls, Tabs, TakeBackButton } from '../shared/controls'
import { Status } from '../shared/handpage'
import { NextHand } from '../shared/nexthand'
import type { BeloteActs } from './acts'
import { AdvicePanel, BidPanel, Dealt, Outcome, Unseen, Written } from './advice'
import type { BeloteHand } from './hand'
import { Score } from './panel'
import { Auction, Calls } from './play'
import { type Player, turnOf, upOf } from './rules'
import { scoreText } from './say'
import { likeIt, tabs } from './session'
import type { Shared } from './state'
import { unseenOf } from './seen'
import { BeloteTable } from './table'
import { useBelote } from './words'

interface Props {
  t: BeloteHand
  acts: BeloteActs
}

// How the hand ended. It stands in the middle of the table, where it can be seen without scrolling. An earlier position shows its trick there.
function Result({ t }: { t: BeloteHand }) {
  const w = useBelote()
  const { score } = t.s!.results.at(-1)!
  return (
    <section class="auction" id="result" aria-labelledby="result-title">
      <h2 id="result-title">{w.t('result')}</h2>
      {t.contract ? (
        <Outcome score={score} setup={t.setup} />
      ) : (
        <p class="verdict made" id="outcome">
          <span>
            {scoreText(w, t.position)} {w.b('noContract')}
          </span>
        </p>
      )}
      <Written score={score} />
      <p class="calls">
        <NextHand hand={t} again={() => t.begin(likeIt(t.s!))} />
      </p>
    </section>
  )
}

// What stands in the middle of the table in place of the trick.
function Middle({ t, acts }: Props) {
  const w = useBelote()
  const { calls } = t.s!
  if (t.bidding) return <Auction session={t.s!} busy={t.still} call={acts.call} />
  if (!t.over || t.cursor > 0 || calls.length === 0) return <Result t={t} />
  return (
    <section class="auction over" aria-labelledby="bidding-title">
      <h2 id="bidding-title">{w.t('bidding')}</h2>
      <Calls calls={t.pace.at < 0 ? calls.slice(0, t.pace.at) : calls} />
    </section>
  )
}

export function Felt({ t, acts }: Props) {
  const w = useBelote()
  const { position, me, chosen, cursor, total, s, over } = t
  const ended = t.whole && over && cursor === total && s!.results.length > 0
  const called = over && cursor === 0 && s!.calls.length > 0
  return (
    <>
      <BeloteTable
        position={position}
        bottom={me}
        roles={{ [me]: w.b('you'), [t.computer]: w.b('computer') } as Record<Player, string>}
        live={(p) => p === me && t.live}
        marks={t.marks}
        late={t.tab === 'advice' && t.myTurn && !t.advice.value}
        chosen={chosen}
        refused={t.refused}
        gathers={cursor === total || t.pace.coming}
        hurry={acts.hurry}
        playCard={acts.play}
        focusCard={(c) => {
          const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
          if (chosen[p] !== c) t.choose({ ...chosen, [p]: c })
        }}>
        {t.bidding || called || ended ? <Middle t={t} acts={acts} /> : undefined}
      </BeloteTable>
      <Controls at={t.pace.at} of={total} total={8 * t.suits.length} first={t.first} go={acts.go}>
        <AdviceButtons asking={t.mayAsk} best={t.advice.value && t.live} ask={() => acts.ask(0)} follow={acts.best} />
        {!t.earlier && <TakeBackButton session={t.session} off={t.still} act={acts.takeBack} />}
        <CardField label={w.t('field')} field={acts.field} say={t.say} play={acts.play} />
      </Controls>
      <Status hand={t} />
    </>
  )
}

function Advised({ t, acts }: Props) {
  const w = useBelote()
  const { bidding, myTurn, position } = t
  if (bidding) return myTurn ? <BidPanel answer={t.bid} /> : <p class="hint">{w.b('thinking')}</p>
  if (position.finished) return <p class="hint">{w.t('soFar')}</p>
  if (turnOf(position) === t.me) return <AdvicePanel answer={t.advice} playCard={acts.play} />
  return <p class="hint">{w.t('adviceWait', { seat: w.player(turnOf(position)) })}</p>
}

function Review({ t, acts, toOpen }: Props & { toOpen(shared: Shared): void }) {
  const w = useBelote()
  const { D, whole } = t
  if (!whole || t.pace.coming) return <p class="hint">{w.t('reviewLater')}</p>
  return (
    D && (
      <>
        <D.SeatReview
          answer={t.review}
          seat={t.seat}
          setSeat={t.setSeat}
          you={t.me}
          cursor={t.cursor}
          go={acts.go}
          jump={acts.jump}
        />
        <p class="row end">
          <button type="button" id="open-board" onClick={() => toOpen(whole)}>
            {w.b('openBoard')}
          </button>
        </p>
      </>
    )
  )
}

export function HandPanel({ t, acts, toOpen }: Props & { toOpen(shared: Shared): void }) {
  const w = useBelote()
  const { s, D, game, over, earlier, tab, suits } = t
  // While the last cards come, what follows from them is not shown.
  const results = (game.session?.results ?? []).filter((r) => earlier || over || r.number < s!.number)
  return (
    <>
      <Score position={t.position} contract={t.contract} />
      {D && s && s.hands > 1 && results.length > 0 && (
        <D.Sheet results={results} game={game} present={game.session!.number} held={game.session!.held_points} />
      )}
      <Tabs text={w.t} list={tabs} label={w.t('seenBy')} tab={tab} set={t.setTab}>
        {s && tab === 'modeHidden' && (
          <>
            <Unseen cards={unseenOf(t.setup, suits)} suits={suits} />
            {over && t.whole && <Dealt stacks={t.whole.setup.stacks} />}
          </>
        )}
        {s && tab === 'review' && <Review t={t} acts={acts} toOpen={toOpen} />}
        {s && tab === 'advice' && <Advised t={t} acts={acts} />}
      </Tabs>
    </>
  )
}
