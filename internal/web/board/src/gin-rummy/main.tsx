// The program of the page of Gin Rummy.

import { show } from '../shared/page'
import { GinPage } from './page'

await show(GinPage)
