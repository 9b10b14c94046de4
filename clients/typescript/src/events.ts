// Streams of server-sent events.

import { ConnectionError, type Options, type Sent, type Transport } from './transport.js'

/** Opens a stream: nothing if there is nothing more to come. */
export async function open(
  transport: Transport,
  path: string,
  init: Parameters<Transport['answered']>[1],
  signal: AbortSignal,
): Promise<AsyncGenerator<Message> | undefined> {
  const quiet = new AbortController() // the server sends something at least every 15 seconds
  const both = AbortSignal.any([signal, quiet.signal])
  const stream = await transport.answered(path, init, both, 'text/event-stream', async (r) =>
    r.status === 204 ? null : r.body,
  )
  return stream ? messages(stream, () => quiet.abort(), transport.attempt) : undefined
}

/** The answers of a stream. One that breaks before its end is an error: the search would begin again. */
export async function* answers<T>(
  transport: Transport,
  method: string,
  path: string,
  { body }: Sent,
  options: Options = {},
): AsyncGenerator<T, void, undefined> {
  const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' }
  const signal = transport.signal(options)
  const events = await open(transport, path, { method, headers, body: JSON.stringify(body) }, signal)
  if (!events) return
  let cause: unknown
  try {
    for await (const { name, data } of events) {
      if (name === 'finished') return
      yield JSON.parse(data) as T
    }
  } catch (error) {
    signal.throwIfAborted()
    cause = error
  }
  throw new ConnectionError(`${transport.base}${path}: The stream of answers has broken before its end.`, { cause })
}

interface Message {
  id: string
  name: string
  data: string
}

/** Reads the server-sent events of a stream. If nothing comes for some time, it calls `quiet`. */
async function* messages(
  stream: ReadableStream<Uint8Array>,
  quiet: () => void,
  after: number,
): AsyncGenerator<Message> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      timer = setTimeout(quiet, after)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      const blocks = (text + value).split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = new Map(block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
        const data = fields.get('data')
        if (data !== undefined) yield { id: fields.get('id') ?? '', name: fields.get('event') ?? '', data }
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined) // a stream that has broken cannot be cancelled
  }
}
