// The program of the page of puzzles.

import { show } from '../shared/page'
import { PuzzlesPage } from './page'

await show(PuzzlesPage)
