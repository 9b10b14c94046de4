// What the reader can do in a hand of Belote: acts, advice, the way through the hand, and the keys.

import { useRef } from 'preact/hooks'
import { useAsked } from '../shared/asked'
import { type Card, parseCard, wire } from '../shared/cards'
import { focusFirst, inTable, nextIn, useTable } from '../shared/hand'
import { adviceMarks } from './advice'
import type { BeloteHand } from './hand'
import { stepText } from './play'
import { type Player, opponent, refusal, replay, turnOf, upOf } from './rules'
import { scoreText, trickText, turnText } from './say'
import type { Call } from './session'
import { focusOn, stopOf, whyNot } from './table'
import type { BeloteWords } from './words'

/** What can be done with a card: it is played, or refused. Whether it was played. */
function usePlay(t: BeloteHand) {
  const { position, me, cursor, total } = t
  const why = (w: BeloteWords, c: Card): string =>
    cursor < total
      ? w.b('notNow')
      : turnOf(position) !== me
        ? w.t('turn', { seat: w.player(turnOf(position)) })
        : whyNot(w, position, c)
  return (c: Card): boolean => {
    if (t.still) return false
    if (!t.live || turnOf(position) !== me || refusal(position, c) !== null) {
      t.change({ refused: c })
      t.say((w) => w.t('saidRefused', { card: w.card(c), why: why(w, c) }), true)
      return false
    }
    if (inTable()) {
      // The card is gone at once: the focus waits on the next card of the player.
      t.wantsFocus.current = true
      focusOn(upOf(position, me).find((x) => x !== c))
    }
    void t.act('play', { card: wire(c) }, false)
    return true
  }
}

/** Advice, when it is asked for: it is read when it comes. */
function useAdvice(t: BeloteHand) {
  const { advice, bid, bidding, position, say } = t
  const valuesText = (w: BeloteWords): string =>
    [...adviceMarks(w, advice.value)].map(([c, m]) => `${w.card(c)}, ${m.said}`).join('; ') + '.'
  const callText = (w: BeloteWords): string =>
    bid.value ? w.t('saidAdvice', { what: bid.value.call === 'pass' ? w.t('pass') : w.suit(bid.value.call) }) : ''
  const cardText = (w: BeloteWords): string => w.t('saidAdvice', { what: w.card(parseCard(advice.value!.card)!) })
  const tell = useAsked(
    JSON.stringify(t.auction ?? t.body),
    bidding ? bid : advice,
    say,
    bidding ? [callText, callText] : [cardText, valuesText],
  )
  // Asks for advice, and says what it is: 0 the best card, 1 what each card costs.
  return (which: 0 | 1) => {
    t.setTab('advice')
    if (t.mayAsk) tell(which)
    else say((w) => (position.finished ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.player(turnOf(position)) })))
  }
}

export function useBeloteActs(t: BeloteHand, toOpen: () => void) {
  const { position, me, say, advice, chosen, total, cursor } = t
  const field = useRef<HTMLInputElement>(null)
  const play = usePlay(t)
  const ask = useAdvice(t)
  const focusIn = (p: Player) => focusOn(stopOf(position, p, chosen[p]))
  // What may be done next: the next hand, a call, or a card.
  const home = () => focusFirst('#next-hand, #again, #lobby-play', '.calls button') || focusIn(me)
  const go = (to: number) =>
    t.go(to, (w, n) =>
      n < 0
        ? stepText(w, t.s!.calls.slice(0, n))
        : w.t(to === cursor - 1 ? 'saidBack' : 'saidGo', {
            n: Math.min(n + 1, 8 * t.suits.length),
            turn: turnText(w, replay(t.dealt, t.played.slice(0, n))),
          }),
    )
  const jump = (by: 1 | -1) =>
    t.jump(go, t.whole !== null, t.review.value, (D, r) => {
      const found = D.mistakeOf(r, t.seat, by, cursor)
      return found && { number: found.number, text: (w) => D.verdictText(w, found) }
    })
  const best = () => {
    if (advice.value && t.live) play(parseCard(advice.value.card)!)
    else say((w) => w.t('askFirst'))
  }
  useTable(t, {
    answers: [advice, t.bid, t.review],
    go,
    letters: {
      a: () => ask(0),
      b: best,
      v: () => ask(1),
      n: () => jump(1),
      p: () => jump(-1),
      s: () => say((w) => scoreText(w, position)),
      t: () => say((w) => trickText(w, position)),
      '/': () => field.current?.focus(),
      m: toOpen,
    },
    cardKey(e, card) {
      const c = parseCard(card.dataset['card']!)!
      const p: Player = upOf(position, 'A').includes(c) ? 'A' : 'B'
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (step) focusOn(nextIn(upOf(position, p), c, step))
      else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
        if (upOf(position, opponent(p)).length > 0) focusIn(opponent(p))
      } else return false
      return true
    },
    home,
    hold: () => focusOn(stopOf(position, me, undefined)),
  })
  return {
    field,
    play,
    ask,
    best,
    go,
    jump,
    home: () => void home(),
    call: (call: Call) => void t.act('call', { call }),
    takeBack: () => void t.act('takeback', {}, false),
    hurry: () => t.pace.coming && t.pace.show(total),
  }
}

export type BeloteActs = ReturnType<typeof useBeloteActs>
