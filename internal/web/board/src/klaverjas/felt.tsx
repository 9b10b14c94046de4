// What is on the table of a hand with hidden cards, and what stands below it.

import { wire } from '../shared/cards'
import { AdviceButtons, CardField, Controls, TakeBackButton } from '../shared/controls'
import { Lobby } from '../shared/handpage'
import type { KlaverjasActs } from './acts'
import type { KlaverjasHand } from './hand'
import { SeenTable } from './seentable'
import { useWords } from './words'

interface Props {
  t: KlaverjasHand
  acts: KlaverjasActs
}

// The calls, in the middle of the table.
function Calls({ t }: Props) {
  const w = useWords()
  const { D, heardAt } = t
  if (!D) return null
  if (t.bidding)
    return (
      <D.Auction
        session={t.s!}
        busy={t.game.busy}
        coming={t.pace.coming}
        call={(call) => void t.act('call', { call })}
      />
    )
  return (
    <section class="auction over" aria-label={w.t('bidding')}>
      <D.CallTable session={heardAt!} asked={D.askedAt(t.s!, t.step)} />
    </section>
  )
}

function Buttons({ t, acts }: Props) {
  const w = useWords()
  const { D, bidding, over, asked, game } = t
  return (
    <Controls at={t.step} of={t.seen.played.length} first={t.first} go={acts.go}>
      {!over && (
        <AdviceButtons
          asking={bidding || acts.mayPlay}
          best={t.advice.value && acts.mayPlay}
          ask={() => acts.ask(0)}
          follow={acts.best}
        />
      )}
      {!t.earlier && <TakeBackButton session={t.session} off={t.still} act={() => void t.act('takeback')} />}
      {D && acts.mayClaim && <D.ClaimButton busy={game.busy} claim={acts.claim} />}
      {!bidding && !over && (
        <CardField
          label={asked ? w.t('fieldOf', { seat: w.seat(asked) }) : w.t('field')}
          field={acts.field}
          say={t.say}
          play={(c) => {
            acts.play(c)
            return true
          }}
        />
      )}
    </Controls>
  )
}

export function Felt({ t, acts }: Props) {
  const w = useWords()
  const { D, s, game, pace, heardAt, seen } = t
  const ended = t.over && !pace.coming
  if (!t.there && game.busy)
    return (
      <div class="felt lobby" id="felt">
        <p class="late">{w.t('dealing')}</p>
      </div>
    )
  if (!t.there)
    return (
      <Lobby
        hand={t}
        title={w.t('lobby')}
        hint={w.t('lobbyHint')}
        more={
          <button type="button" onClick={() => t.open('enter')}>
            {w.t('enterOwnShort')}
          </button>
        }
      />
    )
  return (
    <>
      <SeenTable
        position={t.position}
        seat={t.seat}
        live={t.live && !game.busy}
        gathers={s !== null && (t.atEnd || pace.coming)}
        marks={t.marks}
        late={t.advising && !t.advice.value && !t.advice.failure}
        chosen={t.chosen}
        refused={t.refused}
        playCard={acts.play}
        focusCard={t.choose}
        trump={t.ordered}
        role={(seat) => D && heardAt && <D.Role session={heardAt} seat={seat} />}
        skip={acts.skip}>
        {D && (t.bidding || (heardAt && s!.calls.length > 0 && seen.cursor === 0)) ? (
          <Calls t={t} acts={acts} />
        ) : undefined}
      </SeenTable>
      {ended && D && (
        <D.Result
          session={s!}
          earlier={t.earlier}
          busy={game.busy}
          next={() => void t.act('next')}
          again={() => t.open('play')}
        />
      )}
      <Buttons t={t} acts={acts} />
    </>
  )
}

/** The model of the card that was chosen. */
export function CardModel({ t }: { t: KlaverjasHand }) {
  const { D, card } = t
  if (!D || card === null || !t.ask || t.shownTab !== 'holders') return null
  const close = () => {
    const from = document.querySelector<HTMLElement>(`[data-model="${wire(card)}"]`)
    t.setCard(null)
    ;(from ?? document.getElementById('tab-holders'))?.focus()
  }
  return <D.Model card={card} seat={t.seat} answer={t.model} at={t.modelAt} go={t.setModelAt} close={close} />
}
