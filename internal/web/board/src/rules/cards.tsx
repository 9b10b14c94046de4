// Cards by the names of the API: their faces, their names, and cards in sentences.

import { type ComponentChildren, type VNode, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Suit, symbols } from '../shared/cards'
import { letterOf } from '../shared/typed'
import type { Key } from '../shared/words'
import type { Facts, Game } from './games'
import { type Words, useWords } from './words'
import type { RulesKey } from './words-en'

/** Draws the face of a card of a game. shown is its rank as it stands on the card. */
export type Draw = (game: Game, card: string, suit: string, rank: string, shown: string) => VNode

/** The game of the page, and what it has. */
export const Shown = createContext<{ game: Game; facts: Facts; draw: Draw }>(null!)

/** The suit and the rank of a card. In tarok the suit comes first, T for a tarok. */
export const partsOf = (game: Game, card: string): [suit: string, rank: string] =>
  game === 'tarok' ? [card.charAt(0), card.slice(1)] : [card.slice(-1), card.slice(0, -1)]

/** The rank as it stands on the card. The king of tarok keeps his letter in Dutch. */
const shownRank = (w: Words, game: Game, suit: string, rank: string): string =>
  game === 'tarok' && (suit === 'T' || rank === 'K') ? rank : letterOf(w.lang, rank)

const trula: Record<string, RulesKey> = { '1': 'pagat', '21': 'mond', '22': 'skis' }

/** The name of a card. */
export function nameOf(w: Words, game: Game, card: string): string {
  const [suit, rank] = partsOf(game, card)
  if (suit === 'T') return w.t(trula[rank] ?? 'tarokN', { n: rank })
  const face = game === 'tarok' && rank === 'K' ? w.t('fKing') : w.t(`f${rank}` as Key)
  const name = w.t('cardName', { face, suit: w.suit(suit as Suit) })
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The face of a card with its name, or a card face down. */
export function Face({ card, label }: { card: string; label?: string }) {
  const { game, draw } = useContext(Shown)
  const w = useWords()
  if (card === '?')
    return (
      <>
        <span class="rules-back" />
        <span class="vh">{w.t('faceDown')}</span>
      </>
    )
  const [suit, rank] = partsOf(game, card)
  return (
    <>
      {draw(game, card, suit, rank, shownRank(w, game, suit, rank))}
      <span class="vh">{label ?? nameOf(w, game, card)}</span>
    </>
  )
}

/** A sentence with its cards and its terms. */
export function Text({ children }: { children: string }) {
  const { game } = useContext(Shown)
  const w = useWords()
  const parts: ComponentChildren[] = children.split(/(\[[^\]]+\]|\*[^*]+\*)/).map((part) => {
    if (part.startsWith('*')) return <strong>{part.slice(1, -1)}</strong>
    if (!part.startsWith('[')) return part
    const card = part.slice(1, -1)
    const [suit, rank] = partsOf(game, card)
    return (
      <span class={`brief suit-${suit}`}>
        <span aria-hidden="true">
          {shownRank(w, game, suit, rank)}
          {suit === 'T' ? '' : symbols[suit as Suit]}
        </span>
        <span class="vh">{nameOf(w, game, card)}</span>
      </span>
    )
  })
  return <>{parts}</>
}
