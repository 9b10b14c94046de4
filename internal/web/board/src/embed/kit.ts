// The board for pages of sites without a server of Roem: this file and klaverjas.wasm, which lies beside it, are all. A page loads it as a module
// and writes <roem-board position="v=1&t=S…">. The element shows a frame, in which this file is the program of the board, and that starts a worker,
// in which this file is the program of the worker.

import sprite from 'sprite.svg'
import style from 'board.css'
import { bundled } from '../shared/files'

const file = import.meta.url

function define(): void {
  class Board extends HTMLElement {
    static observedAttributes = ['position', 'language', 'theme', 'values']

    connectedCallback(): void {
      this.style.display = 'block'
      this.show()
    }

    attributeChangedCallback(): void {
      if (this.isConnected) this.show()
    }

    private show(): void {
      const frame = document.createElement('iframe')
      frame.title = this.title || 'Klaverjas'
      frame.style.cssText = 'width: 100%; height: 45rem; border: 0'
      const query = new URLSearchParams()
      for (const name of ['language', 'theme', 'values']) {
        const value = this.getAttribute(name)
        if (value !== null) query.set(name, value)
      }
      frame.dataset['query'] = String(query)
      frame.dataset['hash'] = '#' + (this.getAttribute('position') ?? '').replace(/^#/, '')
      const worker = new URL(file).pathname.slice(1)
      frame.srcdoc =
        `<!doctype html><html lang="en" data-site="embed" data-worker="${worker}"><head><meta charset="utf-8">` +
        `<meta name="color-scheme" content="light dark"><script type="module" src="${file}"></script></head>` +
        `<body>${sprite}<div id="app"></div></body></html>`
      addEventListener('message', function height({ source, data }: MessageEvent<{ type?: string; height?: number }>) {
        if (!frame.isConnected) return removeEventListener('message', height)
        if (source === frame.contentWindow && data?.type === 'roem-height') frame.style.height = `${data.height}px`
      })
      this.replaceChildren(frame)
    }
  }
  customElements.define('roem-board', Board)
}

async function board(): Promise<void> {
  const sheet = new CSSStyleSheet() // of a script: a policy that allows no inline style allows it
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  Object.assign(bundled, {
    './words-en.js': () => import('../shared/words-en'),
    './words-nl.js': () => import('../shared/words-nl'),
    './words-later-en.js': () => import('../shared/laterwords-en'),
    './words-later-nl.js': () => import('../shared/laterwords-nl'),
    './words-klaverjas-en.js': () => import('../klaverjas/words-en'),
    './words-klaverjas-nl.js': () => import('../klaverjas/words-nl'),
    './words-klaverjas-later-en.js': () => import('../klaverjas/laterwords-en'),
    './words-klaverjas-later-nl.js': () => import('../klaverjas/laterwords-nl'),
    './words-embed-en.js': () => import('./words-en'),
    './words-embed-nl.js': () => import('./words-nl'),
    './words-errors-nl.js': () => import('../shared/problems-nl'),
    './streams.js': () => import('../shared/streams'),
    './local.js': () => import('../shared/local'),
  })
  await import('./main')
}

if (typeof document === 'undefined') await import('../../../../../clients/wasm/src/worker')
else if (location.href === 'about:srcdoc' && document.documentElement.dataset['site'] === 'embed') await board()
else define()
