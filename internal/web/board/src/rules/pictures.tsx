// The pictures of the rules: cards in their order, cards that belong together, and the trick of a step.

import { useContext } from 'preact/hooks'
import { Face, Shown, Text } from './cards'
import type { Block, Moment } from './games'
import { Head } from '../shared/head'
import { useWords } from './words'
import type { RulesKey } from './words-en'

/** One part of a section. */
export function Part({ block }: { block: Block }) {
  const { facts } = useContext(Shown)
  const w = useWords()
  const say = (key: RulesKey) => <Text>{w.t(key, facts.numbers)}</Text>
  if ('text' in block)
    return (
      <>
        {block.text.map((key) => (
          <p key={key}>{say(key)}</p>
        ))}
      </>
    )
  if ('list' in block)
    return (
      <ul class="rules-list">
        {block.list.map((key) => (
          <li key={key}>{say(key)}</li>
        ))}
      </ul>
    )
  if ('orders' in block)
    return (
      <>
        {block.orders.map(([name, caption]) => (
          <Order key={name} name={name} caption={w.t(caption)} plain={block.plain ?? false} />
        ))}
      </>
    )
  if ('pictures' in block)
    return (
      <div class="rules-pictures">
        {block.pictures.map(([name, caption, points]) => (
          <figure key={name} class="rules-felt">
            <Row cards={facts.shown[name]!} />
            <figcaption>
              <span>{w.t(caption, facts.numbers)}</span>
              {points && <b class="rules-points">{w.t('points', { n: facts.numbers[points]! })}</b>}
            </figcaption>
          </figure>
        ))}
      </div>
    )
  if ('trick' in block)
    return (
      <figure class="rules-felt">
        <Trick moment={facts.hand[block.trick]!} />
        <figcaption>
          <span>{say(block.caption)}</span>
        </figcaption>
      </figure>
    )
  return (
    <table class="rules-table">
      {block.heads && <Head of={[null, ...block.heads.map((key) => w.t(key))]} />}
      <tbody>
        {block.table.map(([label, ...numbers]) => (
          <tr key={label}>
            <th scope="row">{say(label)}</th>
            {numbers.map((n) => (
              <td key={n}>{facts.numbers[n]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// Cards from the strongest to the weakest, with their points.
function Order({ name, caption, plain }: { name: string; caption: string; plain: boolean }) {
  const { facts } = useContext(Shown)
  const w = useWords()
  const { cards, points } = facts.orders[name]!
  return (
    <figure class={'rules-felt rules-order' + (cards.length > 9 ? ' many' : '')}>
      <figcaption>
        <span>{caption}</span>
        {!plain && (
          <small>
            {w.t('strongest')} → {w.t('weakest')}
          </small>
        )}
      </figcaption>
      <ol class="rules-row">
        {cards.map((card, i) =>
          card === '' ? (
            <li key="more" class="more" aria-hidden="true">
              …
            </li>
          ) : (
            <li key={card}>
              <Face card={card} />
              <b aria-hidden="true">{points[i]}</b>
              <span class="vh">{w.t('points', { n: points[i]! })}</span>
            </li>
          ),
        )}
      </ol>
    </figure>
  )
}

/** Cards beside each other. A bar stands after each meld. */
export function Row({ cards }: { cards: string }) {
  return (
    <ul class="rules-row">
      {placesOf(cards).map(({ name, meld }, i) =>
        name === '|' ? (
          <li key={i} class="gap" aria-hidden="true" />
        ) : (
          <li key={name} class={meld ? 'meld' : ''}>
            <Face card={name} />
          </li>
        ),
      )}
    </ul>
  )
}

/** What is in a row, and whether it is in a meld: a bar stands after each. */
export function placesOf(row: string): { name: string; meld: boolean }[] {
  const names = row.split(' ')
  const melds = names.lastIndexOf('|')
  return names.map((name, i) => ({ name, meld: i < melds }))
}

/** The cards on the table at a step, with who played them. */
export function Trick({ moment: m }: { moment: Moment }) {
  const w = useWords()
  return (
    <ul class={'rules-row rules-trick' + (m.table.length > 4 ? ' many' : '')}>
      {m.table.map(({ by, card }) => (
        <li key={by + card} class={m.won === by ? 'winning' : ''}>
          <Face card={card} />
          <small>
            {by === 'stock'
              ? w.t('stock', { n: m.trick! })
              : by === 'discards'
                ? w.t('discards')
                : by && w.t(`p_${by}` as RulesKey)}
            {m.won === by && <span class="vh"> {w.t('winner')}</span>}
          </small>
        </li>
      ))}
    </ul>
  )
}
