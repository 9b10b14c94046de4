// Why a request of a game has failed, or when it is sent again.

import type { Failure } from './api'
import { Waiting } from './frame'

/** What the page says while a game cannot go on. */
export function Trouble({
  game: { failure, wait, retry },
}: {
  game: { failure: Failure | undefined; wait: number | undefined; retry(): void }
}) {
  if (!failure || failure.kind === 'aborted') return null
  return <Waiting answer={{ key: '', cancel: () => {}, retry, failure, ...(wait === undefined ? {} : { wait }) }} />
}
