// What the reader can do in a hand with hidden cards: acts, advice, the way through the hand, and the keys.

import { useEffect, useRef } from 'preact/hooks'
import { useAsked } from '../shared/asked'
import { type Card, type CardName, type Suit, parseCard, wire } from '../shared/cards'
import { focusFirst, inTable, nextIn, useTable } from '../shared/hand'
import type { KlaverjasHand } from './hand'
import { refusal } from './rules'
import { contractText, playsText, scoreText, trickText, turnText } from './say'
import { sorted } from './seats'
import { positionSeen, reduceSeen } from './seen'
import { stopOf, whyNot } from './table'
import { type Seen, type Shared, mayHave } from './url'
import type { Words } from './words'

/** What can be done with a card: it is played, by the seat or by another one, or refused. */
function usePlay(t: KlaverjasHand) {
  const { s, seat, seen, turn, position, say } = t
  return (c: Card) => {
    if (t.game.busy) return
    if (!t.live || (turn !== seat && s) || turn === null) return s && t.pace.show(seen.played.length)
    const own = turn === seat
    if (own ? refusal(position, c) !== null : !mayHave(position, seat, c, seen.played.slice(0, seen.cursor))) {
      t.change({ refused: c })
      const why = (w: Words) => (own ? whyNot(w, position, c) : w.t('cannotHave', { seat: w.seat(turn) }))
      return say((w) => w.t('saidRefused', { card: w.card(c), why: why(w) }), true)
    }
    if (s) return void t.act('play', { card: wire(c) })
    t.change({ refused: null })
    t.wantsFocus.current = inTable()
    say((w) => playsText(w, position, [c]))
    t.changeOwn({ type: 'play', card: c })
  }
}

/** Advice, when it is asked for: it is read when it comes. */
function useAdvice(t: KlaverjasHand) {
  const { key, bid, bidding, advice, say, turn, setup } = t
  const marksText = (w: Words): string => {
    const marks = t.marksIn(w)
    const said = sorted([...marks.keys()], setup.trump).map((c) => `${w.card(c)}, ${marks.get(c)!.said}`)
    return said.join('; ') + '.'
  }
  const callText = (w: Words): string =>
    bid.value
      ? w.t('saidAdvice', { what: bid.value.call === 'pass' ? w.t('pass') : w.suit(bid.value.call as Suit) })
      : ''
  const cardText = (w: Words): string => w.t('saidAdvice', { what: w.card(parseCard(advice.value!.card)!) })
  const tell = useAsked(key, bidding ? bid : advice, say, bidding ? [callText, callText] : [cardText, marksText])
  // The card that was said to be advised. If the last answer advises another one, that is said too.
  const told = useRef<{ key: string; card: CardName | undefined } | null>(null)
  useEffect(() => {
    if (told.current?.key !== key || !advice.value || bidding) return
    const { card } = advice.value
    if (told.current.card === undefined) told.current.card = card
    else if (!advice.refining && told.current.card !== card) say(cardText)
  }, [key, advice.value, advice.refining])
  // Asks for advice, and says what it is: 0 the best card, 1 what each card costs.
  return (which: 0 | 1) => {
    t.setTab('advice')
    told.current = { key, card: advice.value?.card }
    if (bidding || (t.there && turn === t.seat)) tell(which)
    else say((w) => (turn === null ? w.t('finishedWhy') : w.t('adviceWait', { seat: w.seat(turn) })))
  }
}

// The way through the hand.
function useWay(t: KlaverjasHand) {
  const { s, seen, step, say } = t
  const text = (w: Words, at: number): string =>
    at < 0
      ? t.D!.callStepText(w, s!, at)
      : w.t('saidGo', { n: Math.min(32, at + 1), turn: turnText(w, positionSeen({ ...seen, cursor: at })) })
  const go = (to: number) => {
    if (s) return t.go(to, text)
    const at = Math.max(0, Math.min(to, seen.played.length))
    if (at === step) return
    t.wantsFocus.current = inTable()
    say((w) => text(w, at))
    t.changeOwn({ type: 'go', to: at })
  }
  const jump = (by: 1 | -1) =>
    t.whole
      ? t.jump(go, true, t.review.value, (D, r) => {
          const found = D.otherMistake(r.cards, by, seen.cursor, t.atEnd && seen.cursor === 32)
          return found && { number: found.number, text: (w) => D.verdictText(w, found) }
        })
      : say((w) => w.t('reviewLater'))
  return { go, jump }
}

// Focus goes to the hand, and never to nothing.
function focusHand(t: KlaverjasHand) {
  const c = t.there ? stopOf(t.position, t.seat, t.chosen) : undefined
  if (t.bidding) focusFirst('[data-call]')
  else if (c !== undefined && t.live) focusFirst(`#felt [data-card="${wire(c)}"]`)
  else focusFirst(...(t.still ? ['#last'] : ['#next-hand, #again, #undo, #lobby-play']))
}

export function useKlaverjasActs(t: KlaverjasHand, toOpen: (shared?: Shared) => void) {
  const { s, seat, seen, own, say, advice, position } = t
  const field = useRef<HTMLInputElement>(null)
  const play = usePlay(t)
  const ask = useAdvice(t)
  const way = useWay(t)
  const mayPlay = t.live && t.turn === seat
  const mayClaim = s?.settled === true && mayPlay && !t.game.busy
  const claim = () => (mayClaim ? void t.act('claim') : say((w) => w.t('noClaim')))
  const best = () => (advice.value && mayPlay ? play(parseCard(advice.value.card)!) : say((w) => w.t('askFirst')))
  const open = () => toOpen(s && t.whole ? { setup: seen.setup, played: seen.played, cursor: seen.cursor } : undefined)
  const home = () => focusHand(t)
  useTable(t, {
    answers: [t.knowledge, t.model, advice, t.strength, t.bid, t.review],
    go: way.go,
    at: t.step,
    of: seen.played.length,
    letters: {
      a: () => ask(0),
      b: best,
      v: () => ask(1),
      s: () => say((w) => scoreText(w, position)),
      t: () => say((w) => trickText(w, position)),
      ...(s && { r: claim }),
      n: () => way.jump(1),
      p: () => way.jump(-1),
      '/': () => field.current?.focus(),
      m: open,
    },
    cardKey(e, at) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
      if (!step) return false
      const to = nextIn(sorted(position.held[seat], t.ordered), parseCard(at.dataset['card']!)!, step)!
      focusFirst(`#felt [data-card="${wire(to)}"]`)
      return true
    },
    home,
    hold: () => t.there && home(),
  })
  return {
    ...way,
    field,
    play,
    ask,
    best,
    mayPlay,
    mayClaim,
    claim,
    open,
    home,
    /** Changes the contract of the hand that is followed. */
    contract(c: Partial<Omit<Seen['setup'], 'holders'>>) {
      const action = { type: 'contract', change: c } as const
      const after = reduceSeen(own, action)
      say((w) => contractText(w, positionSeen(after), own.played.length, after.played.length))
      t.changeOwn(action)
    },
    skip: () => t.pace.coming && t.pace.show(seen.played.length),
  }
}

export type KlaverjasActs = ReturnType<typeof useKlaverjasActs>
