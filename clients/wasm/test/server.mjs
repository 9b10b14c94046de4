// A real server, with one searcher and the table of the program for pages, so that it searches the same nodes.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export async function startServer(program) {
  const data = mkdtempSync(join(tmpdir(), 'roem-wasm-'))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROEM_')))
  const child = spawn(program, [], {
    env: {
      ...env,
      ROEM_ADDR: '127.0.0.1:0',
      ROEM_DATA: data,
      ROEM_SEARCH_SEARCHERS: '1',
      ROEM_SEARCH_TABLE: '16MiB',
      ROEM_CACHE_MEMORY: '0',
      ROEM_CACHE_DISK: '0',
      ROEM_LIMITS_SEARCHES: '0',
      ROEM_LIMITS_SEARCH_TIME: '0',
      ROEM_LIMITS_SESSIONS_PER_MINUTE: '0',
      ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log = createInterface(child.stderr)
  const addr = await new Promise((found, fail) => {
    let last = ''
    log.on('line', (line) => {
      last = line
      if (line.includes('"listening"')) found(JSON.parse(line).addr)
    })
    child.on('exit', () => fail(new Error('the server ended: ' + last)))
  })
  return {
    async ask({ method, path, body }) {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json', Prefer: 'wait=30' }
      const response = await fetch(`http://${addr}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      return { status: response.status, body: await response.text() }
    },
    stop() {
      child.kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    },
  }
}
