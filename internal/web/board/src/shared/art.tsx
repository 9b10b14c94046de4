// The cards, drawn: a rank and a suit in the corner, and pips, or a crest for jack, queen, king and ace. The shapes of
// the suits are symbols in the page.

import { memo } from './memo'
import { type Card, type Suit, faceOf, suitOf } from './cards'

export function SuitIcon({ suit, ...at }: { suit: Suit; x?: number; y?: number; size?: number; turned?: boolean }) {
  const { x, y, size, turned } = at
  if (size === undefined)
    return (
      <svg class={`suit suit-${suit}`} viewBox="0 0 32 32" aria-hidden="true">
        <use href={`#suit-${suit}`} />
      </svg>
    )
  const half = size / 2
  return (
    <use
      href={`#suit-${suit}`}
      x={x! - half}
      y={y! - half}
      width={size}
      height={size}
      {...(turned ? { transform: `rotate(180 ${x} ${y})` } : {})}
    />
  )
}

const left = 23
const right = 47
const middle = 35
/** The places of the pips of the cards with seven to ten. */
export const columns: Record<string, [number, number][]> = {
  '7': [
    [left, 24],
    [left, 49],
    [left, 74],
    [right, 24],
    [right, 49],
    [right, 74],
    [middle, 36.5],
  ],
  '8': [
    [left, 24],
    [left, 49],
    [left, 74],
    [right, 24],
    [right, 49],
    [right, 74],
    [middle, 36.5],
    [middle, 61.5],
  ],
  '9': [
    [left, 22],
    [left, 40],
    [left, 58],
    [left, 76],
    [right, 22],
    [right, 40],
    [right, 58],
    [right, 76],
    [middle, 49],
  ],
  '10': [
    [left, 22],
    [left, 40],
    [left, 58],
    [left, 76],
    [right, 22],
    [right, 40],
    [right, 58],
    [right, 76],
    [middle, 31],
    [middle, 67],
  ],
}

/** Crests on a ground of 30 x 20. */
export const crests: Record<string, string> = {
  K: 'M2 19 L0 4 L8 10 L15 0 L22 10 L30 4 L28 19 Z',
  Q: 'M3 19 L1 7 Q5 13 8 11 Q11 9 11 3 Q13 11 15 11 Q17 11 19 3 Q19 9 22 11 Q25 13 29 7 L27 19 Z',
  J: 'M3 19 Q2 8 13 7 H22 Q28 8 27 14 L26 19 Z M17 6 Q19 -1 30 -2 Q29 5 21 6.500 Z',
}

function Court({ suit, face, shown }: { suit: Suit; face: string; shown: string }) {
  return (
    <>
      <rect class="frame" x="15" y="14" width="40" height="70" rx="4" />
      <path class="crest" d={crests[face]!} transform="translate(20 22)" />
      <text class="letter" x="35" y="66" text-anchor="middle">
        {shown}
      </text>
      <SuitIcon suit={suit} x={35} y={76} size={11} />
    </>
  )
}

/** A card of any deck. more has the places of the pips of faces that the deck of 32 cards does not have. */
export function Drawing({
  suit,
  face,
  shown,
  more,
}: {
  suit: Suit
  face: string
  shown: string
  more?: typeof columns
}) {
  const pips = columns[face] ?? more?.[face]
  return (
    <svg class={`face suit-${suit}`} viewBox="0 0 70 98" aria-hidden="true">
      <g class="art">
        {face === 'A' ? (
          <SuitIcon suit={suit} x={35} y={52} size={36} />
        ) : pips ? (
          pips.map(([x, y]) => <SuitIcon suit={suit} x={x} y={y} size={pips.length < 9 ? 16 : 14} turned={y > 50} />)
        ) : (
          <Court suit={suit} face={face} shown={shown} />
        )}
      </g>
      <text class={shown === '10' ? 'rank ten' : 'rank'} x="9" y="17" text-anchor="middle">
        {shown}
      </text>
      <SuitIcon suit={suit} x={8.5} y={26} size={11} />
      <g class="foot" transform="rotate(180 35 49)">
        <text class={shown === '10' ? 'rank ten' : 'rank'} x="9" y="17" text-anchor="middle">
          {shown}
        </text>
        <SuitIcon suit={suit} x={8.5} y={26} size={11} />
      </g>
    </svg>
  )
}

export const CardFace = memo(({ card, shown }: { card: Card; shown: string }) => (
  <Drawing suit={suitOf(card)} face={faceOf(card)} shown={shown} />
))
