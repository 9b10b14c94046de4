// The example hand, step by step.

import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Face, Shown, Text, nameOf } from './cards'
import { type Moment, about } from './games'
import { Trick, placesOf } from './pictures'
import { type Words, useWords } from './words'
import type { RulesKey } from './words-en'

const letters = ['a', 'b', 'c', 'd', 'e']

/** What a step tells about it: points of the trick, melds, and what the sides have. */
const varsOf = (m: Moment): Record<string, number> => ({
  n: m.trick ?? 0,
  m: m.melds ?? 0,
  ...Object.fromEntries((m.sums ?? []).map((n, i) => [letters[i]!, n])),
})

export function Hand() {
  const { game, facts } = useContext(Shown)
  const w = useWords()
  const [at, set] = useState(0)
  const last = facts.hand.length - 1
  const to = (n: number) => set(Math.max(0, Math.min(last, n)))
  const nextTrick = facts.hand.findIndex((m, i) => i > at && (m.won !== undefined || i === last))
  const goes = useRef({ at, to, last })
  goes.current = { at, to, last }
  useEffect(() => {
    const keyed = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.altKey || e.metaKey || e.shiftKey) return
      const { at, to, last } = goes.current
      const n = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[e.key]
      if (n === undefined) return
      // The keys that also scroll belong to the hand only while it has the focus.
      if (e.key.length < 5 && !(e.target as Element).closest('#rules-hand')) return
      e.preventDefault()
      to(n)
    }
    addEventListener('keydown', keyed)
    return () => removeEventListener('keydown', keyed)
  }, [])
  const m = facts.hand[at]!
  const { seats, sides, short } = about[game]
  const note = w.maybe(`note_${short}${at}`, { ...facts.numbers, ...varsOf(m) })
  const tricks = facts.hand.some((m) => m.won)
  return (
    <section class="rules-section" id="rules-hand" aria-labelledby="rules-hand-title">
      <h2 id="rules-hand-title">{w.t('example')}</h2>
      <p class="hint">{w.t(game === 'gin-rummy' ? 'exampleMelds' : 'exampleHint')}</p>
      <div class={'rules-felt rules-board ' + game}>
        {seats.map(([player, area], i) => (
          <Player key={player} player={player} area={area} row={m.rows[i]!} moment={m} />
        ))}
        <div class="rules-middle">
          <h3 class="vh">{w.t('table')}</h3>
          {m.table.length > 0 ? <Trick moment={m} /> : <span class="vh">{w.t('empty')}</span>}
        </div>
        {m.sums && m.does !== 'end' && (
          <p class="rules-sums">
            <span>{w.t(game === 'gin-rummy' ? 'sumsDead' : 'sumsPoints')}</span>
            {sides.map((side, i) => (
              <span key={side.join()}>
                {side.map((p) => w.t(`p_${p}` as RulesKey)).join(' + ')} <b>{m.sums![i]}</b>
              </span>
            ))}
          </p>
        )}
      </div>
      <div class="rules-says" role="status">
        <p>
          <Text>{sentence(w, m)}</Text>
        </p>
        {note && (
          <p class="rules-note">
            <Text>{note}</Text>
          </p>
        )}
      </div>
      <div class="controls">
        <button
          type="button"
          class="round"
          id="rules-first"
          aria-label={w.t('first')}
          title={w.t('first')}
          aria-disabled={at === 0}
          onClick={() => to(0)}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M7 5v14M19 6l-8 6 8 6" stroke="currentColor" stroke-width="2" />
          </svg>
        </button>
        <button type="button" id="rules-back" aria-disabled={at === 0} onClick={() => to(at - 1)}>
          ← {w.t('undo')}
        </button>
        <button type="button" class="main" id="rules-next" aria-disabled={at === last} onClick={() => to(at + 1)}>
          {w.t('redo')} →
        </button>
        {tricks && (
          <button
            type="button"
            id="rules-trick"
            aria-disabled={at === last}
            onClick={() => nextTrick > 0 && to(nextTrick)}>
            {w.t('nextTrick')} ⇥
          </button>
        )}
        <span class="count">{w.t('step', { n: at + 1, of: last + 1 })}</span>
      </div>
    </section>
  )
}

// What happened, in a sentence or two.
function sentence(w: Words, m: Moment): string {
  const player = m.by ? w.t(`p_${m.by}` as RulesKey) : ''
  const words = m.does === 'bid' || m.does === 'announce'
  const card = words ? '' : (m.cards ?? '').replace(/\S+/g, '[$&]')
  const what = words ? w.t(`w_${m.cards}` as RulesKey) : ''
  const said = w.t(`s_${m.does}` as RulesKey, { player, card, what })
  if (!m.won) return said
  const winner = w.t(`p_${m.won}` as RulesKey)
  return said + ' ' + w.t(m.melds ? 's_wonMelds' : 's_won', { player: winner, n: m.trick ?? 0, m: m.melds ?? 0 })
}

function Player({ player, area, row, moment: m }: { player: string; area: string; row: string; moment: Moment }) {
  const { game } = useContext(Shown)
  const w = useWords()
  const may = new Set(m.may?.split(' '))
  const turn = m.turn === player
  return (
    <div class={`rules-player at-${area}` + (turn ? ' turn' : '')}>
      <h3>
        {w.t(`p_${player}` as RulesKey)}
        {turn && <span class="to-play">{w.t('turnHere')}</span>}
      </h3>
      <ul class="rules-row">
        {placesOf(row).map(({ name: c, meld }, i) => {
          const card = c.replace('+', '')
          if (card === '' || card === '-' || card === '|')
            return <li key={i} class={card === '|' ? 'gap' : 'none'} aria-hidden="true" />
          const below = c !== card
          const classes =
            (turn && card !== '?' && !may.has(card) ? ' not' : '') + (below ? ' below' : '') + (meld ? ' meld' : '')
          return (
            <li key={card === '?' ? i : card} class={classes.trim()}>
              <Face card={card} {...(below ? { label: w.t('below', { card: nameOf(w, game, card) }) } : {})} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
