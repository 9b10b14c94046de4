// The page: what is watched and when, the table, and what plays on by itself.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import { type Card, type Face, faceOf, parseCard, suitOf, wire } from '../shared/cards'
import { Controls, HelpButton, Skip, useKeys } from '../shared/controls'
import { KeyDialog } from '../shared/dialog'
import { Header, Language, type Said, Waiting, useKeyAsked, useLanguage, useNarrow, useStatus } from '../shared/frame'
import { begin, useAddress } from '../shared/history'
import { useLater } from '../shared/later'
import { pace, setShortcuts, shortcuts } from '../shared/prefs'
import type { Lang } from '../shared/words'
import { type Position, type Setup, holdersOf, replay } from '../klaverjas/rules'
import { playsText } from '../klaverjas/say'
import { type Seat, next, seats, sorted } from '../klaverjas/seats'
import type { Play, PlayedHand } from './model'
import { thoughtText } from './say'
import { WatchTable, stopIn } from './table'
import { type Watched, type Wrong, bodyOf, fragment, fresh, handOf, newSeed, readFragment, rulesOf } from './url'
import { type Words, useWords, watchWords } from './words'
import { unanswered } from '../shared/solver'

// Milliseconds from one card to the next while the hand plays on: there is more to read than in a game.
const pauses = { off: 600, fast: 900, normal: 2000, slow: 4000 }

export function WatchPage() {
  const [w, setLang] = useLanguage((w) => watchWords(w).p('title'))
  return (
    <Language.Provider value={w}>
      <Watch setLang={setLang} />
    </Language.Provider>
  )
}

type State = Watched & { cuts: [] }

/** What is watched, which the address follows. */
function useWatched(): [Watched, (to: Watched) => void, Wrong | null] {
  const [{ state, error }, set] = useState(() =>
    begin<Watched, State, Wrong>('watch', { ...fresh(), cuts: [] }, readFragment),
  )
  const deal = handOf(state)
  useAddress('watch', state, deal, error ? null : { hash: fragment(state), cuts: [] }, () => {
    const found = readFragment(location.hash)
    set({ state: found.ok ? { ...found.shared, cuts: [] } : state, error: found.ok ? null : found.error })
    return found.ok ? handOf(found.shared) : null
  })
  return [state, (to) => set({ state: { ...to, cuts: [] }, error: null }), error]
}

/** The hand as it was dealt and all its cards. Before there is an answer nothing is dealt. */
function useHand(watched: Watched, hand: PlayedHand | undefined): { setup: Setup; cards: Card[] } {
  return useMemo(() => {
    const rules = rulesOf(watched.rules)
    if (!hand) {
      const leader = watched.entered?.leader ?? (watched.dealer ? next(watched.dealer) : 'N')
      const trump = watched.entered?.trump ?? (watched.trump || 'C')
      return { setup: { rules, trump, leader, declarer: 'NS', holders: '.'.repeat(32) }, cards: [] }
    }
    const { trump, leader, declarer } = hand.deal
    return {
      setup: { rules, trump, leader, declarer: declarer!, holders: holdersOf(hand.hands) },
      cards: [...hand.before, ...hand.played.map((x) => x.card)].map((c) => parseCard(c)!),
    }
  }, [hand, hand ? '' : fragment(watched)])
}

const jackOf = (trump: Setup['trump']): Card =>
  [...Array(32).keys()].find((c) => suitOf(c) === trump && faceOf(c) === ('J' as Face))!

/** Playing on by itself, to the end of the cards, and steps that end it. */
function useRun(at: number, cards: readonly Card[], go: (to: number) => void) {
  const [runs, run] = useState(false)
  useEffect(() => {
    if (!runs) return
    if (at >= cards.length) return run(false)
    const timer = setTimeout(() => go(at + 1), pauses[pace()])
    return () => clearTimeout(timer)
  }, [runs, at, cards])
  return {
    runs,
    run,
    toggle: () => (runs || at < cards.length) && run(!runs),
    step: (by: number) => () => {
      run(false)
      go(at + by)
    },
  }
}

