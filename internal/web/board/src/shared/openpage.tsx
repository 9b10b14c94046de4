// The open mode of a game as a page: its header, what begins another deal, what went wrong, the table, and the panel.

import type { ComponentChildren } from 'preact'
import type { Failure } from './api'
import { HelpButton, Skip } from './controls'
import { Header, ModeSwitch, failureText, useNarrow, useWords } from './frame'
import { recordHash } from './history'
import type { Lang } from './words'

/** What an open mode shows: how a game differs in it. */
interface Props {
  page: Parameters<typeof Header>[0]['page']
  title: string
  setLang(l: Lang): void
  toHidden(): void
  open(dialog: 'enter' | 'import' | 'share' | 'help'): void
  /** Puts the keyboard into the table. */
  toTable(): void
  /** Draws a deal, and why the last one could not be drawn. */
  draw(): void
  drawFailed: Failure | null | undefined
  /** What is wrong with the address; empty if nothing is. The record in it is opened by linked, once that is loaded. */
  error: string
  linked(drawsOne: ComponentChildren): ComponentChildren
  /** The contract, and what beside a new deal begins another one. */
  contract: ComponentChildren
  more?: ComponentChildren
  enterIt: string
  /** What the page says beside its address. */
  notice?: ComponentChildren
  table: ComponentChildren
  said: string
  /** What stands below what was said. */
  below?: ComponentChildren
  panel: ComponentChildren
  /** The dialogs. */
  children: ComponentChildren
}

export function OpenPage(p: Props) {
  const w = useWords()
  const narrow = useNarrow()
  const opens = (id: 'enter' | 'import' | 'share', text: string) => (
    <button type="button" id={id} onClick={() => p.open(id)}>
      {text}
    </button>
  )
  const bar = (
    <div class="bar" role="group" aria-label={w.t('contract')}>
      {p.contract}
      <span class="grow" />
      <button type="button" class="main" id="new" onClick={p.draw}>
        {w.t('newDeal')}
      </button>
      {p.more}
      {opens('enter', p.enterIt)}
      {opens('import', w.t('importDo') + '…')}
      {opens('share', w.t('share'))}
    </div>
  )
  const draws = (text: string) => (
    <button type="button" onClick={p.draw}>
      {text}
    </button>
  )
  return (
    <>
      <Skip to={p.toTable} />
      <Header page={p.page} setLang={p.setLang} mode={<ModeSwitch mode="open" change={p.toHidden} />}>
        <HelpButton open={() => p.open('help')} />
      </Header>
      <main>
        <h1 class="vh">{p.title}</h1>
        {!narrow && bar}
        {p.error &&
          (location.hash.startsWith(recordHash) ? (
            p.linked(draws(w.t('drawIt')))
          ) : (
            <p class="notice bad" id="url-error">
              {w.t('urlBad', { error: p.error })} {draws(w.t('drawIt'))}
            </p>
          ))}
        {p.drawFailed && (
          <p class="notice bad" id="draw-failed">
            {failureText(w, p.drawFailed)} {draws(w.t('retry'))}
          </p>
        )}
        {p.notice}
        <div class="page">
          <div class="play">
            {p.table}
            <p class="status" id="status" role="status">
              {p.said || null}
            </p>
            {p.below}
            {narrow && bar}
          </div>
          <aside class="panel" aria-label={w.t('score')}>
            {p.panel}
          </aside>
        </div>
      </main>
      {p.children}
    </>
  )
}
