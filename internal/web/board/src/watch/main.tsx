// The program of the page on which four players of the program are watched.

import { show } from '../shared/page'
import { WatchPage } from './page'

await show(WatchPage)
