// The pages of the server that are programs: the board and the jobs.

import { render } from 'preact'
import { BoardPage } from './board'
import { JobsPage } from './jobs'
import { language, showTheme } from './prefs'
import { load } from './words'

showTheme()
await load(language())
render(location.pathname === '/jobs' ? <JobsPage /> : <BoardPage />, document.getElementById('app')!)

// For the tests, which import this module.
export { outline } from './board'
export { unequal } from './words'
