// Beginning a game against the computer, and calling while the cards are dealt.

import { useState } from 'preact/hooks'
import { SuitIcon } from '../shared/art'
import { TakeBackChoice } from '../shared/takebackchoice'
import { Dialog } from '../shared/frame'
import { suitsFor } from './dialogs'
import type { Suit } from '../shared/cards'
import { players } from './rules'
import type { Call, Session, SessionRequest } from './session'
import { type BeloteKey, type BeloteWords, useBelote } from './words'

const levels: [number, BeloteKey][] = [
  [2, 'easy'],
  [10, 'medium'],
  [40, 'strong'],
]
const ways = ['bidding', 'drawn', 'none'] as const

const lengths = [1, 4, 16] as const

const usual = {
  suits: 4,
  trump: 'bidding' as (typeof ways)[number],
  me: 'A' as 'A' | 'B',
  hands: 1,
  worlds: 10,
  takeback: false,
}

/** The request for a game on these terms. */
export const requestOf = (terms = usual): SessionRequest => ({
  seat: terms.me,
  player: `sampling:${terms.worlds}`,
  hands: terms.hands,
  suits: suitsFor(terms.suits, null),
  trump: terms.trump,
  ...(terms.takeback ? { takeback: true } : {}),
})

export function PlayDialog({ close, begin }: { close(): void; begin(r: SessionRequest): void }) {
  const w = useBelote()
  const [terms, set] = useState(usual)
  return (
    <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
      <form method="dialog" onSubmit={() => begin(requestOf(terms))}>
        <p class="hint">{w.b('playHint')}</p>
        <label>
          {w.t('handsAsked')}
          <select
            id="play-hands"
            value={terms.hands}
            onChange={(e) => set({ ...terms, hands: Number(e.currentTarget.value) })}>
            {lengths.map((n) => (
              <option key={n} value={n}>
                {w.b(n === 1 ? 'handsOne' : 'handsN', { n })}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.b('suits')}
          <select
            id="play-suits"
            value={terms.suits}
            onChange={(e) => set({ ...terms, suits: Number(e.currentTarget.value) })}>
            {[4, 3, 2, 1].map((n) => (
              <option key={n} value={n}>
                {n}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.t('trump')}
          <select
            id="play-trump"
            value={terms.trump}
            onChange={(e) => set({ ...terms, trump: e.currentTarget.value as (typeof ways)[number] })}>
            {ways.map((x) => (
              <option key={x} value={x}>
                {w.b(`way_${x}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.b('youSit')}
          <select id="play-me" value={terms.me} onChange={(e) => set({ ...terms, me: e.currentTarget.value as 'A' })}>
            {players.map((p) => (
              <option key={p} value={p}>
                {w.b(p === 'A' ? 'sitA' : 'sitB')}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.b('computerLevel')}
          <select
            id="play-level"
            value={terms.worlds}
            onChange={(e) => set({ ...terms, worlds: Number(e.currentTarget.value) })}>
            {levels.map(([n, key]) => (
              <option key={n} value={n}>
                {w.b(key)}
              </option>
            ))}
          </select>
        </label>
        <TakeBackChoice on={terms.takeback} set={(takeback) => set({ ...terms, takeback })} />
        <div class="row end">
          <button type="submit" class="main" id="play-begin">
            {w.t('deal')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type Made = Session['calls'][number]

const madeText = (w: BeloteWords, c: Made): string => (c.call === 'pass' ? w.t('passes') : w.suit(c.call as Suit))

/** The calls that were made. */
export function Calls({ calls }: { calls: readonly Made[] }) {
  const w = useBelote()
  return calls.length === 0 ? null : (
    <ol>
      {calls.map((c, i) => (
        <li key={i}>
          {w.player(c.seat)} {madeText(w, c)}
        </li>
      ))}
    </ol>
  )
}

/** The last of the calls, to be read aloud. */
export function stepText(w: BeloteWords, calls: readonly Made[]): string {
  const last = calls.at(-1)
  return last ? w.t('said', { seat: w.player(last.seat), card: madeText(w, last) }) : w.t('bidding')
}

/** The calls so far, and those that may be made, in the middle of the table. */
export function Auction({ session: s, busy, call }: { session: Session; busy: boolean; call(c: Call): void }) {
  const w = useBelote()
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{busy ? w.b('computerCalls') : w.t('yourCall')}</h2>
      <Calls calls={s.calls} />
      <p class="calls">
        {(s.legal_calls as Call[]).map((c) => (
          <button
            type="button"
            key={c}
            data-call={c}
            aria-disabled={busy}
            title={c === 'pass' ? w.t('passTitle') : w.t('callTitle', { suit: w.suit(c) })}
            onClick={() => !busy && call(c)}>
            {c === 'pass' ? (
              w.t('pass')
            ) : (
              <>
                <SuitIcon suit={c} />
                <span class="vh">{w.suit(c)}</span>
              </>
            )}
          </button>
        ))}
      </p>
    </section>
  )
}
