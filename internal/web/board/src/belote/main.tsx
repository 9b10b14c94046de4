// The program of the page of Belote Découverte.

import { show } from '../shared/page'
import { BelotePage } from './page'

await show(BelotePage)
