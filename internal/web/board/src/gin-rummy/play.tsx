// Entering a situation, how a round ended, and the score.

import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialog'
import { Head } from '../shared/head'
import { FileButton, drops, readRecord } from '../shared/records'
import { cardOf } from './cards'
import { resultText, scoreText } from './say'
import {
  type Estimate,
  type Known,
  type LayOffs,
  type Session,
  type Situation,
  compare,
  exampleSituation,
  readSituation,
} from './state'
import { Brief } from './table'
import { type GinKey, type GinWords, useGin } from './words'

/** The players of the program, the strongest first. */
export const levels: Record<string, GinKey> = { playout: 'pPlayout', ohe: 'pOhe', simple: 'pSimple', random: 'pRandom' }

/** The rules of lay-offs, the usual one first. */
export const layOffs: Record<LayOffs, GinKey> = { best: 'laysBest', challenge: 'laysChallenge' }

interface Round {
  starter: string
  upcard: string
  lay_offs?: string
  hands: { A: string[] }
  events: { seat: string; kind: string; card?: string }[]
}

// What one player has seen of a round, before a knock.
function seenOf({ starter, upcard, lay_offs, hands, events }: Round) {
  const hand = new Set(hands.A)
  const seen: object[] = []
  for (const e of events) {
    if (e.kind === 'knock') break
    if (e.seat === 'A' && e.card) {
      if (e.kind === 'discard') hand.delete(e.card)
      else hand.add(e.card)
    }
    seen.push(e.seat === 'B' && e.kind === 'stock' ? { seat: e.seat, kind: e.kind } : e)
  }
  return { seat: 'A', starter, upcard, lay_offs, hand: [...hand], events: seen }
}

/** Reads a record as one player has seen it, or a situation. A link has only a record. */
export async function readEntered(
  w: GinWords,
  text: string,
  link = false,
): Promise<{ ok: true; situation: Situation } | { ok: false; error: string }> {
  const record = await readRecord(w, text, 'gin-rummy', link)
  if (!record.ok) return record
  const round = 'job' in record ? undefined : (record.hand?.position as Round | undefined)
  const situation = readSituation(round ? JSON.stringify(seenOf(round)) : 'job' in record ? '' : record.text)
  return situation ? { ok: true, situation } : { ok: false, error: w.g('situationBad') }
}

export function SituationDialog({ close, show }: { close(): void; show(s: Situation): void }) {
  const w = useGin()
  const [text, set] = useState('')
  const [bad, setBad] = useState('')
  return (
    <Dialog title={w.g('situationTitle')} id="situation-dialog" close={close} wide>
      <form
        onSubmit={async (e) => {
          e.preventDefault()
          const read = await readEntered(w, text)
          setBad(read.ok ? '' : read.error)
          if (read.ok) show(read.situation)
        }}>
        <p class="hint">{w.g('situationHint')}</p>
        <label>
          {w.g('situationText')}
          <textarea
            id="situation-text"
            rows={8}
            spellcheck={false}
            value={text}
            aria-invalid={bad !== ''}
            aria-describedby="situation-error"
            onInput={(e) => set(e.currentTarget.value)}
            {...drops(set)}
          />
        </label>
        <p class="bad" id="situation-error" role="alert">
          {bad || null}
        </p>
        <div class="row end">
          <FileButton set={set} />
          <button
            type="button"
            id="situation-example"
            onClick={() => set(JSON.stringify(exampleSituation, null, 1).replace(/\n\s+(?=["{\]}])/g, ' '))}>
            {w.g('exampleDo')}
          </button>
          <button type="submit" class="main" id="situation-show">
            {w.g('showIt')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** How the round ended, what its estimate was worth, and the way on. */
export function Result({
  session: s,
  earlier,
  known,
  estimate,
  busy,
  next,
  again,
  review,
}: {
  session: Session
  /** Whether a later round is played, so that nothing follows here. */
  earlier: boolean
  known: Known
  estimate: Estimate | undefined
  busy: boolean
  next(): void
  again(): void
  review(): void
}) {
  const w = useGin()
  const r = s.results[s.results.length - 1]!
  const tone = r.points.A > 0 ? ' made' : r.points.B > 0 ? ' nat' : ' close-call'
  const seen = estimate && compare(estimate, known, s.revealed!.held.B)
  return (
    <div class={'verdict result' + tone} id="result">
      <b>{w.signed(r.points.A - r.points.B)}</b>
      <span>
        {resultText(w, s)} {s.target !== undefined && scoreText(w, s)}
        {r.result !== 'void' && (
          <small>
            {w.g('rDeadwood', { me: r.deadwood.A, opp: r.deadwood.B })}
            {r.laid_off.length > 0 && (
              <>
                {' '}
                {w.g('laidOff', { cards: '' }).replace(/\s*\.$/, '')}{' '}
                {r.laid_off.map((l) => (
                  <>
                    <Brief key={l.card} card={cardOf(l.card)} />{' '}
                  </>
                ))}
              </>
            )}
          </small>
        )}
        {seen && (
          <small id="compared" data-n={seen.n} data-p={seen.p}>
            {w.g('compare', { ...seen })} {w.g('compareHint')}
          </small>
        )}
      </span>
      <button type="button" id="review" onClick={review}>
        {w.t('review')}
      </button>
      {earlier ? null : s.state === 'hand_over' ? (
        <button type="button" class="main" id="act-next" aria-disabled={busy} onClick={() => !busy && next()}>
          {w.t('nextHand')}
        </button>
      ) : (
        <button type="button" class="main" id="again" onClick={again}>
          {w.t('playAgain')}
        </button>
      )}
    </div>
  )
}

export function Score({ session: s }: { session: Session | null }) {
  const w = useGin()
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <Head of={[null, w.g('you'), w.g('computer')]} />
      <tbody>
        <tr class="total">
          <th scope="row">{w.t('score')}</th>
          <td id="score-me">{s?.totals.A ?? 0}</td>
          <td id="score-opp">{s?.totals.B ?? 0}</td>
        </tr>
      </tbody>
    </table>
  )
}
