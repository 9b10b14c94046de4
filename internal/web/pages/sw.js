// Keeps the site in the browser, so that it works without a network. Written by make site.
//
// A version answers with its own files only, so that the parts of a page fit each other. The next one is fetched beside it, and begins with
// the next page that is opened while no other is open, or when a reader asks for it. sw-off.js, served in place of this file, ends it.
const version = '{{.Version}}'
// The files, each with the beginning of its SHA-256. A server that is just being changed, or names another page in place of one that it has not,
// has other files: they are not kept.
const first = {{.First}}
const later = {{.Later}} // kept when they are first needed, or in the background
const packed = '{{.Packed}}' // at the end of the names of compressed files, for servers that compress nothing
const prefix = 'roem ' + registration.scope + ' '
const cacheName = prefix + version
const whole = (path) => new URL(path, registration.scope).href
const kept = new Map(Object.entries({ ...first, ...later }).map(([path, sum]) => [whole(path), sum]))
const named = whole('docs/') // the name of a file below it changes with its content

// All files or none.
async function install() {
  const all = await Promise.allSettled(Object.keys(first).map(async (path) => put(whole(path), await fetched(whole(path)))))
  const failed = all.find((one) => one.status === 'rejected')
  if (!failed) return
  await caches.delete(cacheName)
  throw failed.reason
}

addEventListener('install', (event) => event.waitUntil(install()))

addEventListener('activate', (event) => event.waitUntil(tidy(true).then(() => clients.claim())))

addEventListener('message', (event) => {
  if (event.data === 'begin') skipWaiting()
  if (event.data === 'later') event.waitUntil((keeping ??= keepLater().finally(() => (keeping = undefined))))
})

// Every page asks for what is needed later: it is fetched once for all that ask at a time.
let keeping
const keepLater = () => Promise.all([tidy(), ...Object.keys(later).map((path) => fromCache(whole(path)))]).catch(() => {})

// Forgets the files of earlier versions. While other pages are open, or may be, the last one stays: they may load parts of it.
async function tidy(others) {
  const before = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  if (others || (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length > 1) before.pop()
  await Promise.all(before.map((name) => caches.delete(name)))
}

const put = async (address, answer) => (await caches.open(cacheName)).put(address, answer)

// Fetches a file of this version, or throws.
async function fetched(address) {
  try {
    return await checked(address, await asked(address, address.startsWith(named) ? 'default' : 'no-cache'))
  } catch {
    return checked(address, await asked(address, 'reload')) // what the browser has is another file, or a part
  }
}

// Asks for a file. The program is fetched as it is where that is compressed, and else packed.
async function asked(address, cache) {
  const answer = await fetch(address, { cache })
  if (!address.endsWith('.wasm') || answer.headers.get('content-encoding')) return answer
  void answer.body?.cancel()
  const { ok, status, body } = await fetch(address + packed, { cache })
  const headers = { 'Content-Type': 'application/wasm', 'Roem-Unpacked': '1' }
  return new Response(ok ? body.pipeThrough(new DecompressionStream('gzip')) : null, { status, headers })
}

// Some servers write into pages: such a page is one of this version if it names no file of another. A browser takes no answer for a page that was
// redirected, and some servers redirect names of pages.
async function checked(address, answer) {
  const body = await answer.arrayBuffer()
  const sum = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', body)).slice(0, 8), (n) => n.toString(16).padStart(2, '0')).join('')
  const fits = () => [...new TextDecoder().decode(body).matchAll(/"(docs\/[^"?#]+)/g)].every(([, path]) => kept.has(whole(path)))
  if (!answer.ok || (sum !== kept.get(address) && !(address.endsWith('.html') && fits()))) throw new Error(address + ': ' + answer.status)
  return new Response(body, { headers: answer.headers })
}

// What is not kept, or not any more, is fetched and kept. A file of another version is answered as the server has it.
async function fromCache(address, request = address) {
  const found = await caches.match(address, { cacheName }).catch(() => undefined)
  if (found) return found
  try {
    const answer = await fetched(address)
    // The browser may have no room, and a later version may have begun, which has forgotten this one.
    if (await caches.has(cacheName)) await put(address, answer.clone()).catch(() => {})
    return answer
  } catch {
    return fetch(request)
  }
}

// A page is opened, a newer version waits, and no other page of this one is open: it begins, and the page is opened again. One page that is open
// may be the one that is read again; another may stay.
async function newer(address) {
  const waits = registration.waiting
  const open = waits ? await clients.matchAll({ type: 'window' }) : []
  if (!waits || open.length > 1 || open.some(({ url }) => url.split('#')[0] !== address.split('#')[0])) return undefined
  waits.postMessage('begin')
  return new Response('<!doctype html><script>setTimeout(() => location.reload(), 50)</script>', { headers: { 'Content-Type': 'text/html' } })
}

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const address = new URL(request.url)
  address.search = address.hash = ''
  if (address.href.endsWith('/')) address.pathname += 'index.html'
  const file = [address.href, address.href + '.html'].find((href) => kept.has(href))
  if (file) event.respondWith(request.mode === 'navigate' ? newer(request.url).then((answer) => answer ?? fromCache(file, request)) : fromCache(file, request))
  // A page of an earlier version, which is still open.
  else if (address.href.startsWith(named)) event.respondWith(caches.match(address.href).then((found) => found ?? fetch(request)))
})
