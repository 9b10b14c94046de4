// The program of the board.

import { show } from '../shared/page'
import { BoardPage } from './board'

await show(BoardPage)

// For the tests, which import this module.
export { outline } from './board'
