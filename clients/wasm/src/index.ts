// @roem/klaverjas in a page.

import { Local, LocalKlaverjas } from './local.js'
import type { FromWorker } from './protocol.js'

export * from './public.js'

/** The settings of `klaverjas`. */
export interface Settings {
  /** The worker, where it must be made in another way: from a copy on the page's own host, for example. */
  worker?: () => Worker
}

/** Starts a worker, and returns the operations of Klaverjas, which it answers. */
export function klaverjas(settings: Settings = {}): LocalKlaverjas {
  return new LocalKlaverjas(
    new Local((message, failed) => {
      const worker =
        settings.worker?.() ??
        new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'klaverjas' })
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => message(data)
      worker.onerror = (event) => failed(event.message || 'it could not be started')
      return { send: (m) => worker.postMessage(m), close: () => worker.terminate() }
    }),
  )
}