/** The dialog that is shown. */
type Shown = '' | 'settings' | 'enter' | 'share' | 'help' | 'key'

function Watch({ setLang }: { setLang(l: Lang): void }) {
  const w = useWords()
  const [watched, watch, error] = useWatched()
  const [dialog, open] = useState<Shown>('')
  const [keys, setKeys] = useState(shortcuts)
  const [roving, setRoving] = useState<Partial<Record<Seat, Card>>>({})
  const answer = useAnswer<Play>(error ? '' : handOf(watched), '/v1/klaverjas/play', () => bodyOf(watched))
  const hand = answer.value?.hands[0]
  const { setup, cards } = useHand(watched, hand)
  const at = Math.min(watched.at, cards.length)
  const position = useMemo(() => replay(setup, cards.slice(0, at)), [setup, cards, at])
  const chosen = watched.card ?? jackOf(setup.trump)
  const [said, say] = useStatus(w, handOf(watched) + at)
  const later = useLater(
    () => import('./ondemand'),
    true,
    () => say((w) => w.t(unanswered)),
  )
  const narrow = useNarrow()
  useKeyAsked([answer], () => open('key'))

  const go = (to: number) => {
    const n = Math.max(0, Math.min(cards.length, to))
    if (n === at) return
    watch({ ...watched, at: n })
    say((w) => stepText(w, setup, cards, hand, n))
  }
  const { runs, run, toggle, step } = useRun(at, cards, go)
  const choose = (c: Card) => watch({ ...watched, card: c })
  const fromNew = () => {
    run(false)
    watch({ ...watched, entered: null, from: newSeed(), at: 0 })
  }
  useKeys(
    dialog !== '',
    keys,
    {
      at,
      of: cards.length,
      go,
      letters: { ArrowRight: step(1), ArrowLeft: step(-1), p: toggle, d: fromNew, '?': () => open('help') },
    },
    (e, card) => moveFocus(e, card, position, roving),
  )
  const bar = <Bar watched={watched} setup={hand ? setup : null} newHand={fromNew} open={open} />
  return (
    <>
      <Skip to={() => document.querySelector<HTMLElement>('#felt [data-card][tabindex="0"]')?.focus()} />
      <Header page="watch" setLang={setLang}>
        <HelpButton open={() => open('help')} />
      </Header>
      <main class="watch">
        <h1 class="vh">{w.p('heading')}</h1>
        {!narrow && bar}
        {error && (
          <p class="notice bad" id="url-error">
            {w.p(...error)}{' '}
            <button type="button" onClick={() => watch(fresh())}>
              {w.p('newHand')}
            </button>
          </p>
        )}
        <div class="page">
          <div class="play">
            <WatchTable
              position={position}
              players={watched.players}
              open={openOf(hand)}
              chosen={chosen}
              roving={roving}
              choose={choose}
              focusCard={(c) => {
                const seat = setup.holders[c] as Seat
                if (roving[seat] !== c) setRoving({ ...roving, [seat]: c })
              }}
            />
            <Controls at={at} of={cards.length} go={(to) => (run(false), go(to))}>
              <button
                type="button"
                id="play-on"
                class={runs ? '' : 'main'}
                aria-disabled={at >= cards.length}
                onClick={toggle}>
                {w.p(runs ? 'pause' : 'playOn')}
              </button>
            </Controls>
            <p class="status" id="status" role="status">
              {said || null}
            </p>
            {narrow && bar}
          </div>
          <aside class="panel" aria-label={w.p('minds')}>
            {!hand && !error && <Waiting answer={answer} />}
            {hand && later && <later.Panel hand={hand} at={at} position={position} chosen={chosen} choose={choose} />}
          </aside>
        </div>
      </main>
      {later && (
        <Dialogs
          later={later}
          dialog={dialog}
          open={open}
          watched={watched}
          watch={watch}
          setup={setup}
          say={say}
          help={{ keys, setKeys }}
        />
      )}
      {dialog === 'key' && <KeyDialog close={() => open('')} />}
    </>
  )
}

