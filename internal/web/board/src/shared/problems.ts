// What is wrong with a request, in words. The server says it in English; a Dutch page makes sentences of its own (problems-nl.ts).

import type { Problem } from './api'
import { load } from './files'
import type { Words } from './language'

let inDutch = (w: Words, _: Problem): string => w.t('refused')

/** Loads the Dutch sentences, in the background: until they are there, a page says only that it was refused. */
export async function loadProblems(): Promise<void> {
  inDutch = (await load<{ problemText: typeof inDutch }>('./words-errors-nl.js')).problemText
}

/** What is wrong, in the language of the page. */
export const problemText = (w: Words, p: Problem): string =>
  w.lang === 'en'
    ? // The sentence of a problem has its first error already.
      [p.detail, ...(p.errors ?? []).slice(1).map((e) => (e.pointer ? `${e.pointer}: ` : '') + e.detail)].join(' ')
    : inDutch(w, p)
