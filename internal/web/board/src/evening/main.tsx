// The program of the page of an evening. It knows the board, on which the hands are shown.

import { addressOf } from '../klaverjas/job'
import { show } from '../shared/page'
import { EveningPage } from './page'

await show(() => <EveningPage at={addressOf} />)
