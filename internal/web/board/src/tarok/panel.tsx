// The panel beside the table: what each side has, the values of the legal cards, the tricks, and the score part by part.

import type { Answer } from '../answers'
import type { components } from '../contract'
import { Waiting } from '../frame'
import { Brief } from './art'
import { type Card, next, parseCard, players, points } from './cards'
import { type Position, declarerThirds, exchangeOf, opponentsThirds, tricksOf, turnOf } from './rules'
import { type Said, type Side, bonuses, kontras } from './state'
import type { Mark } from './table'
import { type TarokKey, type TarokWords, useTarok } from './words'

type Schemas = components['schemas']
export type Solution = Schemas['TarokSolution']
export type Score = Schemas['TarokScore']
type Move = NonNullable<Solution['moves']>[number]

/** The cards of a hand up to which the page asks for exact values by itself; and with which they can be had at all. */
export const soonExact = 8
export const mostExact = 12

/** What a card loses for its player. Exact: thirds of a point, or 1 for a beggar that is lost or let go. To a depth: a discounted value. */
export function lossOf(p: Position, s: Solution, m: Move): number {
  if (m.best) return 0
  const best = s.moves![0]!
  const sign = turnOf(p) === p.setup.declarer ? 1 : -1
  if (!s.exact) return sign * (best.value! - m.value!)
  return m.thirds === undefined ? 1 : sign * (best.thirds! - m.thirds)
}

function markOf(w: TarokWords, p: Position, s: Solution, m: Move): Mark {
  if (m.best) return { text: '★', said: w.t('isBest'), tone: 'v-best' }
  const n = lossOf(p, s, m)
  if (s.exact && m.thirds === undefined) return { text: '✗', said: w.b(turnOf(p) === p.setup.declarer ? 'losesBeggar' : 'givesBeggar'), tone: 'v-lost' }
  const tone = n >= 15 ? 'v-much' : 'v-some'
  if (s.exact) return { text: w.t('losesValue', { n: points(n) }), said: w.t('loses', { n: points(n) }), tone }
  const about = w.number(Math.round(n / 3 * 10) / 10)
  return { text: `~${about}`, said: w.b('losesAbout', { n: about }), tone }
}

/** What is shown below each legal card. */
export function marksOf(w: TarokWords, p: Position, s: Solution | undefined): Map<Card, Mark> {
  return new Map(p.phase !== 'play' ? [] : (s?.moves ?? []).map((m) => [parseCard(m.card)!, markOf(w, p, s!, m)]))
}

/** What each side, or in klop each player, has so far. */
export function Stand({ position: p }: { position: Position }) {
  const w = useTarok()
  const { declarer, contract } = p.setup
  const columns: { key: string; head: string; tricks: number; thirds: number }[] = contract === 'klop'
    ? players.map((x) => ({ key: x, head: w.player(x), tricks: tricksOf(p, x), thirds: p.won[x] }))
    : [
      { key: 'declarer', head: `${w.player(declarer)}, ${w.b('declarerRole')}`, tricks: tricksOf(p, declarer), thirds: declarerThirds(p) },
      { key: 'opponents', head: players.filter((x) => x !== declarer).join(' + '), tricks: tricksOf(p, next(declarer)) + tricksOf(p, next(declarer, 2)), thirds: opponentsThirds(p) },
    ]
  return (
    <table class="score">
      <caption class="vh">{w.t('score')}</caption>
      <thead><tr><td />{columns.map((c) => <th scope="col" key={c.key}>{c.head}</th>)}</tr></thead>
      <tbody>
        <tr><th scope="row">{w.t('tricks')}</th>{columns.map((c) => <td key={c.key}>{c.tricks}</td>)}</tr>
        <tr class="total"><th scope="row">{w.b('points')}</th>{columns.map((c) => <td key={c.key} id={'thirds-' + c.key} data-thirds={c.thirds}>{points(c.thirds)}</td>)}</tr>
      </tbody>
    </table>
  )
}

