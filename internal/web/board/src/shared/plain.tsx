// A whole page of a game that has no more than a table with buttons: a game against the program, its texts, and what is read aloud. A game
// whose page has more is made of the same parts.

import { useMemo } from 'preact/hooks'
import { Controls } from './controls'
import { KeysDialog } from './dialogs'
import { Dialog } from './dialog'
import { BackToGame } from './earlier'
import { focusFirst } from './focus'
import { Language, useLanguage, useWords } from './frame'
import { type HelpProps, HandDialogs } from './handdialogs'
import { HandButtons, HandPage, Lobby, Status } from './handpage'
import { type HandGame, useHand, useTable } from './hand'
import { show } from './page'
import { type Lang, type Vars, type Words, fill } from './words'

/** What the page needs of a session, with the moves so far. */
export interface Plain<M> {
  id: string
  number: number
  acts: number
  state: string
  moves: readonly M[]
}

const texts: Record<Lang, Record<'turn' | 'won' | 'lost' | 'you' | 'it', string>> = {
  en: {
    turn: 'It is your turn.',
    won: 'You have won.',
    lost: 'The computer has won.',
    you: 'You: {what}.',
    it: 'The computer: {what}.',
  },
  nl: {
    turn: 'Jij bent aan de beurt.',
    won: 'Je hebt gewonnen.',
    lost: 'De computer heeft gewonnen.',
    you: 'Jij: {what}.',
    it: 'De computer: {what}.',
  },
}

export interface PlainGame<M, S extends Plain<M>, Q extends object> {
  /** The game in paths. */
  name: string
  texts: Record<Lang, { title: string; help: string; move: string }>
  /** How a game can begin, by what that is called. */
  starts: Record<string, Q>
  /** The variables of the text of a move. */
  move(m: M): Vars
  /** Whether the reader has won a game that is over. */
  won(s: S): boolean
  /** The buttons of the table after some of the moves, in rows: the move that each makes. */
  rows(s: S, moves: number): M[][]
}

/** The words of a game. by is the number of a move, from 0; the reader makes the first. */
const saying = <M, S extends Plain<M>, Q extends object>(of: PlainGame<M, S, Q>, { lang }: Words) => ({
  move: (m: M) => fill(of.texts[lang].move, of.move(m)),
  told: (m: M, by: number) => fill(texts[lang][by % 2 ? 'it' : 'you'], { what: fill(of.texts[lang].move, of.move(m)) }),
  waits: (s: S) => texts[lang][s.state === 'play' ? 'turn' : of.won(s) ? 'won' : 'lost'],
})

/** What the other pages load later is part of a page without more. */
function parts<M, S extends Plain<M>, Q extends object>(of: PlainGame<M, S, Q>) {
  const requestLike = () => Object.values(of.starts)[0]!
  return {
    HandDialogs,
    BackToGame,
    requestLike,
    news(w: Words, s: S, before: S | null): string {
      const t = saying(of, w)
      const from = before?.id === s.id ? before.moves.length : 0
      return [...s.moves.slice(from).map((m, i) => t.told(m, from + i)), t.waits(s)].join(' ')
    },
    PlayDialog({ close, begin }: { close(): void; begin(q: Q): void }) {
      const w = useWords()
      return (
        <Dialog title={w.t('playTitle')} id="play-dialog" close={close}>
          <p class="hint">{of.texts[w.lang].help}</p>
          <div class="row end">
            {Object.entries(of.starts).map(([name, q]) => (
              <button
                type="button"
                key={name}
                data-start={name}
                onClick={() => {
                  close()
                  begin(q)
                }}>
                {name}
              </button>
            ))}
          </div>
        </Dialog>
      )
    },
    HelpDialog({ hidden: _, ...rest }: HelpProps) {
      const w = useWords()
      const rows: [string, string][] = [
        ['Backspace, Shift ←', w.t('kBack')],
        ['Shift →', w.t('kRedo')],
        ['Home, End', w.t('kEnds')],
        ['?', w.t('kHelp')],
      ]
      return <KeysDialog {...rest} text={of.texts[w.lang].help} rows={rows} />
    },
  }
}

/** Shows the page of a game. */
export async function showPlain<M extends object, S extends Plain<M>, Q extends object>(of: PlainGame<M, S, Q>) {
  const more = parts(of)
  const game: HandGame<S, Q, Words, typeof more, M> = {
    base: `/v1/${of.name}/sessions`,
    name: of.name,
    trick: 0,
    played: (s) => s.moves,
    handText: (w, s) => w.t('handOf16', { n: s.number, of: s.number }),
    holds: () => false,
    cardOf: () => null,
    load: () => Promise.resolve(more),
  }
  function Table({ setLang }: { setLang(l: Lang): void }) {
    const w = useWords()
    const t = useMemo(() => saying(of, w), [w])
    const hand = useHand(game, w, 'table')
    const { session: s, pace, still, back } = hand
    const home = () => void focusFirst('#felt button:not([aria-disabled=true])', '#play', '#lobby-play')
    const go = (to: number) => hand.go(to, (w, n) => (s && n > 0 ? saying(of, w).told(s.moves[n - 1]!, n - 1) : ''))
    useTable(hand, { answers: [], go, letters: {}, cardKey: () => false, home, hold: home })
    const off = still || back || s?.state !== 'play'
    return (
      <HandPage
        hand={hand}
        page={of.name as never}
        title={of.texts[w.lang].title}
        setLang={setLang}
        home={home}
        line={<span>{s && t.waits(s)}</span>}
        begins={<HandButtons hand={hand} shares={false} />}
        panel={null}
        table={
          s ? (
            <>
              <div
                class="felt"
                id="felt"
                role="group"
                aria-label={w.t('table')}
                data-state={s.state}
                data-acts={s.acts}>
                {of.rows(s, pace.at).map((row, y) => (
                  <p key={y}>
                    {row.map((m, x) => (
                      <button
                        type="button"
                        key={x}
                        id={`move-${y}-${x}`}
                        aria-label={t.move(m)}
                        title={t.move(m)}
                        aria-disabled={off}
                        onClick={() => !off && void hand.act('play', m)}
                      />
                    ))}
                  </p>
                ))}
              </div>
              <Controls at={pace.at} of={hand.total} total={hand.total} go={go}>
                {null}
              </Controls>
              <Status hand={hand} />
            </>
          ) : (
            <Lobby hand={hand} title={of.texts[w.lang].title} hint={of.texts[w.lang].help} />
          )
        }
      />
    )
  }
  function Page() {
    const [w, setLang] = useLanguage((w) => of.texts[w.lang].title)
    return (
      <Language.Provider value={w}>
        <Table setLang={setLang} />
      </Language.Provider>
    )
  }
  await show(Page)
}
