// Shows one of the pages of the server that are programs.

import { type FunctionComponent, render } from 'preact'
import { seeBegin } from './history'
import { loadStreams } from './api'
import { type Theme, language, showPace, showTheme } from './prefs'
import { type Lang, load } from './words'

/** Shows a page in a language and a theme, by default those that its reader has chosen. */
export async function show(Page: FunctionComponent, lang: Lang = language(), theme?: Theme): Promise<void> {
  seeBegin()
  showTheme(theme)
  showPace()
  await load(lang)
  void loadStreams().catch(() => {})
  render(<Page />, document.getElementById('app')!)
}
