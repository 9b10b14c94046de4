// The dialog in which a situation is entered: the player's hand, the card that was turned, and what happened since.

import { EnterChoice, EnterForm } from '../shared/enterform'
import type { PickerGame } from '../shared/entry'
import { useEntry } from '../shared/picker'
import { type Deck, readerOf } from '../shared/typed'
import { type Card, cardOf, deck52, rankOf, wire } from './cards'
import { layOffs } from './play'
import type { Event, LayOffs, Situation } from './state'
import { type GinWords, useGin } from './words'

type Seat = Situation['starter']
const seats: readonly Seat[] = ['A', 'B']
const other = (s: Seat): Seat => (s === 'A' ? 'B' : 'A')

// What is done without a card that is seen, beside the cards.
const take = 52
const stock = 53
const pass = 54
const acts = [take, stock, pass]
const written: Record<number, string[]> = {
  [take]: ['TAKE', 'TAKES', 'NEEM', 'NEEMT'],
  [stock]: ['STOCK', 'STOK'],
  [pass]: ['PASS', 'PASSES', 'PAS', 'PAST'],
}
const deck: Deck = {
  cards: [...deck52.cards, ...acts],
  face: (c) => (c < take ? rankOf(c) : written[c]![0]!),
  suit: (c) => (c < take ? deck52.suit(c) : 'T'),
  more: (c) => (c < take ? [wire(c)] : written[c]!),
}
const readCard = readerOf(deck52)
const readAct = readerOf(deck)
const rows = [2, 1, 0, 3].flatMap((s) => [
  deck52.cards.slice(13 * s, 13 * s + 7),
  deck52.cards.slice(13 * s + 7, 13 * s + 13),
])

/** A round as far as it was entered. */
interface Round {
  who: Seat
  /** The first card is offered; to draw; the card that was drawn is asked for; to discard. */
  phase: 'first' | 'draw' | 'drawn' | 'discard'
  passed: boolean
  pile: readonly Card[]
  /** The card that was just taken, which may not be discarded at once. */
  taken: Card | null
  /** Cards that the other player is known to hold. */
  kept: readonly Card[]
  events: readonly Event[]
}

const begin = (starter: Seat, upcard: Card): Round => ({
  who: starter,
  phase: 'first',
  passed: false,
  pile: [upcard],
  taken: null,
  kept: [],
  events: [],
})

function legal(r: Round): Card[] {
  if (r.phase === 'first') return [take, pass]
  if (r.phase === 'draw') return r.pile.length > 0 ? [take, stock] : [stock]
  const unseen = deck52.cards.filter((c) => !r.pile.includes(c))
  if (r.phase === 'drawn') return unseen.filter((c) => !r.kept.includes(c))
  return unseen.filter((c) => c !== r.taken && (r.who === 'B' || !r.kept.includes(c)))
}

function act(r: Round, c: Card): Round {
  const { who } = r
  const events = (kind: Event['kind'], card?: Card): Event[] => [
    ...r.events,
    { seat: who, kind, ...(card === undefined ? {} : { card: wire(card) }) },
  ]
  if (c === pass) {
    const next = other(who) // after two passes the first player draws
    return { ...r, who: next, passed: true, phase: r.passed ? 'draw' : 'first', events: events('pass') }
  }
  if (c === take) {
    const top = r.pile.at(-1)!
    const kept = who === 'B' ? [...r.kept, top] : r.kept
    return { ...r, phase: 'discard', pile: r.pile.slice(0, -1), taken: top, kept, events: events('take', top) }
  }
  if (c === stock)
    return who === 'A' ? { ...r, phase: 'drawn' } : { ...r, phase: 'discard', taken: null, events: events('stock') }
  if (r.phase === 'drawn') return { ...r, phase: 'discard', taken: null, events: events('stock', c) }
  return {
    ...r,
    who: other(who),
    phase: 'draw',
    pile: [...r.pile, c],
    taken: null,
    kept: r.kept.filter((x) => x !== c),
    events: events('discard', c),
  }
}

// The words of the page, with names for what is done without a card.
function actWords(w: GinWords): GinWords {
  const name = (c: Card) => w.g(c === take ? 'enterTake' : c === stock ? 'enterStock' : 'enterPass')
  const but = (of: (c: Card) => string) => (c: Card) => (c < take ? of(c) : name(c))
  return { ...w, face: but(w.face), faceName: but(w.faceName), card: but(w.card), brief: but(w.brief) }
}

