// The jobs of the client: their progress as it comes, cancelling, and their results.

import { useEffect, useState } from 'preact/hooks'
import { retryAll } from '../shared/answers'
import { type Failure, type Job, type JobList, type JobSummary, apiKey, call, follow } from '../shared/api'
import { Dialog, KeyDialog } from '../shared/dialog'
import { Header, Language, useLanguage, failureText, useStatus } from '../shared/frame'
import { url } from '../shared/base'
import { Head } from '../shared/head'
import { useOnce } from '../shared/once'
import { pause } from '../shared/pause'
import * as prefs from '../shared/prefs'
import { useVisible } from '../shared/visible'
import type { Lang } from '../shared/words'
import { type Key, type Words, jobsWords, useWords } from './words'

const gameOf = (j: JobSummary): string => j.kind.split('.')[0]!

const finished = (j: JobSummary): boolean =>
  j.status === 'succeeded' || j.status === 'failed' || j.status === 'cancelled'

/**
 * The games whose boards can show a job: jobs of some kinds whoever started them, or else jobs that a page of this
 * browser has started.
 */
export type Boards = Record<
  string,
  { path: string; kinds?: string[]; of?(job: Job): Promise<string | undefined> } | undefined
>

export function JobsPage({ boards }: { boards: Boards }) {
  const [w, setLang] = useLanguage((w) => jobsWords(w).t('title'))
  return (
    <Language.Provider value={w}>
      <Jobs boards={boards} setLang={setLang} />
    </Language.Provider>
  )
}

// A browser opens six connections to a server. A stream holds one, so all pages of a browser share one stream; the
// others ask.
async function alone(signal: AbortSignal, body: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return
  await navigator.locks.request('roem-stream', { signal }, body).catch(() => {})
}

const pollEvery = 2000

// The server has no list for clients without an API key, since many can have one address. The browser asks for the jobs
// that it knows.
function firstPage(): string {
  const ids = apiKey() ? [] : prefs.jobIds()
  return '/v1/jobs?' + (ids.length > 0 ? 'id=' + ids.join(',') : 'limit=50')
}

/** Remembers the job whose id is the fragment of the page. */
function rememberOpened(): void {
  const id = location.hash.slice(1)
  if (/^[0-9a-v]{26}$/.test(id)) prefs.rememberJob(id, prefs.boardOf(id) ?? '')
}

/** A job of a list. A list can be older than the stream: it does not take back the progress that the stream has told. */
function withProgress(job: JobSummary, had?: JobSummary): JobSummary {
  return finished(job) || job.progress || !had?.progress ? job : { ...job, progress: had.progress }
}

/** The jobs of this client, read again while they run. asksKey is called where the server wants an API key. */
function useJobs(asksKey: () => void) {
  const visible = useVisible()
  const [jobs, setJobs] = useState<JobSummary[] | null>(null)
  const [more, setMore] = useState<string | undefined>()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [tries, setTries] = useState(0)
  const put = (job: JobSummary) => setJobs((list) => list && list.map((j) => (j.id === job.id ? job : j)))
  const running = jobs?.some((j) => !finished(j)) ?? false
  const followed = jobs?.find((j) => j.status === 'running') ?? jobs?.find((j) => !finished(j))

  const read = async (signal: AbortSignal) => {
    const reply = await call<JobList>('GET', firstPage(), undefined, signal)
    if (signal.aborted) return
    if (reply.ok) {
      setFailure(null)
      setJobs((had) =>
        reply.body.jobs.map((job) =>
          withProgress(
            job,
            had?.find((j) => j.id === job.id),
          ),
        ),
      )
      setMore(reply.body.next_page_token)
    } else {
      setFailure(reply.failure)
      if (reply.failure.kind === 'problem' && reply.failure.status === 401) asksKey()
    }
  }
  useEffect(() => {
    const again = () => {
      rememberOpened()
      setTries((n) => n + 1)
    }
    const events = ['online', retryAll, 'hashchange']
    rememberOpened()
    for (const event of events) addEventListener(event, again)
    return () => events.forEach((event) => removeEventListener(event, again))
  }, [])
  useEffect(() => {
    if (!visible) return
    const controller = new AbortController()
    void (async () => {
      await read(controller.signal)
      while (running && !controller.signal.aborted) {
        await pause(pollEvery, controller.signal)
        if (!controller.signal.aborted) await read(controller.signal)
      }
    })()
    return () => controller.abort()
  }, [visible, running, tries])
  useEffect(() => {
    if (!visible || !followed) return
    const controller = new AbortController()
    void alone(controller.signal, () => follow(followed.links.events, put, controller.signal))
    return () => controller.abort()
  }, [visible, followed?.id])

  const older = useOnce(async () => {
    const reply = await call<JobList>(
      'GET',
      '/v1/jobs?limit=50&page_token=' + encodeURIComponent(more!),
      undefined,
      new AbortController().signal,
    )
    if (!reply.ok) return
    setJobs((list) => [...(list ?? []), ...reply.body.jobs])
    setMore(reply.body.next_page_token)
  })
  return { jobs, put, more, older, failure, setFailure, again: () => setTries((n) => n + 1) }
}

