// Runs a page in a browser, and returns what the page sends back. The page does everything itself, so nothing drives the browser.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const browsers = {
  chromium: (profile, url) => [
    'chromium-headless-shell',
    ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`, url],
  ],
  firefox: (profile, url) => ['firefox-esr', ['--headless', '--no-remote', '--profile', profile, url]],
}

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' }
const own = fileURLToPath(new URL('.', import.meta.url))

/** Serves the package, this folder and the task, which is JSON, to one browser, until the page has sent its result. */
export async function inBrowser(name, folder, task, limit) {
  const profile = mkdtempSync(join(tmpdir(), 'roem-browser-'))
  let result, broken
  const ended = new Promise((done, fail) => ((result = done), (broken = fail)))
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname === '/result') {
      let text = ''
      for await (const part of request) text += part
      response.end()
      return result(JSON.parse(text))
    }
    if (pathname === '/task') return response.end(JSON.stringify(task))
    const [, top, ...rest] = pathname.split('/')
    const file = top === 'package' ? join(folder, ...rest) : join(own, top || 'page.html')
    try {
      const bytes = await readFile(file)
      response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream')
      response.setHeader('Cache-Control', 'max-age=3600')
      response.end(bytes)
    } catch {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const [program, args] = browsers[name](profile, `http://127.0.0.1:${server.address().port}/`)
  const child = spawn(program, args, {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1', HOME: profile },
  })
  child.on('error', broken)
  child.on('exit', (code) => broken(new Error(`${program} has ended with ${code}`)))
  const timer = setTimeout(() => broken(new Error(`${name}: no result`)), limit)
  try {
    return await ended
  } finally {
    clearTimeout(timer)
    child.removeAllListeners('exit')
    const gone = new Promise((done) => child.on('exit', done))
    try {
      process.kill(-child.pid, 'SIGKILL') // with its own processes
      await gone
    } catch {}
    server.closeAllConnections()
    server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
