// The program of the page of jobs.

import { JobsPage } from './jobs'
import { show } from './page'

await show(JobsPage)
