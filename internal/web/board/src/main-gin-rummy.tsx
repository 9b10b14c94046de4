// The program of the page of Gin Rummy.

import { GinPage } from './gin-rummy/page'
import { loadGin } from './gin-rummy/words'
import { show } from './page'
import { language } from './prefs'

await loadGin(language())
await show(GinPage)

// For the tests, which import this module.
export { unequalGin } from './gin-rummy/words'
