// The texts of the page of jobs, beside those that all pages share, in English.

export const texts = {
  title: 'Roem: jobs',
  jobsHint: 'Requests of yours that run on the server. Without an API key: those of this browser.',
  noJobs: 'You have no jobs.',
  jKind: 'Kind',
  jStatus: 'Status',
  jProgress: 'Progress',
  jCreated: 'Created',
  jAct: 'Actions',
  queued: 'queued, place {n}',
  running: 'running',
  succeeded: 'succeeded',
  failedJob: 'failed',
  cancelledJob: 'cancelled',
  open: 'Open on the board',
  show: 'Show',
  parts: '{done} of {of}',
  older: 'Older jobs',
  k_solve: 'solve',
  k_analyse: 'review',
  k_table: 'table',
  k_solve_batch: 'positions',
  k_advise: 'advice',
  k_review: 'review of a seat',
  k_evening: 'hands of an evening',
  k_match: 'match',
  k_hand_strength: 'hand strength',
  k_hand_strength_batch: 'hands',
  k_compare: 'comparison',
} as const

export type JobsKey = keyof typeof texts
