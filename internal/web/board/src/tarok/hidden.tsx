// The hidden mode: one player's cards, and games with the players of the server.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../answers'
import { useAsked } from '../asked'
import { HelpButton, Skip, useKeys } from '../controls'
import { Header, KeyDialog, ModeSwitch, failureText, useKeyAsked, useStatus } from '../frame'
import { useLater } from '../later'
import * as prefs from '../prefs'
import type { Lang } from '../words'
import { type Advice, AdvicePanel, adviceRequest, advisable, deedOf, deedText } from './advice'
import { type Card, type Player, next, parseCard, sorted, sum, wire } from './cards'
import { hiddenKeyRows } from './help'
import { ScoreParts } from './panel'
import { type Contract, discardable, exchangeOf, groupOf } from './rules'
import { type Session, useTarokGame } from './session'
import { type Bonus, bonuses } from './state'
import { CardButton, Lying, PutAside, Talon, TrickView, focusOn, placeOf } from './table'
import { type TarokKey, type TarokWords, useTarok } from './words'

/** The address of the mode. No card is in it. */
export const hiddenFragment = '#v=1&m=play'

const sides = ['you', 'left', 'right'] as const
const cards = (list: readonly string[]): Card[] => list.map((c) => parseCard(c)!)
const bidText = (w: TarokWords, b: string): string => (b === 'pass' ? w.t('passes') : w.contract(b as Contract))

/** What everyone has said so far. */
function saidText(w: TarokWords, s: Session): string[] {
  const out = s.said.kontra === 'none' ? [] : [`${w.b('game')}: ${w.kontra(s.said.kontra)}`]
  for (const b of bonuses) {
    const one = s.said.announcements[b]
    if (one) out.push(`${w.bonus(b)}: ${w.b(one.by === 'declarer' ? 'declarerRole' : 'opponents')}${one.kontra && one.kontra !== 'none' ? ', ' + w.kontra(one.kontra) : ''}`)
  }
  return out
}

/** The choices in the middle of the table: a bid, announcements, or nothing. */
function Choices({ session: s, busy, act }: { session: Session; busy: boolean; act(path: 'bid' | 'announce', more: object): void }) {
  const w = useTarok()
  const [chosen, choose] = useState<string[]>([])
  useEffect(() => choose([]), [s.acts])
  if (s.state === 'bidding') {
    return (
      <section class="auction" aria-labelledby="auction-title">
        <h2 id="auction-title">{w.b('yourBid')}</h2>
        {s.bids.length > 0 && <ol>{s.bids.map((b, i) => <li key={i}>{w.player(b.player)}: {bidText(w, b.bid)}</li>)}</ol>}
        <p class="calls">{s.legal_bids.map((b) => <button type="button" key={b} data-bid={b} aria-disabled={busy} onClick={() => !busy && act('bid', { bid: b })}>{b === 'pass' ? w.t('pass') : w.contract(b as Contract)}</button>)}</p>
      </section>
    )
  }
  const toggle = (x: string) => choose(chosen.includes(x) ? chosen.filter((y) => y !== x) : [...chosen, x])
  const box = (id: string, text: string) => <label class="check" key={id}><input type="checkbox" id={'say-' + id} checked={chosen.includes(id)} onChange={() => toggle(id)} />{text}</label>
  const with_ = (prefix: string): string[] => chosen.filter((x) => x.startsWith(prefix)).map((x) => x.slice(prefix.length))
  return (
    <section class="auction" aria-labelledby="auction-title">
      <h2 id="auction-title">{w.b('yourWords')}</h2>
      {s.may.bonuses.map((b) => box('b-' + b, w.b('announceIt', { what: w.bonus(b as Bonus) })))}
      {s.may.double.map((b) => box('d-' + b, w.b('doubleIt', { what: b === 'game' ? w.b('game') : w.bonus(b as Bonus) })))}
      <p class="calls"><button type="button" class="main" id="say" aria-disabled={busy} onClick={() => !busy && act('announce', { bonuses: with_('b-'), double: with_('d-') })}>{w.b(chosen.length > 0 ? 'sayIt' : 'sayNothing')}</button></p>
    </section>
  )
}

function Other({ session: s, player }: { session: Session; player: Player }) {
  const w = useTarok()
  const side = player === next(s.seat) ? 'left' : 'right'
  const role = s.declarer === player ? `, ${w.b('declarerRole')}` : ''
  return (
    <section class={`hand other hand-${placeOf(player, s.seat)}`} aria-labelledby={'hand-' + player}>
      <h2 id={'hand-' + player}>{w.player(player)}{role} <span class="left">{w.b(`kind_${s.players[side] as 'random'}`)}. {w.b('tricksN', { n: s.tricks[player] })}</span></h2>
    </section>
  )
}

