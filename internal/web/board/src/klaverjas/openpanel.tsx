// The review and the trumps, beside the table with all cards open.

import type { Answer } from '../shared/answers'
import { type Job, call } from '../shared/api'
import { url } from '../shared/base'
import { leave, useOnce } from '../shared/once'
import * as prefs from '../shared/prefs'
import type { AnalysedCard, Analysis, TableAnswer } from './api'
import { Mistake, explainedOf } from './mistake'
import type { KlaverjasBoard } from './opentable'
import { bodyOf } from './panel'
import { Review } from './review'
import type { Setup } from './rules'
import { Trumps } from './trumps'
import { fragment } from './url'
import { useWords } from './words'

export function OpenTabs({
  board: { state, position, tab, go, setDialog },
  review,
  trumps,
  found,
  jump,
  playFrom,
  contract,
  again,
}: {
  board: KlaverjasBoard
  review: Answer<Analysis>
  trumps: Answer<TableAnswer>
  /** The costly card at the cursor. */
  found: AnalysedCard | null
  jump(by: 1 | -1): void
  playFrom(): void
  contract(c: Partial<Omit<Setup, 'holders'>>): void
  /** Tries the position again. */
  again(): void
}) {
  const startJob = useOnce(async () => {
    const reply = await call<Job>(
      'POST',
      '/v1/jobs',
      { kind: 'klaverjas.analyse', request: bodyOf(state, state.played) },
      new AbortController().signal,
    )
    if (!reply.ok) return
    prefs.rememberJob(reply.body.id, fragment(state))
    return leave(url('/jobs'))
  })

  if (tab === 'trumps')
    return <Trumps answer={trumps} position={position} choose={(trump, declarer) => contract({ trump, declarer })} />
  if (tab !== 'review') return null
  const explained = found && explainedOf(state, [found], state.cursor)
  return (
    <Review
      answer={review}
      count={state.played.length}
      cursor={state.cursor}
      declarer={state.setup.declarer}
      go={go}
      jump={jump}
      startJob={startJob}>
      {explained && (
        <Mistake of={explained} playFrom={() => (prefs.game('game') ? setDialog('stop') : playFrom())} again={again} />
      )}
    </Review>
  )
}

/** What is missing of a deal that was not entered whole. */
export function Incomplete({ board: { state, error, setDialog } }: { board: KlaverjasBoard }) {
  const w = useWords()
  const missing = [...state.setup.holders].filter((h) => h === '.').length
  if (error || missing === 0 || missing === 32) return null
  return (
    <p class="notice" id="incomplete">
      {w.t('incomplete', { n: missing })}{' '}
      <button type="button" onClick={() => setDialog('enter')}>
        {w.t('incompleteDo')}
      </button>
    </p>
  )
}
