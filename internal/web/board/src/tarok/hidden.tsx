// The hidden mode: one player's cards, and games with the players of the server.

import { Controls, TakeBackButton } from '../shared/controls'
import { HandButtons, HandPage, Lobby, Status } from '../shared/handpage'
import { handText } from '../shared/session'
import type { Lang } from '../shared/words'
import { useTarokActs } from './acts'
import { saidText } from './choices'
import { Felt } from './felt'
import { type TarokHand, useTarokHand } from './hand'
import { useTarok } from './words'

function Line({ t: { s, me, contract } }: { t: TarokHand }) {
  const w = useTarok()
  if (!s) return <span>{w.b('lobby')}</span>
  return (
    <>
      <span>{handText(w, s)}</span>
      <span>{w.t('youAre', { seat: w.player(me) })}</span>
      {contract && (
        <span>
          {w.t('contract')}: {w.contract(contract)}
          {s.declarer && `, ${w.player(s.declarer)}`}
        </span>
      )}
      {saidText(w, s).map((x) => (
        <span key={x}>{x}</span>
      ))}
    </>
  )
}

export function HiddenTarok({ setLang, toOpen }: { setLang(l: Lang): void; toOpen(): void }) {
  const w = useTarok()
  const t = useTarokHand(w)
  const acts = useTarokActs(t, toOpen)
  const { D } = t
  const there = t.s && t.position
  return (
    <HandPage
      hand={t}
      page="tarok"
      title={w.b('title')}
      setLang={setLang}
      toOpen={toOpen}
      home={acts.home}
      line={
        <p class="deal-line">
          <Line t={t} />
        </p>
      }
      begins={<HandButtons hand={t} shares={t.over} />}
      table={
        there ? (
          <>
            <Felt t={t} acts={acts} />
            <Controls at={t.pace.at} of={t.total} total={48} first={t.first} go={acts.go}>
              {!t.earlier && <TakeBackButton session={t.session} off={t.still} act={() => void t.act('takeback')} />}
            </Controls>
            <Status hand={t} />
          </>
        ) : (
          <Lobby hand={t} title="Tarok" hint={w.b('lobbyHint')} />
        )
      }
      panel={there && (D ? <D.HandPanel t={t} acts={acts} /> : ' ')}
    />
  )
}
