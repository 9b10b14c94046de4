// The address of a page. It follows what the page shows, and the page follows it when the reader goes back or forth.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import * as prefs from './prefs'

/** What an address begins with that holds a record. */
export const recordHash = '#record='

/** The address of the open mode, as it was left or with a new deal: a link to it never opens a game with hidden cards. */
export const openHash = '#v=1&m=open'

/** The address of a game with the players of the server. Its id is kept by the browser. */
export const gameHash = '#v=1&m=play'

/** The address that begins a game: a link to play. The page makes it gameHash at once. */
const beginHash = '#v=1&m=begin'
let asked = false

/** A link to what an address shows, with a picture of it for messengers: the server reads the query, and no fragment. */
export const linkOf = (hash: string, lang: string): string =>
  location.origin + location.pathname + '?' + hash.slice(1) + (lang === 'nl' ? '&language=nl' : '')

/** Sees to links, and to addresses that begin a game. It is called before the page is shown. */
export function seeBegin(): void {
  // What messengers add to links is left out.
  if (!location.hash && /^\?(v=1&|record=)/.test(location.search))
    history.replaceState(
      null,
      '',
      location.pathname + '#' + location.search.slice(1).replace(/&(language|fbclid|gclid|utm_\w+)=[^&]*/g, ''),
    )
  addEventListener('popstate', () => location.hash === beginHash && location.reload())
  if (location.hash !== beginHash) return
  asked = true
  history.replaceState(null, '', gameHash)
}

/** Whether the page was opened to begin a game, as long as none was begun. */
export const beginAsked = (): boolean => asked
export const begun = (): void => void (asked = false)

/** What reading an address gives: what it shares, or why it cannot be read. */
export type Read<S, E> = { ok: true; shared: S } | { ok: false; error: E }

/** Where a page begins: at its address, or where the last visit ended, or at what is shown without either. */
export function begin<S extends object, T extends S & Pick<prefs.Stored, 'cuts'>, E>(
  page: string,
  blank: T,
  read: (hash: string) => Read<S, E>,
): { state: T; error: E | null } {
  const kept = prefs.stored(page)
  const hash = location.hash.length > 1 ? location.hash : (kept?.hash ?? '')
  if (hash === '') return { state: blank, error: null }
  const from = read(hash)
  if (!from.ok) return { state: blank, error: location.hash.length > 1 ? from.error : null }
  return {
    state: { ...blank, ...from.shared, ...(kept?.hash === hash ? { cuts: kept.cuts, seed: kept.seed ?? '' } : {}) },
    error: null,
  }
}

/**
 * Keeps the address and the storage of a page as its state is, before the page is shown. A new deal is a new entry of
 * the history; what changes within a deal replaces the entry. Nothing is written while keep is null. When the reader
 * goes to another entry, follow shows what is there and returns its deal, or null if there is none.
 */
export function useAddress(
  page: string,
  state: unknown,
  deal: string,
  keep: prefs.Stored | null,
  follow: () => string | null,
): void {
  const before = useRef(deal)
  useLayoutEffect(() => {
    if (!keep) return
    if (location.hash !== keep.hash) {
      if (deal !== before.current && location.hash.length > 1) history.pushState(null, '', keep.hash)
      else history.replaceState(null, '', keep.hash)
    }
    before.current = deal
    prefs.store(keep, page)
  }, [state, keep === null])
  // Before the page is shown: from then on the address can change.
  useLayoutEffect(() => {
    const read = () => {
      before.current = follow() ?? before.current
    }
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
}

/** Whether a page shows its hidden mode, which its address tells, and how to go to the other mode. */
export function useHiddenMode(atHidden: () => boolean): [boolean, (toHidden: boolean, hash: string) => void] {
  const at = () => {
    if (location.hash !== openHash) return atHidden()
    history.replaceState(null, '', location.pathname + location.search)
    return false
  }
  const [hidden, set] = useState(at)
  useEffect(() => {
    const follow = () => set(at())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return [
    hidden,
    (toHidden, hash) => {
      history.pushState(null, '', hash)
      set(toHidden)
    },
  ]
}
