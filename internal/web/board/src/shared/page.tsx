// Shows one of the pages of the server that are programs.

import { type FunctionComponent, render } from 'preact'
import { language, showTheme } from './prefs'
import { load } from './words'

export async function show(Page: FunctionComponent): Promise<void> {
  showTheme()
  await load(language())
  render(<Page />, document.getElementById('app')!)
}
