// The program of the board.

import { show } from '../shared/page'
import { BoardPage } from './page'

await show(BoardPage)
