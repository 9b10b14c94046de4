// The program of the page of tarok.

import { show } from '../shared/page'
import { TarokPage } from './page'

await show(TarokPage)