function Dialogs({
  later,
  dialog,
  open,
  watched,
  watch,
  setup,
  say,
  help: { keys, setKeys },
}: {
  later: typeof import('./ondemand')
  dialog: Shown
  open(d: Shown): void
  watched: Watched
  watch(to: Watched): void
  setup: Setup
  say(text: Said): void
  help: { keys: boolean; setKeys(on: boolean): void }
}) {
  const close = () => open('')
  switch (dialog) {
    case 'settings':
      return (
        <later.SettingsDialog
          watched={watched}
          close={close}
          use={(x) => {
            close()
            watch(x)
          }}
          enter={() => open('enter')}
        />
      )
    case 'enter':
      return (
        <later.EnterDialog
          setup={setup}
          close={close}
          use={({ setup: { trump, leader, declarer, holders }, played }) => {
            close()
            watch({ ...watched, entered: { trump, leader, declarer, holders, played }, at: 0 })
          }}
        />
      )
    case 'share':
      return <later.ShareDialog close={close} say={say} />
    case 'help':
      return (
        <later.Help
          close={close}
          keys={keys}
          setKeys={(on) => {
            setShortcuts(on)
            setKeys(on)
          }}
        />
      )
  }
  return null
}

const openOf = (hand: PlayedHand | undefined): ReadonlySet<string> =>
  new Set(hand ? seats.flatMap((s) => hand.open[s]) : [])

// What is said of a step: the card with its trick, and the thought behind it.
function stepText(w: Words, setup: Setup, cards: readonly Card[], hand: PlayedHand | undefined, at: number): string {
  if (at === 0 || !hand) return w.p('start')
  const act = hand.played[at - hand.before.length - 1]
  return [
    playsText(w, replay(setup, cards.slice(0, at - 1)), cards.slice(at - 1, at)),
    ...(act?.reasons.map((t) => thoughtText(w, t)) ?? []),
  ].join(' ')
}

/** Moves the focus along a hand, or to the next hand. */
function moveFocus(e: KeyboardEvent, card: HTMLElement, p: Position, roving: Partial<Record<Seat, Card>>): boolean {
  const c = parseCard(card.dataset['card']!)!
  const seat = p.setup.holders[c] as Seat
  const focus = (to: Card | undefined) =>
    to !== undefined && document.querySelector<HTMLElement>(`#felt [data-card="${wire(to)}"]`)?.focus()
  const hand = sorted(p.held[seat], p.setup.trump)
  const along = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
  const around = { ArrowUp: 3, ArrowDown: 1 }[e.key]
  if (along) focus(hand[(hand.indexOf(c) + along + hand.length) % hand.length])
  else if (around) {
    let to = seat
    do to = next(to, around)
    while (p.held[to].length === 0)
    focus(stopIn(p, to, roving[to]))
  } else return false
  return true
}

function Bar({
  watched,
  setup,
  newHand,
  open,
}: {
  watched: Watched
  setup: Setup | null
  newHand(): void
  open(d: 'settings' | 'share'): void
}) {
  const w = useWords()
  return (
    <div class="bar" role="group" aria-label={w.t('contract')}>
      {setup && (
        <p class="deal-line" id="deal-line">
          <span class={`brief suit-${setup.trump}`}>{w.t('trumpIs', { suit: w.suit(setup.trump) })}</span>
          <span>{w.p('dealtBy', { seat: w.seat(next(setup.leader, 3)) })}</span>
          <span>{w.t('teamDeclares', { team: w.team(setup.declarer) })}</span>
          {watched.open > 0 && <span>{w.p('openEach', { n: watched.open })}</span>}
        </p>
      )}
      <span class="grow" />
      <button type="button" class="main" id="new" onClick={newHand}>
        {w.p('newHand')}
      </button>
      <button type="button" id="settings" onClick={() => open('settings')}>
        {w.p('settings')}
      </button>
      <button type="button" id="share" onClick={() => open('share')}>
        {w.t('share')}
      </button>
    </div>
  )
}
