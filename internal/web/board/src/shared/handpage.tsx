// The page of a hand: its header, what begins another game, what went wrong, the table, the panel, and the dialogs.

import type { ComponentChildren } from 'preact'
import { PaceChoice } from './controls'
import { useNarrow, useWords } from './frame'
import { GamePage, type GamePageProps } from './gamepage'
import type { AnyHand } from './hand'
import { Trouble } from './trouble'

interface Props extends GamePageProps {
  hand: AnyHand
  /** Goes to the mode with all cards open, where the game has one. */
  toOpen?: () => void
  /** Puts the keyboard into the table. */
  home(): void
  /** What the bar above the table is called, where it is a group. */
  label?: string
  /** Which hand it is. */
  line: ComponentChildren
  /** What begins another game. */
  begins: ComponentChildren
  /** What the page says beside the game. */
  notice?: ComponentChildren
  table: ComponentChildren
  /** What stands below the table, on a narrow page below what begins another game. */
  below?: ComponentChildren
  panel: ComponentChildren
  /** The dialogs that only this game has. */
  children?: ComponentChildren
}

/** The buttons that begin, share and end a game. */
export function HandButtons({ hand, shares, enter }: { hand: AnyHand; shares: boolean; enter?: ComponentChildren }) {
  const w = useWords()
  const { session, open } = hand
  return (
    <>
      <BackToGame hand={hand} />
      <button type="button" id="play" onClick={() => open('play')}>
        {w.t(session ? 'newGame' : 'playIt')}
      </button>
      {enter}
      {shares && <ShareButton hand={hand} />}
      {session && <PaceChoice />}
      {session && (
        <button type="button" id="stop" onClick={() => open('stop')}>
          {w.t('stopGame')}…
        </button>
      )}
    </>
  )
}

export const BackToGame = ({ hand: { D, earlier, session, game } }: { hand: AnyHand }) =>
  D && earlier && session && <D.BackToGame game={game} />

export const ShareButton = ({ hand }: { hand: AnyHand }) => (
  <button type="button" id="share" onClick={() => hand.open('share')}>
    {useWords().t('share')}
  </button>
)

/** What is shown without a hand. */
export function Lobby({
  hand,
  title,
  hint,
  more,
  below,
}: {
  hand: AnyHand
  title: string
  hint: string
  more?: ComponentChildren
  below?: ComponentChildren
}) {
  return (
    <div class="felt lobby" id="felt">
      <h2>{title}</h2>
      <p>{hint}</p>
      <div class="row">
        <button type="button" class="main" id="lobby-play" onClick={() => hand.open('play')}>
          {useWords().t('playIt')}
        </button>
        {more}
      </div>
      {below}
    </div>
  )
}

/** What was read aloud last, and that an answer is awaited. */
export function Status({ hand: { said, game, session } }: { hand: AnyHand }) {
  const w = useWords()
  return (
    <p class="status">
      <span id="status" role="status">
        {said || null}
      </span>
      {game.busy && !game.failure && session && (
        <span class="late" id="thinking" aria-hidden="true">
          {' '}
          {w.t('thinking')}
        </span>
      )}
    </p>
  )
}

// What happened to the game elsewhere, what was refused, and why it cannot go on.
function Notices({ hand: { game, open, reads } }: { hand: AnyHand }) {
  const w = useWords()
  return (
    <>
      {game.news && (
        <p class={game.news === 'gone' ? 'notice bad' : 'notice'} id={game.news}>
          {w.t(game.news === 'gone' ? 'newsGone' : 'newsConflict')}{' '}
          {game.news === 'gone' && (
            <button type="button" onClick={() => open('play')}>
              {w.t('newGame')}
            </button>
          )}
        </p>
      )}
      {game.refused && (
        <p class="notice bad" id="refused">
          {w.t('failed', { detail: game.refused })}
        </p>
      )}
      {reads && <Trouble game={game} />}
    </>
  )
}

export function HandPage(p: Props) {
  const narrow = useNarrow()
  const { hand } = p
  const { D } = hand
  return (
    <>
      <GamePage
        {...p}
        mode="hidden"
        toOther={p.toOpen}
        help={() => hand.open('help')}
        above={
          <>
            <div class="bar" role={p.label ? 'group' : undefined} aria-label={p.label}>
              {p.line}
              {!narrow && (
                <>
                  <span class="grow" />
                  {p.begins}
                </>
              )}
            </div>
            {p.notice}
            <Notices hand={hand} />
          </>
        }
        table={
          <>
            {p.table}
            {narrow && <div class="bar">{p.begins}</div>}
            {p.below}
          </>
        }
      />
      {p.children}
      {D && <D.HandDialogs hand={hand} Play={D.PlayDialog} Help={D.HelpDialog} />}
    </>
  )
}
