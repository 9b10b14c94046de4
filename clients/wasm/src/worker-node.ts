// The worker of Node. Its messages are in protocol.ts.

import { readFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { inMemory } from './games.js'
import { fileOf, host } from './host.js'

const file = (name: string) => readFile(new URL(name, import.meta.url))

const take = host({
  program: async (name) => WebAssembly.compile(await file(fileOf[name])),
  network: (name) => file('./networks/' + name),
  games: inMemory(),
  later: (then) => setImmediate(then),
  send: (message) => parentPort?.postMessage(message),
})
parentPort?.on('message', take)
