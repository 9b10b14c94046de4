// Keeps the site in the browser, so that it works without a network. Written by make site.
//
// A version answers with its own files only, so that the parts of a page fit each other. The next one is fetched beside it, and begins with
// the next page that is opened while no other is open, or when a reader asks for it. sw-off.js, served in place of this file, ends it.
const version = '{{.Version}}'
const first = {{.First}}
const later = {{.Later}} // kept when they are first needed, or in the background
const prefix = 'roem ' + registration.scope + ' '
const cacheName = prefix + version
const whole = (path) => new URL(path, registration.scope).href
const kept = new Set([...first, ...later].map(whole))

addEventListener('install', (event) => {
  event.waitUntil(Promise.all(first.map((path) => fetched(whole(path)))))
})

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith(prefix) && n !== cacheName).map((n) => caches.delete(n))))
      .then(() => clients.claim()),
  )
})

addEventListener('message', (event) => {
  if (event.data === 'begin') skipWaiting()
  if (event.data === 'later') event.waitUntil(Promise.all(later.map((path) => fromCache(whole(path)))).catch(() => {}))
})

// Fetches a file and keeps it. The name of a file below docs changes with its content; any other is asked for again. Some servers redirect names
// of pages, and a browser takes no redirected answer for a page.
async function fetched(address) {
  const answer = await fetch(address, { cache: address.startsWith(whole('docs/')) ? 'default' : 'no-cache' })
  if (!answer.ok) throw new Error(address + ': ' + answer.status)
  const plain = answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer
  const cache = await caches.open(cacheName)
  await cache.put(address, plain.clone())
  return plain
}

const fromCache = async (address) => (await (await caches.open(cacheName)).match(address)) ?? fetched(address)

// A page is opened, a newer version waits, and no other page of this one is open: it begins, and the page is opened again.
async function newer() {
  const waits = registration.waiting
  if (!waits || (await clients.matchAll({ type: 'window' })).length > 1) return undefined
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
  if (!file) return
  event.respondWith(request.mode === 'navigate' ? newer().then((answer) => answer ?? fromCache(file)) : fromCache(file))
})