export function Values({ position: p, answer, exact, setExact, playCard, playLine }: {
  position: Position; answer: Answer<Solution>; exact: boolean; setExact(on: boolean): void; playCard(c: Card): void; playLine(cards: readonly Card[]): void
}) {
  const w = useTarok()
  if (p.phase === 'talon' || p.phase === 'discard') return <p class="hint" id="outcome">{w.b('valuesLater')}</p>
  if (p.setup.contract === 'klop') return <p class="hint" id="outcome">{w.b('valuesKlop')}</p>
  if (p.phase === 'finished') return <p class="hint" id="outcome">{w.b('valuesDone')}</p>
  const left = 16 - p.tricks.length
  const s = answer.value
  const marks = marksOf(w, p, s)
  const line = (s?.line ?? []).map((c) => parseCard(c)!)
  const beggar = p.setup.contract === 'beggar'
  return (
    <>
      {left > soonExact && (
        <div class="segments" role="group" aria-label={w.b('search')}>
          <button type="button" id="search-quick" aria-pressed={!exact} onClick={() => setExact(false)}>{w.b('searchQuick')}</button>
          <button type="button" id="search-exact" aria-pressed={exact} aria-disabled={left > mostExact} title={w.b('searchExactHint', { n: mostExact })} onClick={() => left <= mostExact && setExact(true)}>{w.b('searchExact')}</button>
        </div>
      )}
      {!s ? <Waiting answer={answer} /> : (
        <>
          {s.exact ? (
            <p class={'verdict ' + (s.won ? 'made' : 'nat')} id="outcome" data-thirds={s.thirds} data-won={s.won}>
              <b>{beggar ? <span aria-hidden="true">{s.won ? '✓' : '✗'}</span> : points(s.thirds!)}</b>
              <span>{w.b(s.won ? 'makesIt' : 'failsIt', { player: w.player(p.setup.declarer), contract: w.contract(p.setup.contract) })} <small>{beggar ? w.t('withBest') : w.b('ofTotal', { n: s.points! })}</small></span>
            </p>
          ) : <p class="hint" id="outcome" data-value={s.value}>{w.b('depthHint', { n: s.depth! })}</p>}
          <ul class="moves" aria-label={w.t('values')}>
            {s.moves!.map((m) => {
              const c = parseCard(m.card)!
              const mark = marks.get(c)!
              return (
                <li key={m.card}>
                  <button type="button" class={m.best ? 'best' : ''} onClick={() => playCard(c)} data-move={m.card} data-thirds={m.thirds} data-value={m.value}>
                    <Brief card={c} />
                    <span class="cost"><span aria-hidden="true">{mark.text}</span><span class="vh">{mark.said}</span></span>
                    <span class="to">{m.thirds !== undefined ? points(m.thirds) : m.value !== undefined ? w.signed(Math.round(m.value / 3 * 10) / 10) : ''}</span>
                  </button>
                </li>
              )
            })}
          </ul>
          {s.exact && line.length > 0 && (
            <>
              <h3>{w.t('bestLine')}</h3>
              <p class="hint">{w.t('lineHint')}</p>
              <ol class="line" aria-label={w.t('bestLine')}>
                {line.map((c, i) => <li key={c} class={(p.trick.length + i) % 3 === 0 && i > 0 ? 'lead' : ''}><button type="button" onClick={() => playLine(line.slice(0, i + 1))}><Brief card={c} /></button></li>)}
              </ol>
            </>
          )}
        </>
      )}
    </>
  )
}

