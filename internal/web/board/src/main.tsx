// The pages of the server that are programs: the board and the jobs.

import { render } from 'preact'
import { BoardPage } from './board'
import { JobsPage } from './jobs'
import { showTheme } from './prefs'

showTheme()
render(location.pathname === '/jobs' ? <JobsPage /> : <BoardPage />, document.getElementById('app')!)

// For the tests, which import this module.
export { outline } from './board'
export { unequal } from './words'
