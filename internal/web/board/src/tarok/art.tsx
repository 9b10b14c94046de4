// The cards of tarok, drawn. A tarok has a double frame and its number in Roman numerals; the pagat, the mond and the
// škis are named.

import type { ComponentChildren } from 'preact'
import { SuitIcon, columns, crests } from '../shared/art'
import { memo } from '../shared/memo'
import { type Card, type Suit, isTarok, mond, numeral, pagat, rankOf, skis, suitOf } from './cards'

/** What stands on the three cards of the trula. */
export const trulaNames: Record<Card, string> = { [pagat]: 'PAGAT', [mond]: 'MOND', [skis]: 'ŠKIS' }

const pips: Record<string, [number, number][]> = {
  ...columns,
  '1': [[35, 49]],
  '2': [
    [35, 31],
    [35, 67],
  ],
  '3': [
    [35, 26],
    [35, 49],
    [35, 72],
  ],
  '4': [
    [24, 31],
    [46, 31],
    [24, 67],
    [46, 67],
  ],
}
const cavalier = 'M8 19 Q7 10 14 5 L13 0 L18 3 Q27 5 29 13 L26 15 L20 12 Q19 15 23 19 Z'

type Plain = Exclude<Suit, 'T'>

function Corner({ shown, suit }: { shown: string; suit: Plain | null }) {
  return (
    <>
      <text class={shown.length > 1 ? 'rank ten' : 'rank'} x={suit ? 9 : 11} y="17" text-anchor="middle">
        {shown}
      </text>
      {suit && <SuitIcon suit={suit} x={8.5} y={26} size={11} />}
    </>
  )
}

function Frame({ suit, shown, children }: { suit: Suit; shown: string; children: ComponentChildren }) {
  const corner = <Corner shown={shown} suit={suit === 'T' ? null : suit} />
  return (
    <svg class={`face suit-${suit}`} viewBox="0 0 70 98" aria-hidden="true">
      {children}
      {corner}
      <g class="foot" transform="rotate(180 35 49)">
        {corner}
      </g>
    </svg>
  )
}

function TarokFace({ card: c }: { card: Card }) {
  const roman = numeral(c + 1)
  const name = trulaNames[c]
  return (
    <Frame suit="T" shown={rankOf(c)}>
      <g fill="none" stroke="currentColor">
        <rect x="4" y="24" width="62" height="50" rx="3" stroke-width={name ? 3 : 1} />
        <rect x="7.500" y="27.500" width="55" height="43" rx="2" stroke-width=".7" />
      </g>
      <g class="art">
        <text
          class="letter"
          x="35"
          y={name ? 51 : 57}
          text-anchor="middle"
          {...(roman.length > 3 || /^X..$/.test(roman) ? { textLength: 50, lengthAdjust: 'spacingAndGlyphs' } : {})}>
          {roman}
        </text>
        {name && (
          <text class="trula-name" x="35" y="65" text-anchor="middle">
            {name}
          </text>
        )}
      </g>
    </Frame>
  )
}

function SuitFace({ card: c, shown }: { card: Card; shown: string }) {
  const suit = suitOf(c) as Plain
  const rank = rankOf(c)
  const places = pips[rank]
  return (
    <Frame suit={suit} shown={shown}>
      <g class="art">
        {places ? (
          places.map(([x, y]) => (
            <SuitIcon
              key={`${x} ${y}`}
              suit={suit}
              x={x}
              y={y}
              size={places.length > 4 ? 14 : places.length === 1 ? 30 : 18}
              turned={y > 50}
            />
          ))
        ) : (
          <>
            <rect class="frame" x="15" y="14" width="40" height="70" rx="4" />
            <path class="crest" d={crests[rank] ?? cavalier} transform="translate(20 22)" />
            <text class="letter" x="35" y="66" text-anchor="middle">
              {shown}
            </text>
            <SuitIcon suit={suit} x={35} y={76} size={11} />
          </>
        )}
      </g>
    </Frame>
  )
}

const Drawing = ({ card, shown }: { card: Card; shown: string }) =>
  isTarok(card) ? <TarokFace card={card} /> : <SuitFace card={card} shown={shown} />

export const CardFace = memo(Drawing)