function Jobs({ boards, setLang }: { boards: Boards; setLang(l: Lang): void }) {
  const w = useWords()
  const [key, setKey] = useState(false)
  const [shown, setShown] = useState<Job | null>(null)
  const [said, say] = useStatus(w)
  const { jobs, put, more, older, failure, setFailure, again } = useJobs(() => setKey(true))

  const cancel = async (job: JobSummary) => {
    const reply = await call<Job>('DELETE', job.links.self, undefined, new AbortController().signal)
    if (reply.ok) {
      put(reply.body)
      say((w) => w.t('cancelled'))
    }
  }
  const openJob = async (job: JobSummary, onBoard: boolean) => {
    if (job.kind === 'klaverjas.evening') return location.assign(url('/evening#' + job.id))
    const full = await call<Job>('GET', job.links.self, undefined, new AbortController().signal)
    if (!full.ok) return setFailure(full.failure)
    const board = boards[gameOf(job)]
    const hash = onBoard ? (prefs.boardOf(job.id) ?? (await board?.of?.(full.body))) : undefined
    if (hash) location.assign(url(board!.path + hash))
    else setShown(full.body)
  }
  return (
    <>
      <Header page="jobs" setLang={setLang} />
      <main class="jobs">
        <h1>{w.t('heading')}</h1>
        <p class="hint">{w.t('jobsHint')}</p>
        {failure && failure.kind !== 'aborted' && (
          <p class="notice bad">
            {failureText(w, failure)}{' '}
            <button type="button" onClick={again}>
              {w.t('retry')}
            </button>
          </p>
        )}
        {jobs && jobs.length === 0 && <p class="empty">{w.t('noJobs')}</p>}
        {jobs && jobs.length > 0 && <Table jobs={jobs} boards={boards} cancel={cancel} open={openJob} />}
        {more && (
          <p>
            <button type="button" onClick={() => older()}>
              {w.t('older')}
            </button>
          </p>
        )}
        <p class="vh" id="status" role="status">
          {said || null}
        </p>
      </main>
      {shown && (
        <Dialog title={w.t('result')} id="result-dialog" close={() => setShown(null)} wide>
          <pre tabIndex={0}>
            {JSON.stringify(shown.status === 'succeeded' ? shown.result : (shown.error ?? shown), null, 2)}
          </pre>
        </Dialog>
      )}
      {key && <KeyDialog close={() => setKey(false)} />}
    </>
  )
}

interface Acts {
  boards: Boards
  cancel(j: JobSummary): Promise<void>
  open(j: JobSummary, onBoard: boolean): Promise<void>
}

function Table({ jobs, ...acts }: Acts & { jobs: readonly JobSummary[] }) {
  const w = useWords()
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={w.t('heading')}>
      <table class="joblist">
        <Head of={(['jKind', 'jStatus', 'jProgress', 'jCreated', 'jAct'] as const).map((k) => w.t(k))} />
        <tbody>
          {jobs.map((j) => (
            <Row key={j.id} job={j} {...acts} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const kindText = (w: Words, j: JobSummary): string => {
  const [game, name] = j.kind.split('.')
  return (game === 'belote' ? 'Belote: ' : '') + w.t(`k_${name}` as Key)
}

function statusText(w: Words, j: JobSummary): string {
  switch (j.status) {
    case 'queued':
      return w.t('queued', { n: j.position_in_queue })
    case 'failed':
      return w.t('failedJob')
    case 'cancelled':
      return w.t('cancelledJob')
    default:
      return w.t(j.status)
  }
}

function Row({ job: j, boards, cancel, open }: Acts & { job: JobSummary }) {
  const w = useWords()
  const p = j.progress as { done: number; of: number; nodes: number; lower?: number; upper?: number } | undefined
  const board = boards[gameOf(j)]
  const onBoard =
    board && (board.kinds ? board.kinds.includes(j.kind.split('.')[1]!) : prefs.boardOf(j.id) !== undefined)
  return (
    <tr data-job={j.id} class={j.status}>
      <th scope="row">{kindText(w, j)}</th>
      <td>
        <span class={'dot ' + j.status} aria-hidden="true" />
        {statusText(w, j)}
      </td>
      <td class="progress">
        {p?.lower !== undefined && p.upper !== undefined ? (
          <Bounds lower={p.lower} upper={p.upper} />
        ) : p && p.of > 1 ? (
          <>
            <progress max={p.of} value={p.done} aria-label={w.t('jProgress')} />
            <span>{w.t('parts', { done: w.number(p.done), of: w.number(p.of) })}</span>
          </>
        ) : null}
        {p && !finished(j) ? <small>{w.t('nodes', { n: w.number(p.nodes) })}</small> : null}
      </td>
      <td>
        <time dateTime={j.created_at}>{new Date(j.created_at).toLocaleTimeString(w.lang)}</time>
      </td>
      <td class="acts">
        {!finished(j) && (
          <button type="button" class="cancel" onClick={() => void cancel(j)}>
            {w.t('cancel')}
          </button>
        )}
        {finished(j) && j.status !== 'cancelled' && onBoard && j.status === 'succeeded' && (
          <button type="button" class="open" onClick={() => void open(j, true)}>
            {w.t('open')}
          </button>
        )}
        {finished(j) && j.status !== 'cancelled' && (
          <button type="button" onClick={() => void open(j, false)}>
            {w.t('show')}
          </button>
        )}
      </td>
    </tr>
  )
}

// The interval in which the outcome of a solve lies, on a scale from -400 to 400.
function Bounds({ lower, upper }: { lower: number; upper: number }) {
  const w = useWords()
  const x = (v: number) => Math.max(0, Math.min(160, 80 + v / 5))
  return (
    <>
      <svg class="bounds" viewBox="0 0 160 10" aria-hidden="true">
        <path class="scale" d="M0 5H160M80 1V9" />
        <rect x={x(lower)} y="2" width={Math.max(3, x(upper) - x(lower))} height="6" rx="3" />
      </svg>
      <span data-lower={lower} data-upper={upper}>
        {w.t('bounds', { lower: w.signed(lower), upper: w.signed(upper) })}
      </span>
    </>
  )
}
