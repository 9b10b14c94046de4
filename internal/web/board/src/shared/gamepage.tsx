// The frame of a page with a table: its header, what stands above the table, the table, and the panel beside it.

import type { ComponentChildren } from 'preact'
import { HelpButton, Skip } from './controls'
import { Header, type Mode, ModeSwitch, useWords } from './frame'
import type { Lang } from './words'

export interface GamePageProps {
  page: Parameters<typeof Header>[0]['page']
  title: string
  setLang(l: Lang): void
}

export function GamePage({
  page,
  title,
  setLang,
  mode,
  toOther,
  home,
  help,
  above,
  table,
  panel,
}: GamePageProps & {
  /** The mode of the page, and how to go to the other one, where there are two. */
  mode: Mode
  toOther: (() => void) | undefined
  /** Puts the keyboard into the table. */
  home(): void
  help(): void
  above: ComponentChildren
  table: ComponentChildren
  panel: ComponentChildren
}) {
  return (
    <>
      <Skip to={home} />
      <Header page={page} setLang={setLang} mode={toOther && <ModeSwitch mode={mode} change={toOther} />}>
        <HelpButton open={help} />
      </Header>
      <main>
        <h1 class="vh">{title}</h1>
        {above}
        <div class="page">
          <div class="play">{table}</div>
          {panel && (
            <aside class="panel" aria-label={useWords().t('score')}>
              {panel}
            </aside>
          )}
        </div>
      </main>
    </>
  )
}
