// What the reader can do in a hand of Gin Rummy: acts, advice, the way through the round, and the keys.

import { useAsked } from '../shared/asked'
import { focusFirst, nextIn, useTable } from '../shared/hand'
import { actionText } from './advice'
import { type Card, type CardName, cardOf, wire } from './cards'
import type { GinHand } from './hand'
import { eventText, likelyText, scoreText } from './say'
import type { Action, Kind } from './state'
import type { GinWords } from './words'

const cardAt = (c: Card | undefined): string => (c === undefined ? '#lobby-play' : `#felt [data-card="${wire(c)}"]`)

export function useGinActs(w: GinWords, t: GinHand) {
  const { session, game, say, back, actions, discarding, advice, key, top, total } = t
  const act = (action: { kind: Kind; card?: CardName; melds?: Action['melds']; laid_off?: CardName[][] }) => {
    if (session && !game.busy) void t.act('play', { action })
  }
  const next = () => {
    if (session && !game.busy) void t.act('next')
  }
  const may = (kind: Kind): (() => void) | undefined => (actions.includes(kind) ? () => act({ kind }) : undefined)
  const discard = (c: Card) => {
    if (game.busy) return
    if (!back && session?.discards?.includes(wire(c))) return act({ kind: 'discard', card: wire(c) })
    t.change({ refused: c })
    const why = discarding ? 'mayNotDiscard' : 'notNow'
    say((w: GinWords) => w.g('refusedSay', { card: w.card(c), why: w.g(why) }), true)
  }
  // The advised action as the session takes it: of the card or melds that it names.
  const best = () =>
    advice.value && session && !back ? act(advice.value.action) : say((w: GinWords) => w.t('askFirst'))
  const tellAdvice = useAsked(key, advice, say, [
    (w: GinWords) =>
      w.t('saidAdvice', { what: actionText(w, advice.value!.action, advice.value!.deadwood, top, w.within) }),
  ])
  const ask = () => {
    t.setTab('advice')
    if (t.deciding) tellAdvice(0)
    else say((w: GinWords) => w.g('adviceLater'))
  }
  const go = (to: number) => {
    if (!session || game.busy) return
    const { events } = session.view
    t.go(to, (w, n) => w.g('stepSay', { n, of: total, what: n > 0 ? eventText(w, events[n - 1]!) : '' }))
  }
  const jump = (by: 1 | -1) =>
    t.jump(go, t.revealed !== undefined, t.review.value, (D, r) => {
      const found = D.mistakeOf(r, t.seat, by, t.pace.at, t.pace.at === t.total)
      return found && { number: found.number, text: (w) => D.verdictText(w, found) }
    })
  useTable(t, {
    answers: [t.estimate, advice, t.sorted, t.review],
    go,
    letters: {
      t: () => may('take')?.(),
      s: () => may('stock')?.(),
      p: () => may('pass')?.(),
      k: () => (may('knock') ?? may('melds'))?.(),
      g: () => may('continue')?.(),
      n: () => session?.state === 'hand_over' && !t.earlier && next(),
      '[': () => jump(-1),
      ']': () => jump(1),
      a: ask,
      b: best,
      v: () => t.estimate.value && say((w: GinWords) => likelyText(w, t.estimate.value!)),
      '.': () => session && say((w: GinWords) => scoreText(w, session)),
    },
    cardKey(e, card) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[e.key]
      return step !== undefined && focusFirst(cardAt(nextIn(t.order, cardOf(card.dataset['card']!), step)))
    },
    // What may be done next: the buttons, or the card just drawn.
    home: () =>
      (back || discarding) && t.stop !== undefined
        ? focusFirst(cardAt(t.stop))
        : focusFirst('.acts button', '#result .main', '#best'),
    hold: () => t.stop !== undefined && focusFirst(cardAt(t.stop)),
  })
  return { w, act, next, may, discard, best, ask, go, jump, toHand: () => void focusFirst(cardAt(t.stop)) }
}

export type GinActs = ReturnType<typeof useGinActs>
