// The module worker of pages. Its messages are in protocol.ts.

import { inDatabase } from './games.js'
import { host } from './host.js'
import type { FromWorker, ToWorker } from './protocol.js'

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`)
  return response
}

async function program(): Promise<WebAssembly.Module> {
  const response = await fetched(new URL('./klaverjas.wasm', import.meta.url))
  // Servers that send another media type have the whole file compiled after it has come.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

const channel = new MessageChannel()
let behind: (() => void) | undefined
channel.port1.onmessage = () => behind?.()

const scope = self as unknown as { postMessage(message: FromWorker): void; onmessage: (event: MessageEvent) => void }
const take = host({
  program,
  network: async (name) =>
    new Uint8Array(await (await fetched(new URL('./networks/' + name, import.meta.url))).arrayBuffer()),
  games: inDatabase(),
  later: (then) => {
    behind = then
    channel.port2.postMessage(0)
  },
  send: (message) => scope.postMessage(message),
})
scope.onmessage = ({ data }: MessageEvent<ToWorker>) => take(data)
