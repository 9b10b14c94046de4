// What is on the table of a hand, the buttons below it, and the panel beside it.

import { AdviceButtons, Controls, Tabs, TakeBackButton } from '../shared/controls'
import { AdvicePanel, actionText } from './advice'
import type { GinActs } from './acts'
import { cardOf } from './cards'
import { HeatMap } from './heat'
import { type GinHand, tabs } from './hand'
import { Result, Score } from './play'
import { askText, resultText } from './say'
import { type Kind, fitting } from './state'
import { Backs, OwnHand, Piles, Shown } from './table'
import { useGin } from './words'

const waits = { draw: 'toDraw', discard: 'toDiscard', knock: 'toKnock', meld: 'toMeld' } as const

interface Props {
  t: GinHand
  acts: GinActs
}

function Felt({ t, acts }: Props) {
  const w = useGin()
  const { session, game, back, laid, had, theirs, table, deadwood } = t
  const wait = session && waits[session.state as keyof typeof waits]
  return (
    <div
      class="felt gin"
      id="felt"
      role="group"
      aria-label={w.t('table')}
      data-state={session?.state}
      data-acts={session?.acts}>
      <section class="hand hand-N other" aria-labelledby="hand-opp">
        <h2 id="hand-opp">
          {w.g('theirHand')}
          <span class="left">
            {laid && !back ? w.g('deadwoodN', { n: laid.deadwood }) : w.t('nCards', { n: had.length || 10 })}
          </span>
        </h2>
        {theirs ? <Shown groups={theirs} marks={t.shares} /> : <Backs n={10} />}
      </section>
      <Piles
        stock={table!.stock}
        top={t.top}
        busy={game.busy}
        draw={acts.may('stock')}
        take={acts.may('take')}
        marks={t.judged}
      />
      <OwnHand
        groups={t.groups}
        discarding={t.discarding}
        legal={((!back && session?.discards) || []).map(cardOf)}
        drawn={table!.drawn}
        marks={t.marks}
        stop={t.stop}
        refused={t.refused}
        discard={acts.discard}
        focus={t.choose}
        title={
          <>
            {w.g('yourHand')}
            {deadwood !== undefined && <span class="left">{w.g('deadwoodN', { n: deadwood })}</span>}
            {wait && !game.busy && !back && <span class="to-play">{w.g(wait)}</span>}
          </>
        }
      />
    </div>
  )
}

/** Whether cards can be laid off on the melds of a knock. */
export function mayLayOff({ session, table }: GinHand): boolean {
  const knocked = session?.state === 'meld' && session.lay_offs === 'best' ? session.knock!.laid : undefined
  return (
    knocked !== undefined &&
    knocked.deadwood > 0 &&
    knocked.melds.some((m) => fitting(m.map(cardOf), table!.own).length > 0)
  )
}

function Buttons({ t, acts }: Props) {
  const w = useGin()
  const { session, game, top, actions, advice, back } = t
  const button = (kind: Kind, text: string, main = false) =>
    actions.includes(kind) && (
      <button
        type="button"
        id={'act-' + kind}
        class={main ? 'main' : ''}
        aria-disabled={game.busy}
        onClick={() => acts.act({ kind })}>
        {text}
      </button>
    )
  return (
    <Controls at={t.pace.at} of={t.total} total={t.total} go={acts.go}>
      {actions.length > 0 && !t.discarding && (
        <span class="acts">
          {button('take', w.g('take', { card: top === undefined ? '' : w.brief(top) }))}
          {button('stock', w.g('fromStock'))}
          {button('pass', w.g('pass'))}
          {button('knock', session!.deadwood === 0 ? w.g('gin') : w.g('knockN', { n: session!.deadwood }), true)}
          {button('continue', w.g('goOn'))}
          {button('melds', w.g('layDown'), true)}
          {mayLayOff(t) && (
            <button type="button" id="act-layoff" aria-disabled={game.busy} onClick={() => t.open('layoff')}>
              {w.g('layOff')}…
            </button>
          )}
        </span>
      )}
      {!t.earlier && <TakeBackButton session={session} off={game.busy || back} act={() => void t.act('takeback')} />}
      <AdviceButtons
        asking={t.deciding}
        best={!back && advice.value}
        text={advice.value ? actionText(w, advice.value.action, advice.value.deadwood, top) : w.g('bestMove')}
        ask={acts.ask}
        follow={acts.best}
      />
    </Controls>
  )
}

/** The table of a hand with what stands below it. */
export function GinTable({ t, acts }: Props) {
  const w = useGin()
  const { session, over, back, known, estimate, D } = t
  const result = over && !back
  return (
    <>
      {known && <Felt t={t} acts={acts} />}
      {session && <Buttons t={t} acts={acts} />}
      <p class={result || !session ? 'status vh' : 'status'} id="status" role="status">
        {t.said || (session ? askText(w, session) : null)}
      </p>
      {t.revealed && t.tab === 'review' && D && <D.Next review={t.review.value} cursor={t.pace.at} />}
      {result && session && (
        <Result
          session={session}
          earlier={t.earlier}
          known={known!}
          estimate={estimate.value}
          busy={t.game.busy}
          next={acts.next}
          again={() => t.open('play')}
          review={() => t.setTab('review')}
        />
      )}
    </>
  )
}

export const GinHeat = ({ t }: { t: GinHand }) =>
  t.known && <HeatMap known={t.known} answer={t.estimate} had={t.had} open={t.lies} />

function Review({ t, acts }: Props) {
  const w = useGin()
  const { D, pace } = t
  if (!t.revealed || !D) return <p class="hint">{w.t('reviewLater')}</p>
  return (
    <D.RoundReview answer={t.review} seat={t.seat} setSeat={t.setSeat} cursor={pace.at} go={acts.go} jump={acts.jump} />
  )
}

function Sheet({ t: { D, session, game } }: { t: GinHand }) {
  const w = useGin()
  return session ? D && <D.Sheet session={game.session!} game={game} /> : <p class="hint">{w.g('noRounds')}</p>
}

function Advised({ t, acts }: Props) {
  const w = useGin()
  const { session } = t
  if (!t.situation || !t.deciding)
    return <p class="hint">{t.over && session ? resultText(w, session) : w.g('adviceLater')}</p>
  return (
    <AdvicePanel
      answer={t.advice}
      adviser={t.adviser}
      setAdviser={t.setAdviser}
      top={t.top}
      act={session && !t.back ? acts.act : undefined}
    />
  )
}

/** The score, and the tabs. */
export function GinPanel({ t, acts }: Props) {
  const w = useGin()
  const Shown = { review: Review, sheet: Sheet, advice: Advised }[t.tab]
  return (
    <>
      <Score session={t.entered ? null : t.game.session} />
      <Tabs text={w.t} list={tabs} label={w.t('score')} tab={t.tab} set={t.setTab}>
        <Shown t={t} acts={acts} />
      </Tabs>
    </>
  )
}
