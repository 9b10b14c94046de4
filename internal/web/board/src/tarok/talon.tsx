// The talon, and the cards that are put aside for some of it.

import { Lying } from './card'
import type { Card } from './cards'
import { type Position, exchangeOf, groupOf, groupsOf, takenOf } from './rules'
import { useTarok } from './words'

const range = (n: number): number[] => [...Array(n).keys()]

/** The talon in the groups of the contract. Where the declarer may take one, each is a button. */
export function Talon({
  contract,
  talon,
  group,
  given = 0,
  title,
  take,
}: {
  contract: Position['setup']['contract']
  talon: readonly Card[]
  group: number | null
  /** In klop: how many of its cards have been given away. */
  given?: number
  title?: string
  take?: ((group: number) => void) | undefined
}) {
  const w = useTarok()
  const groups =
    exchangeOf(contract) > 0
      ? range(groupsOf(contract)).map((g) => groupOf({ contract, talon }, g))
      : [talon.slice(given)]
  return (
    <section class="talon" aria-labelledby="talon-title">
      <h2 id="talon-title">{title ?? w.b(take ? 'takeGroup' : 'talon')}</h2>
      <ul>
        {groups.map((cards, g) => {
          const inside = cards.map((c) => (
            <span key={c} class="lying">
              <Lying card={c} />{' '}
            </span>
          ))
          return (
            <li key={g} class={group === g ? 'chosen' : ''}>
              {take ? (
                <button type="button" data-group={g + 1} onClick={() => take(g)}>
                  <span class="vh">{w.b('groupN', { n: g + 1 })}</span>
                  {inside}
                </button>
              ) : (
                <span class="group">{inside}</span>
              )}
              {group === g && <small>{w.b('taken')}</small>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Cards that have been put aside. */
export const PutAside = ({ cards, title }: { cards: readonly Card[]; title: string }) => (
  <section class="talon put" aria-labelledby="discards-title">
    <h2 id="discards-title">{title}</h2>
    <ul>
      <li>
        <span class="group">
          {cards.map((c) => (
            <span key={c} class="lying">
              <Lying card={c} />{' '}
            </span>
          ))}
        </span>
      </li>
    </ul>
  </section>
)

/** The cards that have been put aside so far, and places for those that are missing. */
export const Aside = ({ cards, of }: { cards: readonly Card[]; of: number }) => (
  <ul>
    <li>
      <span class="group">
        {cards.map((c) => (
          <span key={c} class="lying">
            <Lying card={c} />
          </span>
        ))}
        {range(of - cards.length).map((i) => (
          <span key={i} class="lying slot" aria-hidden="true" />
        ))}
      </span>
    </li>
  </ul>
)

/** The cards that the declarer has put aside, and how many are missing. */
export function Discards({ position: p, again }: { position: Position; again: (() => void) | undefined }) {
  const w = useTarok()
  const { setup } = p
  const all = exchangeOf(setup.contract)
  // The title does not count down: a shorter or longer line would move the cards below it.
  return (
    <section class="talon put" aria-labelledby="discards-title">
      <h2 id="discards-title">
        {setup.discards.length < all
          ? w.b(all === 1 ? 'discardOne' : 'discardN', {
              player: w.player(setup.declarer),
              n: all,
              cards: takenOf(setup).map(w.brief).join(' '),
            })
          : w.b('discards')}
      </h2>
      <Aside cards={setup.discards} of={all} />
      {again && (
        <button type="button" id="exchange-again" onClick={again}>
          {w.b('exchangeAgain')}
        </button>
      )}
    </section>
  )
}
