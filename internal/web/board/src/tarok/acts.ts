// What the reader can do in a hand of tarok: acts, advice, the way through the hand, and the keys.

import { useAsked } from '../shared/asked'
import { nextIn, useTable } from '../shared/hand'
import { deedOf, deedText } from './advice'
import { type Card, parseCard, wire } from './cards'
import type { TarokHand } from './hand'
import { exchangeOf } from './rules'
import { turnText } from './say'
import { positionAt } from './shown'
import { focusOn } from './table'
import type { TarokWords } from './words'

/** What can be done with a card: it is played, put aside, or refused. */
function useCardOf(t: TarokHand) {
  const { s, game, pace, back, exchanging, group, away, say } = t
  return (c: Card) => {
    if (!s || game.busy || pace.coming) return
    if (!t.legal.includes(c)) {
      const why = back ? 'notNow' : !exchanging ? 'why_not' : group === null ? 'why_talon' : 'why_discard'
      return say((w) => w.t('saidRefused', { card: w.card(c), why: w.b(why) }), true)
    }
    if (!exchanging) return void t.act('play', { card: wire(c) })
    const all = [...away, c]
    t.wantsFocus.current = true
    t.setAway(all)
    if (all.length < exchangeOf(t.contract!))
      return say((w) => w.b('saidDiscard', { player: w.player(t.me), card: w.card(c) }))
    void t.act('exchange', { group, discards: all.map(wire) })
  }
}

export function useTarokActs(t: TarokHand, toOpen: () => void) {
  const { session, game, pace, back, say, advice, advised, own, legal } = t
  const useCard = useCardOf(t)
  const follow = () => {
    if (!advised || game.busy) return
    const deed = deedOf(advised)
    void t.act(deed.path, deed.more)
  }
  const tell = useAsked(t.key, advice, say, [
    (w: TarokWords) => w.t('saidAdvice', { what: deedText(w, advice.value!) }),
  ])
  const ask = () => {
    t.setTab('advice')
    if (!t.mayAsk) return
    t.setAsked(t.key)
    tell(0)
  }
  const go = (to: number) =>
    t.go(to, (w, n) => {
      if (n < 0) return t.D!.lastText(w, session!, n)
      const turn = positionAt(t.setup!, t.played.slice(0, n))
      return w.t('saidGo', { n: Math.min(n + 1, 48), turn: turnText(w, turn) })
    })
  const jump = (by: 1 | -1) =>
    t.jump(go, t.over, t.review.value, (D, r) => {
      const found = D.mistakeOf(r, t.seat, by, pace.at, pace.at === t.total, D.exchangeAt(t.s!))
      return found && { number: found.number, text: (w) => D.verdictText(w, t.setup!, found) }
    })
  const home = () => {
    const choice = document.querySelector<HTMLElement>(
      '#felt .auction button, #felt [data-group], #next-hand, #again, #lobby-play',
    )
    if (!back && legal.length === 0 && choice) choice.focus()
    else focusOn(legal[0] ?? own[0])
  }
  useTable(t, {
    answers: [advice, t.review],
    go,
    letters: {
      m: toOpen,
      n: () => jump(1),
      p: () => jump(-1),
      a: ask,
      b: () => (advised ? follow() : say((w) => w.t('askFirst'))),
    },
    cardKey(e, card) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (!step) return false
      const c = parseCard(card.dataset['card']!)!
      const of = own.includes(c) ? own : (Object.values(t.position!.held).find((x) => x.includes(c)) ?? own)
      focusOn(nextIn(of, c, step))
      return true
    },
    home,
    hold: () => (own[0] === undefined ? document.getElementById('felt')?.focus() : focusOn(own[0])),
  })
  return { useCard, follow, ask, go, jump, home }
}

export type TarokActs = ReturnType<typeof useTarokActs>
