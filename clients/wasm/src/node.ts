// @roem/klaverjas in Node.

import { Worker } from 'node:worker_threads'
import { Local, LocalKlaverjas } from './local.js'
import type { FromWorker } from './protocol.js'

export * from './public.js'

/** Starts a worker, and returns the operations of Klaverjas, which it answers. The process can end while the worker has nothing to do. */
export function klaverjas(): LocalKlaverjas {
  return new LocalKlaverjas(
    new Local((message, failed) => {
      const worker = new Worker(new URL('./worker-node.js', import.meta.url))
      let asked = 0
      worker.on('message', (m: FromWorker) => {
        if ('status' in m || 'failed' in m || 'cancelled' in m) if (--asked === 0) worker.unref()
        message(m)
      })
      worker.on('error', failed)
      worker.unref()
      return {
        send: (m) => {
          if (!('cancel' in m) && asked++ === 0) worker.ref()
          worker.postMessage(m)
        },
        close: () => void worker.terminate(),
      }
    }),
  )
}
