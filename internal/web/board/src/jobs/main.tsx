// The program of the page of jobs. It knows the games whose boards can show a job.

import { boardOf } from '../klaverjas/job'
import { show } from '../shared/page'
import { type Boards, JobsPage } from './page'

const boards: Boards = {
  klaverjas: { path: '/board', kinds: ['solve', 'analyse', 'table'], of: boardOf },
  belote: { path: '/belote' },
}

await show(() => <JobsPage boards={boards} />)