/** The tricks so far, by player. A card is a way to go there. */
export function Tricks({ position: p, cursor, go }: { position: Position; cursor: number; go(to: number): void }) {
  const w = useTarok()
  if (p.tricks.length === 0) return <p class="hint">{w.b('tricksLater')}</p>
  return (
    <table class="review">
      <caption class="vh">{w.t('tricks')}</caption>
      <thead><tr><th scope="col">{w.t('trick')}</th>{players.map((x) => <th scope="col" key={x}>{w.player(x)}</th>)}<th scope="col">{w.b('points')}</th></tr></thead>
      <tbody>
        {p.tricks.map((t, n) => (
          <tr key={n}>
            <th scope="row">{n + 1}</th>
            {players.map((x) => {
              const i = (players.indexOf(x) - players.indexOf(t.leader) + 3) % 3
              const at = 3 * n + i
              return (
                <td key={x}>
                  <button type="button" class={(i === 0 ? 'lead' : '') + (t.winner === x ? ' wins' : '') + (at + 1 === cursor ? ' here' : '')} onClick={() => go(at + 1)}>
                    <Brief card={t.cards[i]!} />{i === 0 && <span class="vh"> {w.t('leads')}</span>}{t.winner === x && <span class="vh"> {w.b('wins')}</span>}
                  </button>
                </td>
              )
            })}
            <td>{points(t.thirds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What a finished hand scores, part by part. */
export function ScoreParts({ score: s }: { score: Score }) {
  const w = useTarok()
  const row = (key: string, name: string, value: number | undefined, show = value !== 0) =>
    value !== undefined && show ? <tr key={key}><th scope="row">{name}</th><td data-part={key}>{w.signed(value)}</td></tr> : null
  const part = (key: TarokKey) => w.b(key)
  return (
    <table class="advised parts" id="score">
      <caption class="vh">{w.t('score')}</caption>
      <tbody>
        {s.declarer && <tr><th scope="row">{w.b('counted')}</th><td id="counted">{s.opponents_points === undefined ? s.declarer_points : `${s.declarer_points} : ${s.opponents_points}`}</td></tr>}
        {s.points && players.map((x) => <tr key={x}><th scope="row">{w.b('countedOf', { player: w.player(x) })}</th><td>{s.points![x]}</td></tr>)}
        {s.declarer && row('game', `${w.contract(s.contract)}, ${w.b(s.won ? 'won' : 'lost')}`, s.game, true)}
        {s.bonuses && row('difference', part('difference'), s.difference, true)}
        {s.bonuses && bonuses.map((b) => row(b, w.bonus(b), s.bonuses![b]))}
        {s.radl && <tr><th scope="row">{w.b('radl')}</th><td>× 2</td></tr>}
        {players.map((x) => row('mond-' + x, w.b('mondOf', { player: w.player(x) }), s.mond[x]))}
      </tbody>
      <tfoot>{players.map((x) => (x === s.declarer || !s.declarer || s.total[x] !== 0 ? <tr key={x}><th scope="row">{w.player(x)}</th><td data-total={x}>{w.signed(s.total[x])}</td></tr> : null))}</tfoot>
    </table>
  )
}

/** What was announced and doubled, to be chosen, and the score of a finished hand. */
export function Scoring({ position: p, said, answer, change }: { position: Position; said: Said; answer: Answer<Score>; change(s: Said): void }) {
  const w = useTarok()
  const { contract } = p.setup
  const kontra = (id: string, label: string, value: Said['kontra'], set: (k: Said['kontra']) => void) => (
    <select id={id} aria-label={label} value={value} onChange={(e) => set(e.currentTarget.value as Said['kontra'])}>{kontras.map((k) => <option key={k} value={k}>{w.kontra(k)}</option>)}</select>
  )
  return (
    <>
      {contract !== 'klop' && (
        <table class="said">
          <caption>{w.b('announcements')}</caption>
          <thead class="vh"><tr><td /><th scope="col">{w.b('announcedBy')}</th><th scope="col">{w.b('doubled')}</th></tr></thead>
          <tbody>
            <tr><th scope="row">{w.b('game')}</th><td /><td>{kontra('kontra', w.b('doubledOf', { what: w.b('game') }), said.kontra, (k) => change({ ...said, kontra: k }))}</td></tr>
            {exchangeOf(contract) > 0 && bonuses.map((b) => {
              const now = said.bonuses[b]
              const { [b]: _, ...rest } = said.bonuses
              return (
                <tr key={b}>
                  <th scope="row">{w.bonus(b)}</th>
                  <td><select id={'by-' + b} aria-label={w.b('announcedOf', { what: w.bonus(b) })} value={now?.by ?? ''} onChange={(e) => {
                    const by = e.currentTarget.value as Side | ''
                    change({ ...said, bonuses: by === '' ? rest : { ...rest, [b]: { by, kontra: now?.kontra ?? 'none' } } })
                  }}><option value="">{w.b('silent')}</option><option value="declarer">{w.b('declarerRole')}</option><option value="opponents">{w.b('opponents')}</option></select></td>
                  <td>{now && kontra('kontra-' + b, w.b('doubledOf', { what: w.bonus(b) }), now.kontra, (k) => change({ ...said, bonuses: { ...said.bonuses, [b]: { ...now, kontra: k } } }))}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {p.phase !== 'finished' ? <p class="hint">{w.b('scoreLater')}</p> : answer.value ? <ScoreParts score={answer.value} /> : <Waiting answer={answer} />}
    </>
  )
}
