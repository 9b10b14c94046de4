// The program of the page of tarok.

import { show } from './page'
import { language } from './prefs'
import { TarokPage } from './tarok/page'
import { loadTarok } from './tarok/words'

await loadTarok(language())
await show(TarokPage)

// For the tests, which import this module.
export { outline } from './tarok/outline'
export { unequalTarok } from './tarok/words'
