// What is on the table of a hand that is played on the server: as one seat sees it, or with all cards when it is over.

import { HandCard } from '../shared/card'
import type { TarokActs } from './acts'
import { inHand } from './card'
import { type Card, type Player, next } from './cards'
import { Choices } from './choices'
import type { TarokHand } from './hand'
import { exchangeOf, tricksOf } from './rules'
import { cards } from './shown'
import { TarokTable, Trick, placeOf } from './table'
import { Aside, PutAside, Talon } from './talon'
import { type TarokKey, useTarok } from './words'

interface Props {
  t: TarokHand
  acts: TarokActs
}

function Other({ t: { s, position }, player }: { t: TarokHand; player: Player }) {
  const w = useTarok()
  const { seat, players, declarer } = s!
  const side = player === next(seat) ? 'left' : 'right'
  const role = declarer === player ? `, ${w.b('declarerRole')}` : ''
  return (
    <section class={`hand other hand-${placeOf(player, seat)}`} aria-labelledby={'hand-' + player}>
      <h2 id={'hand-' + player}>
        {w.player(player)}
        {role}{' '}
        <span class="left">
          {w.b(`kind_${players[side] as 'random'}`)}. {w.b('tricksN', { n: tricksOf(position!, player) })}
        </span>
      </h2>
    </section>
  )
}

function OwnCard({ t, acts, card: c }: Props & { card: Card }) {
  const w = useTarok()
  const { legal, exchanging } = t
  return (
    <HandCard
      {...inHand(w, c)}
      live={legal.length > 0}
      may={legal.includes(c)}
      why={() => w.b(exchanging ? 'why_discard' : 'why_not')}
      mark={t.marks.get(c)}
      refused={null}
      stop={t.stop}
      play={acts.useCard}
      focus={t.choose}
    />
  )
}

function OwnHand({ t, acts }: Props) {
  const w = useTarok()
  const { me, still, pace } = t
  const { state, declarer } = t.s!
  return (
    <section class={'hand hand-S' + (pace.coming ? '' : ' turn')} aria-labelledby="hand-own">
      <h2 id="hand-own">
        {w.t('yourHand', { seat: w.player(me) })}
        {declarer === me && `, ${w.b('declarerRole')}`}{' '}
        <span class="left">{w.b('tricksN', { n: tricksOf(t.position!, me) })}</span>
        <span class="to-play">{still ? '…' : w.b(`do_${state}` as TarokKey)}</span>
      </h2>
      <ul>
        {t.whole.map((c) =>
          t.away.includes(c) ? (
            <li key={c} class="slot" aria-hidden="true" />
          ) : (
            <li key={c}>
              <OwnCard t={t} acts={acts} card={c} />
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

// The cards that are put aside in the exchange.
function Putting({ t: { away, contract, setAway } }: { t: TarokHand }) {
  const w = useTarok()
  const of = exchangeOf(contract!)
  return (
    <section class="talon put" aria-labelledby="discards-title">
      <h2 id="discards-title">{w.b('putAside', { n: of - away.length })}</h2>
      <Aside cards={away} of={of} />
      <button type="button" id="exchange-again" aria-disabled={away.length === 0} onClick={() => setAway([])}>
        {w.b('exchangeAgain')}
      </button>
    </section>
  )
}

// As the seat sees it.
function SeenTable({ t, acts }: Props) {
  const w = useTarok()
  const { s, me, contract, talon, exchanging, group, pace, game, position } = t
  const { state, discards, declarer } = s!
  const skip = () => pace.coming && pace.show(t.total)
  return (
    <div
      class={'felt tarok seen' + (exchanging ? ' exchanging' : '')}
      id="felt"
      role="group"
      aria-label={w.t('table')}
      tabIndex={-1}
      onClick={skip}
      onKeyDown={(e) => e.key === 'Enter' && e.target === e.currentTarget && skip()}>
      {[next(me), next(me, 2)].map((p) => (
        <Other key={p} t={t} player={p} />
      ))}
      {contract && talon.length > 0 && (
        <Talon
          contract={contract}
          talon={talon}
          {...(contract === 'klop' ? { title: w.b('given') } : {})}
          group={group ?? s!.group ?? null}
          take={exchanging && !game.busy ? t.setGroup : undefined}
        />
      )}
      {exchanging && group !== null && <Putting t={t} />}
      {!exchanging && discards.length > 0 && (
        <PutAside cards={cards(discards)} title={w.b(declarer === me ? 'discards' : 'discardsSeen')} />
      )}
      {state === 'bidding' || state === 'announce' ? (
        <Choices session={s!} busy={t.still} act={(path, more) => void t.act(path, more)} />
      ) : (
        !exchanging && <Trick position={position!} bottom={me} gathers={!t.back} />
      )}
      <OwnHand t={t} acts={acts} />
    </div>
  )
}

export function Felt({ t, acts }: Props) {
  const { D, chosen, pace } = t
  if (!t.over) return <SeenTable t={t} acts={acts} />
  return (
    <TarokTable
      position={t.position!}
      bottom={t.me}
      still
      marks={t.marks}
      late={false}
      chosen={chosen === undefined ? {} : { A: chosen, B: chosen, C: chosen }}
      refused={null}
      playCard={acts.useCard}
      focusCard={t.choose}>
      {D && pace.at <= 0 && t.first < 0 && <D.Steps session={t.s!} at={pace.at} />}
    </TarokTable>
  )
}
