// What the pages of a site without a server do beside others: a service worker keeps the site in the browser.

// The texts are here, since this file is loaded apart from the page, and also by pages of text.
const texts = {
  en: { ready: 'There is a new version.', use: 'Load it' },
  nl: { ready: 'Er is een nieuwe versie.', use: 'Laden' },
}

function offer(worker: ServiceWorker): void {
  if (document.getElementById('new-version')) return
  const text = texts[document.documentElement.lang === 'nl' ? 'nl' : 'en']
  const notice = document.createElement('p')
  notice.id = 'new-version'
  notice.className = 'notice'
  notice.setAttribute('role', 'status')
  const use = document.createElement('button')
  use.type = 'button'
  use.textContent = text.use
  use.onclick = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    worker.postMessage('begin')
  }
  notice.append(text.ready + ' ', use)
  document.body.prepend(notice)
}

async function keep(): Promise<void> {
  const before = navigator.serviceWorker.controller
  const kept = await navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' })
  const follow = (worker: ServiceWorker | null) => {
    const ready = () => worker?.state === 'installed' && before && offer(worker)
    worker?.addEventListener('statechange', ready)
    ready()
  }
  follow(kept.waiting)
  follow(kept.installing)
  kept.addEventListener('updatefound', () => follow(kept.installing))
  // What is needed later, such as the networks of the bidding, is fetched when the page has been shown.
  const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {}
  const { active } = await navigator.serviceWorker.ready
  if (!saveData) setTimeout(() => active?.postMessage('later'), 3000)
}

// Where a page may not keep anything, such as in a frame of another site, it works without.
if ('serviceWorker' in navigator) addEventListener('load', () => void keep().catch(() => {}))

export {}
