// Beginning a game against the computer, and calling while the cards are dealt.

import { useState } from 'preact/hooks'
import { SuitIcon } from '../shared/art'
import { Dialog } from '../shared/frame'
import { type Call, type Terms, type View, speakerAt } from './game'
import { type Player, players } from './rules'
import { type BeloteKey, useBelote } from './words'

const levels: [number, BeloteKey][] = [
  [2, 'easy'],
  [10, 'medium'],
  [40, 'strong'],
]
const ways = ['bidding', 'drawn', 'none'] as const

export function PlayDialog({ close, begin }: { close(): void; begin(t: Terms): void }) {
  const w = useBelote()
  const [terms, set] = useState<Terms>({ suits: 4, trump: 'bidding', me: 'A', worlds: 10 })
  return (
    <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
      <form method="dialog" onSubmit={() => begin(terms)}>
        <p class="hint">{w.b('playHint')}</p>
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
            onChange={(e) => set({ ...terms, trump: e.currentTarget.value as Terms['trump'] })}>
            {ways.map((x) => (
              <option key={x} value={x}>
                {w.b(`way_${x}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.b('youSit')}
          <select
            id="play-me"
            value={terms.me}
            onChange={(e) => set({ ...terms, me: e.currentTarget.value as Player })}>
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
        <div class="row end">
          <button type="submit" class="main" id="play-begin">
            {w.t('deal')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The calls so far, and those that may be made, in the middle of the table. */
export function Auction({ view, call }: { view: View; call(c: Call): void }) {
  const w = useBelote()
  const mine = speakerAt(view.calls.length) === view.terms.me
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{mine ? w.t('yourCall') : w.b('computerCalls')}</h2>
      {view.calls.length > 0 && (
        <ol>
          {view.calls.map((c, i) => (
            <li key={i}>
              {w.player(c.player)} {w.t('passes')}
            </li>
          ))}
        </ol>
      )}
      {mine && (
        <p class="calls">
          {(['pass', ...view.suits] as const).map((c) => (
            <button
              type="button"
              key={c}
              data-call={c}
              title={c === 'pass' ? w.t('passTitle') : w.t('callTitle', { suit: w.suit(c) })}
              onClick={() => call(c)}>
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
      )}
    </section>
  )
}
