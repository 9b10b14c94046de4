// The open mode of a game as a page: its header, what begins another deal, what went wrong, the table, the panel, and the dialogs.

import type { ComponentChildren } from 'preact'
import { BestButton, CardField, Controls, Tabs } from './controls'
import { failureText, useNarrow } from './frame'
import { GamePage, type GamePageProps } from './gamepage'
import type { AnyBoard, useDraw, useOpenTable } from './openboard'
import type { OpenDialogs, Parts, Wrong } from './opendialogs'

/** What an open mode gets of its page. */
export interface OpenProps {
  setLang: GamePageProps['setLang']
  toHidden(): void
}

/** What every game loads after its page. */
interface Later extends Parts {
  OpenDialogs: typeof OpenDialogs
  Wrong: typeof Wrong
}

/** What an open mode shows: how a game differs in it. */
interface Props extends GamePageProps, OpenProps {
  board: AnyBoard
  D: Later | null
  draws: ReturnType<typeof useDraw<any>>
  at: Pick<ReturnType<typeof useOpenTable>, 'home' | 'best'>
  /** The contract, and what beside a new deal begins another one. */
  contract: ComponentChildren
  more?: ComponentChildren
  enterIt: string
  /** What the page says beside its address. */
  notice?: ComponentChildren
  table: ComponentChildren
  playCard(c: number): boolean
  /** Whether there is no best card, and what else stands below the table. */
  noBest: boolean
  controls?: ComponentChildren
  /** What stands below what was said. */
  below?: ComponentChildren
  score: ComponentChildren
  /** What happens when another tab is chosen, beside that it is shown. */
  chosen?(): void
  /** What the chosen tab shows. */
  panel: ComponentChildren
  share: Pick<Parameters<typeof OpenDialogs>[0], 'embed' | 'hand'>
  /** The dialogs that only this game has. */
  children?: ComponentChildren
}

// What begins another deal.
function Bar({ p: { board, contract, draws, more, enterIt } }: { p: Props }) {
  const { w } = board
  const opens = (id: 'enter' | 'import' | 'share', text: string) => (
    <button type="button" id={id} onClick={() => board.setDialog(id)}>
      {text}
    </button>
  )
  return (
    <div class="bar" role="group" aria-label={w.t('contract')}>
      {contract}
      <span class="grow" />
      <button type="button" class="main" id="new" onClick={() => draws.draw()}>
        {w.t('newDeal')}
      </button>
      {more}
      {opens('enter', enterIt)}
      {opens('import', w.t('importDo') + '…')}
      {opens('share', w.t('share'))}
    </div>
  )
}

export function OpenPage(p: Props) {
  const { board, D, draws } = p
  const { w, game, state, said } = board
  const narrow = useNarrow()
  const bar = <Bar p={p} />
  return (
    <>
      <GamePage
        {...p}
        mode="open"
        toOther={p.toHidden}
        home={p.at.home}
        help={() => board.setDialog('help')}
        above={
          <>
            {!narrow && bar}
            {D && board.error && <D.Wrong board={board} D={D} draw={draws.draw} />}
            {draws.failed && (
              <p class="notice bad" id="draw-failed">
                {failureText(w, draws.failed)}{' '}
                <button type="button" onClick={() => draws.draw()}>
                  {w.t('retry')}
                </button>
              </p>
            )}
            {p.notice}
          </>
        }
        table={
          <>
            {p.table}
            <Controls at={state.cursor} of={state.played.length} total={game.size(state)} go={board.go}>
              <BestButton off={p.noBest} best={p.at.best} />
              {p.controls}
              <CardField
                label={w.t('field')}
                field={board.field}
                say={board.say}
                play={p.playCard}
                reader={game.reader?.(w)}
              />
            </Controls>
            <p class="status" id="status" role="status">
              {said || null}
            </p>
            {p.below}
            {narrow && bar}
          </>
        }
        panel={
          <>
            {p.score}
            {state.seed && (
              <p class="hint" id="seed">
                {game.seedText!(w, state.seed)}
              </p>
            )}
            <Tabs
              text={w.t}
              list={game.tabs}
              label={w.t('values')}
              tab={board.tab}
              set={(tab) => {
                p.chosen?.()
                board.setTab(tab)
              }}>
              {p.panel}
            </Tabs>
          </>
        }
      />
      {p.children}
      {D && <D.OpenDialogs board={board} D={D} {...p.share} />}
    </>
  )
}
