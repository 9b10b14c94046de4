// The program of the page of Belote Découverte.

import { show } from '../shared/page'
import { BelotePage } from './page'

await show(BelotePage)

// For the tests, which import this module.
export { outline } from './outline'
