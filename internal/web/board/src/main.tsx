// The program of the board.

import { BoardPage } from './board'
import { show } from './page'

await show(BoardPage)

// For the tests, which import this module.
export { outline } from './board'
export { unequal } from './words'
