// The page of Gin Rummy: a game against the computer with the estimate of its hand, or a situation that was entered.

import { Language, Waiting, useLanguage } from '../shared/frame'
import { BackToGame, HandPage, Lobby, ShareButton } from '../shared/handpage'
import { recordHash } from '../shared/history'
import { LinkedRecord } from '../shared/records'
import { handText } from '../shared/session'
import type { Lang } from '../shared/words'
import { useGinActs } from './acts'
import { GinHeat, GinPanel, GinTable, mayLayOff } from './felt'
import { type GinHand, useGinHand } from './hand'
import { SituationDialog, levels, readEntered } from './play'
import { type Session, type Situation, exampleSituation } from './state'
import { fragment } from './url'
import { ginWords, useGin } from './words'

export function GinPage() {
  const [w, setLang] = useLanguage((w) => ginWords(w).g('title'))
  return (
    <Language.Provider value={w}>
      <Gin setLang={setLang} />
    </Language.Provider>
  )
}

function About({ session: s }: { session: Session }) {
  const w = useGin()
  const player = w.g(levels[s.players.opponent.split(':')[0]!] ?? 'pPlayout').split(':')[0]!
  return (
    <>
      <span>{handText(w, s)}</span>
      <span class="hint">{w.g('against', { player })}</span>
    </>
  )
}

function Begins({ t }: { t: GinHand }) {
  const w = useGin()
  const { entered, session, situation, open } = t
  return (
    <>
      <BackToGame hand={t} />
      {entered && (
        <button type="button" id="back" onClick={() => t.show(null)}>
          {w.g('backToGame')}
        </button>
      )}
      {(entered ? fragment(entered) : t.revealed) && <ShareButton hand={t} />}
      <button type="button" id="enter" onClick={() => open('enter')}>
        {w.g('situation')}
      </button>
      <button type="button" id="situation" onClick={() => open('situation')}>
        {w.t('importDo')}…
      </button>
      <button type="button" class={session || !situation ? '' : 'main'} id="play" onClick={() => open('play')}>
        {w.t(session ? 'newGame' : 'playIt')}
      </button>
    </>
  )
}

// What is wrong with the address, or with a situation that was entered.
function Notices({ t, look }: { t: GinHand; look(s: Situation): void }) {
  const w = useGin()
  const { entered, estimate, advice } = t
  const refused = (estimate.failure ?? advice.failure)?.kind === 'problem'
  return (
    <>
      {t.badAddress &&
        (location.hash.startsWith(recordHash) ? (
          <LinkedRecord read={(text) => readEntered(w, text, true)} use={({ situation }) => look(situation)} />
        ) : (
          <p class="notice bad" id="url-error">
            {w.t('urlBad', { error: w.g('urlNone') })}
          </p>
        ))}
      {entered && refused && <Waiting answer={estimate.failure ? estimate : advice} />}
    </>
  )
}

function Gin({ setLang }: { setLang(l: Lang): void }) {
  const w = useGin()
  const t = useGinHand(w)
  const acts = useGinActs(w, t)
  const { D, dialog, session, close } = t
  const look = (s: Situation) => {
    t.show(s)
    t.setTab('advice')
    close()
  }
  return (
    <HandPage
      hand={t}
      page="gin-rummy"
      title={w.g('title')}
      setLang={setLang}
      home={acts.toHand}
      line={
        <p class="deal-line" id="about">
          {t.entered ? <span id="entered">{w.g('shownSituation')}</span> : session && <About session={session} />}
        </p>
      }
      begins={<Begins t={t} />}
      notice={<Notices t={t} look={look} />}
      table={
        <>
          {!t.situation && (
            <Lobby
              hand={t}
              title="Gin Rummy"
              hint={w.g('lobbyHint')}
              more={
                <button type="button" id="lobby-example" onClick={() => look(exampleSituation)}>
                  {w.g('exampleLook')}
                </button>
              }
              below={<p class="rules">{w.g('helpText')}</p>}
            />
          )}
          <GinTable t={t} acts={acts} />
        </>
      }
      below={<GinHeat t={t} />}
      panel={<GinPanel t={t} acts={acts} />}>
      {dialog === 'enter' && D && <D.EnterDialog situation={t.entered} close={close} use={look} />}
      {dialog === 'layoff' && D && mayLayOff(t) && (
        <D.LayOffDialog
          session={session!}
          close={close}
          use={(laid_off) => {
            close()
            acts.act({ kind: 'melds', laid_off })
          }}
        />
      )}
      {dialog === 'situation' && <SituationDialog close={close} show={look} />}
      {dialog === 'share' && D && !t.revealed && <D.ShareDialog close={close} say={t.say} />}
    </HandPage>
  )
}
