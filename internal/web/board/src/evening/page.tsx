// The review of an evening: its hands as text, the work of the server on them, and the result.

import { useEffect, useState } from 'preact/hooks'
import { retryAll } from '../shared/answers'
import { type Failure, type Job, type JobSummary, call, follow } from '../shared/api'
import { KeyDialog } from '../shared/dialog'
import { Header, Language, failureText, useKeyAsked, useLanguage } from '../shared/frame'
import { useOnce } from '../shared/once'
import { FileButton, drops, startEvening } from '../shared/records'
import type { Lang } from '../shared/words'
import { type Address, type Evening, EveningResult } from './result'
import { eveningWords, useWords } from './words'

export function EveningPage({ at }: { at: Address }) {
  const [w, setLang] = useLanguage((w) => eveningWords(w).t('title'))
  return (
    <Language.Provider value={w}>
      <Page at={at} setLang={setLang} />
    </Language.Provider>
  )
}

const idHere = (): string => location.hash.slice(1)

function Page({ at, setLang }: { at: Address; setLang(l: Lang): void }) {
  const w = useWords()
  const [id, setId] = useState(idHere)
  const [job, setJob] = useState<Job | JobSummary | null>(null)
  const [failure, setFailure] = useState<Failure | undefined>()
  const [tries, setTries] = useState(0)
  const [key, setKey] = useState(false)
  const [text, set] = useState('')
  const [error, setError] = useState('')
  useKeyAsked([{ failure }], () => setKey(true))
  useEffect(() => {
    const moved = () => setId(idHere())
    const again = () => setTries((n) => n + 1)
    const events: [string, () => void][] = [
      ['hashchange', moved],
      ['online', again],
      [retryAll, again],
    ]
    for (const [event, f] of events) addEventListener(event, f)
    return () => events.forEach(([event, f]) => removeEventListener(event, f))
  }, [])
  // Reads the job, and follows it to its end.
  useEffect(() => {
    setJob(null)
    setFailure(undefined)
    if (!id) return
    const controller = new AbortController()
    const { signal } = controller
    const read = async () => {
      const reply = await call<Job>('GET', '/v1/jobs/' + encodeURIComponent(id), undefined, signal)
      if (signal.aborted) return null
      if (reply.ok) setJob(reply.body)
      else setFailure(reply.failure)
      return reply.ok ? reply.body : null
    }
    void (async () => {
      const first = await read()
      if (!first || (first.status !== 'queued' && first.status !== 'running')) return
      await follow(first.links.events, (job) => !signal.aborted && setJob(job), signal)
      if (!signal.aborted) await read()
    })()
    return () => controller.abort()
  }, [id, tries])
  const begin = useOnce(async () => {
    const started = await startEvening(w, text)
    if (started.ok) location.hash = started.job
    else setError(started.error)
  })
  return (
    <>
      <Header page="evening" setLang={setLang} />
      <main class="evening">
        <h1>{w.t('heading')}</h1>
        {failure && failure.kind !== 'aborted' && (
          <p class="notice bad" id="failed">
            {failure.kind === 'problem' && failure.status === 404 ? w.t('missing') : failureText(w, failure)}{' '}
            <button type="button" onClick={() => setTries((n) => n + 1)}>
              {w.t('retry')}
            </button>
          </p>
        )}
        {id ? (
          <>
            <p>
              <a href="#" id="another">
                {w.t('another')}
              </a>
            </p>
            <p class="status" role="status" id="status">
              {job && <State job={job} />}
            </p>
            {job && 'result' in job && <EveningResult evening={job.result as Evening} address={at} />}
          </>
        ) : (
          <form
            onSubmit={(e) => {
              e.preventDefault()
              begin()
            }}>
            <p class="hint" id="evening-hint">
              {w.t('hint')}
            </p>
            <label for="evening-text">{w.t('text')}</label>
            <textarea
              id="evening-text"
              rows={12}
              spellcheck={false}
              aria-describedby="evening-hint evening-error"
              aria-invalid={error !== ''}
              value={text}
              onInput={(e) => set(e.currentTarget.value)}
              {...drops(set)}
            />
            <p class="bad" id="evening-error" role="alert">
              {error || null}
            </p>
            <div class="row end">
              <FileButton set={set} />
              <button type="submit" class="main" id="evening-begin">
                {w.t('begin')}
              </button>
            </div>
          </form>
        )}
      </main>
      {key && <KeyDialog close={() => setKey(false)} />}
    </>
  )
}

// How the work stands while there is no result.
function State({ job }: { job: JobSummary }) {
  const w = useWords()
  const progress = job.progress as { done: number; of: number } | null | undefined
  if (job.status === 'queued') return <>{w.t('queued', { n: job.position_in_queue ?? 0 })}</>
  if (job.status === 'running') return <>{w.t('running', { done: progress?.done ?? 0, of: progress?.of ?? '…' })}</>
  if (job.status === 'cancelled') return <>{w.t('stopped')}</>
  if (job.status === 'failed') return <>{job.error?.detail}</>
  return null
}
