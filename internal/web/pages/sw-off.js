// Ends the service worker of the site: served as sw.js, it deletes what the browser keeps, and every page is fetched from the server again.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  const prefix = 'roem ' + registration.scope + ' '
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith(prefix)).map((n) => caches.delete(n))))
      .then(() => registration.unregister())
      .then(() => clients.matchAll({ type: 'window' }))
      .then((pages) => pages.forEach((page) => page.navigate(page.url).catch(() => {}))),
  )
})
