// The program of the page of Belote Découverte.

import { BelotePage } from './belote/page'
import { loadBelote } from './belote/words'
import { show } from './page'
import { language } from './prefs'

await loadBelote(language())
await show(BelotePage)

// For the tests, which import this module.
export { outline } from './belote/outline'
export { unequalBelote } from './belote/words'