const eventText = (write: (c: Card) => string, e: Event): string => {
  const card = e.card === undefined ? [] : [cardOf(e.card)]
  if (e.kind === 'pass') return write(pass)
  if (e.kind === 'take') return write(take)
  return (e.kind === 'stock' ? [stock, ...card] : card).map(write).join(' ')
}

/** Asks for a situation. It opens with the one that is shown. */
export function EnterDialog({
  situation,
  close,
  use,
}: {
  situation: Situation | null
  close(): void
  use(s: Situation): void
}) {
  const w = useGin()
  const words = actWords(w)
  const write = words.brief
  const gameOf = ({ starter }: { starter: Seat; rule: LayOffs }): PickerGame<string, Round> => ({
    reader: { words: w, deck: deck52, read: (_, text) => readCard(w, text) },
    write,
    lines: [
      { id: 'upcard', name: w.g('enterUpcard'), letter: '↑', label: w.g('enterUpcardLabel'), size: 1 },
      { id: 'hand', name: w.g('yourHand'), letter: '•', label: w.g('enterHand'), size: 11, least: 10 },
    ],
    names: {},
    order: [],
    rows: [...rows, acts],
    plays: [
      {
        id: 'played',
        name: w.g('enterEvents'),
        label: w.g('enterEventsLabel'),
        size: Infinity,
        reader: { words, deck, read: (_, text) => readAct(words, text) },
        stays: true,
        start: (hands) => begin(starter, hands['upcard']![0]!),
        play: act,
        legal,
        whose: (r) => r.who,
        whyNot: (_, c) => w.g('enterNot', { card: words.card(c) }),
        says: (r) =>
          w.g(r.who === 'A' ? 'you' : 'enterOther') +
          ': ' +
          (r.phase === 'discard' ? w.g('toDiscard') : r.phase === 'drawn' ? w.g('enterDrawn') : w.g('toDraw')),
      },
    ],
  })
  const entry = useEntry(
    JSON.stringify(situation),
    () => ({
      contract: { starter: situation?.starter ?? 'B', rule: situation?.lay_offs ?? 'best' },
      texts: {
        hand: (situation?.hand ?? []).map((c) => write(cardOf(c))).join(' '),
        upcard: situation ? write(cardOf(situation.upcard)) : '',
        played: (situation?.events ?? []).map((e) => eventText(write, e)).join(' '),
      },
      marked: 'hand',
    }),
    gameOf,
  )
  const { picked } = entry
  const { starter, rule } = entry.contract
  const round = picked.position
  const hand = picked.read['hand']!.cards
  const size = round && round.who === 'A' && round.phase === 'discard' ? 11 : 10
  const count = round !== null && hand.length !== size
  const unfinished = round?.phase === 'drawn'
  return (
    <EnterForm
      title={w.g('situationTitle')}
      hint={w.g('enterHint')}
      forms={w.g('enterForms')}
      entry={entry}
      wrong={count || unfinished}
      close={close}
      use={() => {
        const upcard = wire(picked.read['upcard']!.cards[0]!)
        const fixed: Pick<Situation, 'lay_offs'> = rule === 'best' ? {} : { lay_offs: rule }
        use({ seat: 'A', starter, upcard, hand: hand.map(wire), events: [...round!.events], ...fixed })
      }}
      after={count && <p class="bad">{w.g('enterHandCount', { n: size })}</p>}>
      <EnterChoice
        name={w.g('starter')}
        id="starter"
        list={seats}
        value={starter}
        text={(s) => w.g(s === 'A' ? 'you' : 'enterOther')}
        choose={(s) => entry.choose({ starter: s, rule })}>
        {(s) => w.g(s === 'A' ? 'you' : 'enterOther')}
      </EnterChoice>
      <EnterChoice
        name={w.g('layOffs')}
        id="layoffs"
        list={['best', 'challenge'] as const}
        value={rule}
        text={(x) => w.g(layOffs[x])}
        choose={(x) => entry.choose({ starter, rule: x })}>
        {(x) => w.g(layOffs[x])}
      </EnterChoice>
    </EnterForm>
  )
}
