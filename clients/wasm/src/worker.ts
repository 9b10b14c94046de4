// The module worker of pages. Its messages are in protocol.ts.

import { inDatabase } from './games.js'
import { fileOf, host, type Name } from './host.js'
import type { FromWorker, ToWorker } from './protocol.js'

// Whoever serves this file can begin it with self.packed = true: then the files are also compressed with gzip and named so, for servers of files
// that compress nothing. The programs are there as they are too, for servers that compress, and for what keeps them in the browser.
const packed = 'packed' in self

async function fetched(name: string): Promise<Response> {
  if (packed && name.endsWith('.wasm')) {
    const plain = await fetch(new URL(name, import.meta.url))
    if (plain.headers.get('content-encoding') ?? plain.headers.get('roem-unpacked')) return plain
    void plain.body?.cancel()
  }
  const response = await fetch(new URL(packed ? name + '.packed' : name, import.meta.url))
  if (!response.ok || !response.body) throw new Error(`${response.url}: ${response.status}`)
  if (!packed) return response
  const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream'
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': type } })
}

// A page can compile the small program while the worker is loaded. It says so before it asks for anything, and then sends the program, or null.
let comes: Promise<WebAssembly.Module | null> | undefined
let come: (module: WebAssembly.Module | null) => void

async function program(name: Name): Promise<WebAssembly.Module> {
  const compiled = name === 'small' && (await comes)
  if (compiled) return compiled
  const response = await fetched(fileOf[name])
  // Servers that send another media type have the whole file compiled after it has come.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

const channel = new MessageChannel()
const behind: (() => void)[] = []
channel.port1.onmessage = () => behind.shift()?.()

const scope = self as unknown as { postMessage(message: FromWorker): void; onmessage: (event: MessageEvent) => void }
const take = host({
  program,
  network: async (name) => new Uint8Array(await (await fetched('./networks/' + name)).arrayBuffer()),
  games: inDatabase(),
  later: (then) => {
    behind.push(then)
    channel.port2.postMessage(0)
  },
  send: (message) => scope.postMessage(message),
})
scope.onmessage = ({ data }: MessageEvent<ToWorker | { module: WebAssembly.Module | null | undefined }>) => {
  if (!('module' in data)) take(data)
  else if (data.module === undefined) comes = new Promise((done) => (come = done))
  else come(data.module)
}
