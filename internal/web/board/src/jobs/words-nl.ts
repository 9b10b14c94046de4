// The texts of the page of jobs, beside those that all pages share, in Dutch. The compiler checks that no text is
// missing.

import type { JobsKey } from './words-en'

export const texts: Record<JobsKey, string> = {
  title: 'Roem: taken',
  heading: 'Taken',
  jobsHint: 'Je vragen waaraan de server werkt. Zonder API-sleutel: die van deze browser.',
  noJobs: 'Je hebt geen taken.',
  jKind: 'Soort',
  jStatus: 'Status',
  jProgress: 'Voortgang',
  jCreated: 'Gemaakt',
  jAct: 'Acties',
  queued: 'wacht, plaats {n}',
  running: 'bezig',
  succeeded: 'gelukt',
  failedJob: 'mislukt',
  cancelledJob: 'gestopt',
  open: 'Open op de tafel',
  show: 'Toon',
  parts: '{done} van {of}',
  older: 'Oudere taken',
  k_solve: 'oplossing',
  k_analyse: 'nabespreking',
  k_table: 'troeven',
  k_solve_batch: 'posities',
  k_advise: 'advies',
  k_review: 'nabespreking van een plaats',
  k_evening: 'spellen van een avond',
  k_match: 'wedstrijd',
  k_hand_strength: 'kracht van een hand',
  k_hand_strength_batch: 'handen',
  k_compare: 'vergelijking',
}