export function HiddenTarok({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(): void }) {
  const w = useTarok()
  const [said, say] = useStatus(w)
  const [dialog, setDialog] = useState<'' | 'stop' | 'play' | 'help' | 'key'>('')
  const [keys, setKeys] = useState(prefs.shortcuts())
  const [chosen, setChosen] = useState<Card | undefined>()
  const [group, setGroup] = useState<number | null>(null)
  const [away, setAway] = useState<Card[]>([])
  const [asked, setAsked] = useState('')
  const wantsFocus = useRef(false)
  const game = useTarokGame((after, before) => {
    wantsFocus.current = document.querySelector('dialog') === null
    setGroup(null)
    setAway([])
    say((w) => news(w, after, before))
  })
  const s = game.session
  const me = s?.seat ?? 'A'
  const contract = s?.contract as Contract | undefined
  const exchanging = s?.state === 'exchange' && contract !== undefined
  const talon = s ? cards(s.talon) : []
  const taken = exchanging && group !== null ? groupOf({ contract, talon }, group) : []
  const hand = s ? sorted([...cards(s.held), ...taken]).filter((c) => !away.includes(c)) : []
  const legal: readonly Card[] = !s ? [] : s.state === 'playing' ? cards(s.legal) : exchanging && group !== null ? discardable(hand) : []
  const over = s !== null && (s.state === 'hand_over' || s.state === 'over')
  const key = s ? `${s.id} ${s.acts}` : ''
  const request = s && advisable(s) && asked === key ? adviceRequest(s) : null
  const advice = useAnswer<Advice>(request ? key : '', request?.path ?? '', () => request!.body)
  const advised = request ? advice.value : undefined
  const best = !advised ? [] : 'card' in advised ? [parseCard(advised.card)!] : 'group' in advised && group === advised.group ? cards(advised.discards) : []

  const useCard = (c: Card) => {
    if (!s || game.busy) return
    if (!legal.includes(c)) return say((w) => w.t('saidRefused', { card: w.card(c), why: w.b(exchanging ? (group === null ? 'why_talon' : 'why_discard') : 'why_not') }))
    if (exchanging) {
      const all = [...away, c]
      if (all.length < exchangeOf(contract)) {
        wantsFocus.current = true
        setAway(all)
        return say((w) => w.b('saidDiscard', { player: w.player(me), card: w.card(c) }))
      }
      return game.act('exchange', { group, discards: all.map(wire) })
    }
    game.act('play', { card: wire(c) })
  }
  const follow = () => {
    if (!advised || game.busy) return
    const deed = deedOf(advised)
    game.act(deed.path, deed.more)
  }
  const tell = useAsked(key, advice, say, [(w: TarokWords) => w.t('saidAdvice', { what: deedText(w, advice.value!) })])
  const ask = () => {
    if (!s || !advisable(s)) return
    setAsked(key)
    tell(0)
  }
  const stop = chosen !== undefined && hand.includes(chosen) ? chosen : legal[0] ?? hand[0]
  const toTable = () => {
    const choice = document.querySelector<HTMLElement>('#felt .auction button, #felt [data-group], #next-hand, #again, #lobby-play')
    if (legal.length === 0 && choice) choice.focus()
    else focusOn(legal[0] ?? hand[0])
  }
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    toTable()
  }, [s, away, group])
  useKeyAsked([game, advice], () => setDialog('key'))

  useKeys(dialog !== '', keys, { at: 0, of: 0, go: () => {}, letters: { m: toOpen, '?': () => setDialog('help'), a: ask, b: () => (advised ? follow() : say((w) => w.t('askFirst'))) } }, (e, card) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    if (!step) return false
    const c = parseCard(card.dataset['card']!)!
    focusOn(hand[(hand.indexOf(c) + step + hand.length) % hand.length])
    return true
  })

  const trick = s?.trick && s.trick.cards.length > 0 ? s.trick : s?.last_trick ?? s?.trick
  // In klop the winner of each of the first six tricks gets the next card of the talon, which is then seen.
  const gift = contract === 'klop' && trick?.winner ? talon.slice(trick.number - 1, trick.number) : []
  const last = s?.results[s.results.length - 1]
  const close = () => setDialog('')
  const D = useLater(() => import('./ondemand'), dialog !== '', () => {
    close()
    say((w) => w.t('offline'))
  })
  return (
    <>
      <Skip to={toTable} />
      <Header page="tarok" setLang={setLang} mode={<ModeSwitch mode="hidden" change={toOpen} />}><HelpButton open={() => setDialog('help')} /></Header>
      <main>
        <h1 class="vh">{w.b('title')}</h1>
        <div class="bar">
          <p class="deal-line">{s ? <><span>{w.t('handOf16', { n: s.number, of: s.hands })}</span><span>{w.t('youAre', { seat: w.player(me) })}</span>{contract && <span>{w.t('contract')}: {w.contract(contract)}{s.declarer && `, ${w.player(s.declarer)}`}</span>}{saidText(w, s).map((x) => <span key={x}>{x}</span>)}</> : <span>{w.b('lobby')}</span>}</p>
          <span class="grow" />
          <button type="button" class={s ? '' : 'main'} id="play" onClick={() => setDialog('play')}>{w.t(s ? 'newGame' : 'playIt')}</button>
          {s && <button type="button" id="stop" onClick={() => setDialog('stop')}>{w.t('stopGame')}…</button>}
        </div>
        {game.news && <p class="notice" id="news">{w.t(game.news)}</p>}
        {game.refused && <p class="notice bad" id="refused">{game.refused}</p>}
        {game.failure && <p class="notice bad" id="game-failed">{game.wait !== undefined ? w.t('busy', { n: game.wait }) : failureText(w, game.failure)} <button type="button" onClick={game.retry}>{w.t('retry')}</button></p>}
        {!s ? <div class="felt lobby" id="felt"><p>{w.b('lobbyHint')}</p><button type="button" class="main" id="lobby-play" onClick={() => setDialog('play')}>{w.t('playIt')}</button></div> : (
          <div class="page">
            <div class="play">
              <div class={'felt tarok seen' + (exchanging ? ' exchanging' : '')} id="felt" role="group" aria-label={w.t('table')}>
                {[next(me), next(me, 2)].map((p) => <Other key={p} session={s} player={p} />)}
                <div class="side">
                  {contract && talon.length > 0 && <Talon contract={contract} talon={talon} {...(contract === 'klop' ? { title: w.b('given') } : {})} group={group ?? s.group ?? null} take={exchanging && !game.busy ? setGroup : undefined} />}
                  {exchanging && group !== null && (
                    <section class="talon" aria-labelledby="discards-title">
                      <h2 id="discards-title">{w.b('putAside', { n: exchangeOf(contract) - away.length })}</h2>
                      {away.length > 0 && <><ul><li><span class="group">{away.map((c) => <span key={c} class="lying"><Lying card={c} /></span>)}</span></li></ul>
                        <button type="button" id="exchange-again" onClick={() => setAway([])}>{w.b('exchangeAgain')}</button></>}
                    </section>
                  )}
                  {!exchanging && s && s.discards.length > 0 && <PutAside cards={cards(s.discards)} title={w.b(s.declarer === me ? 'discards' : 'discardsSeen')} />}
                </div>
                {s.state === 'bidding' || s.state === 'announce' ? <Choices session={s} busy={game.busy} act={game.act} />
                  : trick && !exchanging && <TrickView leader={trick.leader} cards={cards(trick.cards)} number={trick.number} bottom={me}
                    done={trick.winner ? { leader: trick.leader, cards: cards(trick.cards), winner: trick.winner, thirds: sum([...cards(trick.cards), ...gift]), ...(gift[0] === undefined ? {} : { gift: gift[0] }) } : undefined} />}
                <section class={'hand hand-S' + (over ? '' : ' turn')} aria-labelledby="hand-own">
                  <h2 id="hand-own">{w.t('yourHand', { seat: w.player(me) })}{s.declarer === me && `, ${w.b('declarerRole')}`} <span class="left">{w.b('tricksN', { n: s.tricks[me] })}</span>{!over && <span class="to-play">{game.busy ? '…' : w.b(`do_${s.state}` as TarokKey)}</span>}</h2>
                  <ul>{hand.map((c) => {
                    const may = legal.includes(c)
                    const star = best.includes(c)
                    return <li key={c}><CardButton card={c} may={may} stop={c === stop} play={useCard} focus={setChosen}
                      label={w.card(c) + (legal.length > 0 && !may ? `, ${w.t('notLegal', { why: w.b(exchanging ? 'why_discard' : 'why_not') })}` : star ? `, ${w.t('advised')}` : '')}
                      classes={(legal.length > 0 ? (may ? ' legal' : ' illegal') : '') + (star ? ' best' : '')}>
                      {star && <span class="value v-best" aria-hidden="true">★</span>}
                    </CardButton></li>
                  })}</ul>
                </section>
              </div>
              <p class="status" id="status" role="status">{game.busy ? <span class="late">{w.t('thinking')}</span> : said || null}</p>
            </div>
            <aside class="panel" aria-label={w.t('score')}>
              <table class="score">
                <caption class="vh">{w.t('score')}</caption>
                <thead><tr><td />{sides.map((x) => <th scope="col" key={x}>{w.b(x)}</th>)}</tr></thead>
                <tbody>
                  <tr><th scope="row">{w.b('radli')}</th>{sides.map((x) => <td key={x}>{s.radli[x]}</td>)}</tr>
                  {s.results.map((r) => <tr key={r.number}><th scope="row">{w.b('handRow', { n: r.number, contract: w.contract(r.score.contract) })}</th>{sides.map((x) => <td key={x}>{w.signed(r.scored[x])}</td>)}</tr>)}
                  <tr class="total"><th scope="row">{w.t('total')}</th>{sides.map((x) => <td key={x} data-total={x}>{w.signed(s.totals[x])}</td>)}</tr>
                </tbody>
              </table>
              {contract && s.bids.length > 0 && <details id="bids"><summary>{w.b('bids')}</summary><ol>{s.bids.map((b, i) => <li key={i}>{w.player(b.player)}: {bidText(w, b.bid)}</li>)}</ol></details>}
              {advisable(s) && <p class="row"><button type="button" id="ask" title={w.b('askHint')} aria-disabled={request !== null} onClick={ask}>{w.t('advice')}</button></p>}
              {request && <AdvicePanel answer={advice} session={s} busy={game.busy} follow={follow} />}
              {over && last && <><h3 id="result">{w.b('resultOf', { n: last.number })}</h3><ScoreParts score={last.score} />
                <p class="row end">{s.state === 'hand_over' ? <button type="button" class="main" id="next-hand" aria-disabled={game.busy} onClick={() => game.act('next', {})}>{w.t('nextHand')}</button> : <button type="button" class="main" id="again" onClick={() => setDialog('play')}>{w.t('playAgain')}</button>}</p></>}
            </aside>
          </div>
        )}
      </main>
      {dialog === 'play' && D && <D.PlayDialog close={close} begin={(r) => {
        close()
        game.start(r)
      }} />}
      {dialog === 'help' && D && <D.KeysDialog close={close} keys={keys} setKeys={setKeys} text={w.b('helpHidden')} rows={hiddenKeyRows(w)} />}
      {dialog === 'stop' && D && <D.StopDialog close={close} stop={() => {
        wantsFocus.current = true
        game.end()
        say('')
      }} />}
      {dialog === 'key' && <KeyDialog close={close} />}
    </>
  )
}

