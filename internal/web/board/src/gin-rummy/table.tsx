// The table: the opponent's cards, the stock and the discards, and the player's hand, sorted by melds.

import type { ComponentChildren } from 'preact'
import { Drawing } from '../shared/art'
import { symbols } from '../shared/cards'
import { memo } from '../shared/memo'
import type { Mark } from '../shared/standing'
import { type Card, pips, rankOf, suitOf, wire } from './cards'
import { type Group, sumOf } from './state'
import { type GinWords, useGin } from './words'

const Face = memo(({ card: c, shown }: { card: Card; shown: string }) => (
  <Drawing suit={suitOf(c)} face={rankOf(c)} shown={shown} more={pips} />
))

// On a small screen a card of a hand is its face and suit.
function Picture({ card: c }: { card: Card }) {
  const w = useGin()
  return (
    <>
      <Face card={c} shown={w.face(c)} />
      <span class={`mini suit-${suitOf(c)}`} aria-hidden="true">
        {w.face(c)}
        <span>{symbols[suitOf(c)]}</span>
      </span>
    </>
  )
}

/** A card in running text: its face and the symbol of its suit, in the colour of the suit. */
export function Brief({ card: c }: { card: Card }) {
  const w = useGin()
  return (
    <span class={`brief suit-${suitOf(c)}`}>
      <span aria-hidden="true">{w.brief(c)}</span>
      <span class="vh">{w.card(c)}</span>
    </span>
  )
}

const groupName = (w: GinWords, g: Group): string => (g.meld ? w.g('meld') : w.g('others', { n: sumOf(g.cards) }))

/** Cards that lie there, in groups. Below each stands its mark. */
export function Shown({ groups, marks }: { groups: readonly Group[]; marks: ReadonlyMap<Card, Mark> }) {
  const w = useGin()
  return (
    <div class="groups">
      {groups.map((g, i) => (
        <ul key={i} class={g.meld ? 'meld' : ''} aria-label={groupName(w, g)}>
          {g.cards.map((c) => {
            const mark = marks.get(c)
            return (
              <li key={c} class="card" data-shown={wire(c)}>
                <Picture card={c} />
                <span class="vh">
                  {w.card(c)}
                  {mark && `, ${mark.said}`}
                </span>
                {mark && (
                  <span aria-hidden="true" class={'value ' + mark.tone}>
                    {mark.text}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      ))}
    </div>
  )
}

interface HandProps {
  groups: readonly Group[]
  title: ComponentChildren
  /** Whether a card is to be discarded now, and which. */
  discarding: boolean
  legal: readonly Card[]
  drawn: Card | null
  marks: ReadonlyMap<Card, Mark>
  stop: Card | undefined
  refused: Card | null
  discard(c: Card): void
  focus(c: Card): void
}

export function OwnHand({ groups, title, discarding, legal, drawn, marks, stop, refused, discard, focus }: HandProps) {
  const w = useGin()
  return (
    <section class={'hand hand-S own' + (discarding ? ' turn' : '')} aria-labelledby="hand-me">
      <h2 id="hand-me">{title}</h2>
      <div class="groups">
        {groups.map((g, i) => (
          <ul key={i} class={g.meld ? 'meld' : ''} aria-label={groupName(w, g)}>
            {g.cards.map((c) => {
              const may = legal.includes(c)
              const mark = discarding && !may ? undefined : marks.get(c)
              const label =
                w.card(c) +
                (c === drawn ? `, ${w.g('justDrawn')}` : '') +
                (discarding && !may
                  ? `, ${w.t('notLegal', { why: w.g('mayNotDiscard') })}`
                  : mark
                    ? `, ${mark.said}`
                    : '')
              return (
                <li key={c}>
                  <button
                    type="button"
                    class={
                      'card' +
                      (discarding ? (may ? ' legal' : ' illegal') : '') +
                      (mark?.tone === 'v-best' ? ' best' : '') +
                      (c === drawn ? ' drawn' : '') +
                      (refused === c ? ' refused' : '')
                    }
                    data-card={wire(c)}
                    aria-disabled={!may}
                    tabIndex={c === stop ? 0 : -1}
                    onClick={() => discard(c)}
                    onFocus={() => focus(c)}>
                    <Picture card={c} />
                    <span class="vh">{label}</span>
                    {mark && (
                      <span aria-hidden="true" class={'value ' + mark.tone}>
                        {mark.text}
                      </span>
                    )}
                  </button>
                </li>
              )
            })}
          </ul>
        ))}
      </div>
    </section>
  )
}

export const Backs = ({ n }: { n: number }) => (
  <div class="backs" aria-hidden="true">
    {Array.from({ length: n }, (_, i) => (
      <i key={i} />
    ))}
  </div>
)

interface PilesProps {
  stock: number
  top: Card | undefined
  /** What happens when a pile is selected; nothing if it may not be. */
  draw: (() => void) | undefined
  take: (() => void) | undefined
  /** What is shown of the piles when a draw is reviewed. */
  marks?: ReadonlyMap<string, Mark>
  busy: boolean
}

/** The stock and the discards. They are buttons when one may draw. */
export function Piles({ stock, top, draw, take, busy, marks }: PilesProps) {
  const w = useGin()
  const mark = (kind: 'stock' | 'take') => {
    const m = marks?.get(kind)
    return (
      m && (
        <span class={'value ' + m.tone}>
          <span aria-hidden="true">{m.text}</span>
          <span class="vh">, {m.said}</span>
        </span>
      )
    )
  }
  const pile = (id: string, name: string, act: (() => void) | undefined, said: string, children: ComponentChildren) => (
    <li>
      <h3 class="quiet">{name}</h3>
      {act ? (
        <button type="button" id={id} class="card legal" aria-disabled={busy} onClick={act}>
          {children}
          <span class="vh">{said}</span>
        </button>
      ) : (
        <div class="card">
          {children}
          <span class="vh">{said}</span>
        </div>
      )}
    </li>
  )
  return (
    <ul class="piles">
      {pile(
        'pile-stock',
        w.g('stock'),
        draw,
        draw ? `${w.g('fromStock')}, ${w.g('stockN', { n: stock })}` : w.g('stockN', { n: stock }),
        <>
          <i class="back" aria-hidden="true" />
          {mark('stock') ?? (
            <span class="value v-some" aria-hidden="true">
              {stock}
            </span>
          )}
        </>,
      )}
      {pile(
        'pile-top',
        w.g('pile'),
        take,
        top === undefined
          ? w.g('noTop')
          : take
            ? w.g('take', { card: w.within(top) })
            : w.g('top', { card: w.within(top) }),
        <>
          {top === undefined ? <i class="slot" aria-hidden="true" /> : <Face card={top} shown={w.face(top)} />}
          {mark('take')}
        </>,
      )}
    </ul>
  )
}
