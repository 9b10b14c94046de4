// What the pages of a site without a server do beside others: a service worker keeps the site in the browser.

// The texts are here, since this file is loaded apart from the page, and also by pages of text.
const texts = {
  en: { ready: 'There is a new version.', use: 'Load it' },
  nl: { ready: 'Er is een nieuwe versie.', use: 'Laden' },
}

function offer(use: () => void): void {
  if (document.getElementById('new-version')) return
  const text = texts[document.documentElement.lang === 'nl' ? 'nl' : 'en']
  const notice = document.createElement('p')
  notice.id = 'new-version'
  notice.className = 'notice'
  notice.setAttribute('role', 'status')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text.use
  button.onclick = use
  notice.append(text.ready + ' ', button)
  document.body.prepend(notice)
}

// How often a page that stays open looks for a new version, when it is seen again: it may be an app that is never closed.
const often = 3600_000

async function keep(): Promise<void> {
  const { serviceWorker } = navigator
  const before = serviceWorker.controller
  let begun = false // another page has begun the new version
  serviceWorker.addEventListener('controllerchange', () => (begun = true))
  const kept = await serviceWorker.register('sw.js', { updateViaCache: 'none' })
  const use = () => {
    if (begun || !kept.waiting) return location.reload()
    serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    kept.waiting.postMessage('begin') // the newest, of which the notice may not know
  }
  const follow = (worker: ServiceWorker | null) => {
    const ready = () => worker?.state === 'installed' && before && offer(use)
    worker?.addEventListener('statechange', ready)
    ready()
  }
  follow(kept.waiting)
  follow(kept.installing)
  kept.addEventListener('updatefound', () => follow(kept.installing))
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() < looked + often) return
    looked = Date.now()
    void kept.update().catch(() => {}) // without a network
  })
  // What is needed later, such as the networks of the bidding, is fetched when the page has been shown.
  const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {}
  const { active } = await serviceWorker.ready
  if (!saveData) setTimeout(() => active?.postMessage('later'), 3000)
}

// What keeps the site fetches all of it: the program of the page comes first, which is as much as everything else.
const loaded = new Promise((done) => addEventListener('load', done))
const { dataset } = document.documentElement
const calculates =
  dataset['worker'] &&
  new Promise((done) => {
    addEventListener('roem-ready', done)
    setTimeout(done, 20_000)
  })

// Where a page may not keep anything, such as in a frame of another site, it works without.
if ('serviceWorker' in navigator)
  void Promise.all([loaded, calculates])
    .then(keep)
    .catch(() => {})

export {}
