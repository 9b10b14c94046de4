// The hidden mode: a game with a player of the server with the cards below face down, and what can be known.

import { HandButtons, HandPage, Lobby } from '../shared/handpage'
import { handText } from '../shared/session'
import type { Lang } from '../shared/words'
import { useBeloteActs } from './acts'
import { Felt, HandPanel } from './felt'
import { type BeloteHand, useBeloteHand } from './hand'
import type { Shared } from './state'
import { useBelote } from './words'

function Line({ t: { s, suits, bidding, contract, setup, whole, over } }: { t: BeloteHand }) {
  const w = useBelote()
  if (!s) return null
  const last = whole && over ? s.results.at(-1) : undefined
  const { trump, declarer, threshold } = setup
  return (
    <p class="deal-line">
      {s.hands > 1 && <span id="hand-of">{handText(w, s)}</span>}
      <span>{w.b('suitsShown', { suits: suits.map(w.suit).join(', ') })}</span>
      {!bidding && (
        <span id="contract">
          {contract
            ? w.b('contractShown', {
                trump: w.trump(trump),
                player: w.player(declarer),
                n: last ? last.score.needed : threshold,
              })
            : w.b('noContract')}
        </span>
      )}
    </p>
  )
}

export function HiddenBelote({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(shared?: Shared): void }) {
  const w = useBelote()
  const t = useBeloteHand(w)
  const acts = useBeloteActs(t, () => toOpen())
  return (
    <HandPage
      hand={t}
      page="belote"
      title={w.b('title')}
      setLang={setLang}
      toOpen={() => toOpen()}
      home={acts.home}
      line={<Line t={t} />}
      begins={<HandButtons hand={t} shares={t.whole !== null && !t.pace.coming} />}
      table={t.s ? <Felt t={t} acts={acts} /> : <Lobby hand={t} title={w.t('lobby')} hint={w.b('lobbyHint')} />}
      panel={<HandPanel t={t} acts={acts} toOpen={toOpen} />}
    />
  )
}