// What is read aloud after an answer: what others have done since, and what is to be done.
function news(w: TarokWords, s: Session, before: Session | null): string {
  const parts: string[] = []
  const old = before?.id === s.id && before.number === s.number ? before : null
  for (const b of s.bids.slice(old?.bids.length ?? 0)) if (b.player !== s.seat) parts.push(`${w.player(b.player)}: ${bidText(w, b.bid)}.`)
  if (s.contract && !old?.contract) parts.push(w.b('saidPlays', { contract: w.contract(s.contract), player: s.declarer ? w.player(s.declarer) : w.b('everyone') }))
  const played = cards(s.view.played ?? [])
  const table = s.trick?.cards.length ?? 0
  for (const [i, c] of cards(s.trick?.cards ?? []).entries()) parts.push(w.t('said', { seat: w.player(next(s.trick!.leader, i)), card: w.card(c) }))
  if (s.last_trick?.winner && table === 0 && played.length > 0) parts.push(w.t('won', { seat: w.player(s.last_trick.winner), n: s.last_trick.number, points: '' }).replace(/: $/, '.'))
  if (s.state === 'hand_over' || s.state === 'over') parts.push(w.b('saidEnd') + ' ' + w.b('saidTotals', { you: w.signed(s.totals.you), left: w.signed(s.totals.left), right: w.signed(s.totals.right) }))
  else parts.push(w.b(`do_${s.state}`) + '.')
  return parts.join(' ')
}
