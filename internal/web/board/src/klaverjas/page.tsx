// The page of Klaverjas: all cards open, or the cards of one seat.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { call } from '../shared/api'
import { Language, useLanguage } from '../shared/frame'
import { useHiddenMode } from '../shared/history'
import * as prefs from '../shared/prefs'
import type { SessionRequest } from './api'
import { Hidden } from './hidden'
import { OpenKlaverjas } from './open'
import { complete } from './rules'
import { seenOf } from './seen'
import { type Shared, atHidden, fragment, gameFragment, readFragment } from './url'
import { klaverjasWords } from './words'

// The hand of the address, if it belongs to a review of one seat.
function reviewed(): Shared | null {
  const read = readFragment(location.hash)
  return read.ok && read.review ? read.shared : null
}

export function BoardPage() {
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef<Shared | null>(useMemo(reviewed, [])) // where the open mode was left
  const first = useRef<SessionRequest | null>(null) // the game that the hidden mode begins with
  const trial = useRef(false) // whether the open mode begins with a position that is tried again
  // A mode that comes back later, by the history of the browser, begins neither a game nor a trial.
  useEffect(() => {
    first.current = null
    trial.current = false
  }, [hidden])
  const [w, setLang] = useLanguage((w) => klaverjasWords(w).t('title'))
  return (
    <Language.Provider value={w}>
      {hidden ? (
        <Hidden
          setLang={setLang}
          known={openBoard.current}
          first={first.current}
          toOpen={(shared, again = false) => {
            trial.current = again
            const to = shared ?? openBoard.current
            go(false, to ? fragment(to) : location.pathname)
          }}
        />
      ) : (
        <OpenKlaverjas
          setLang={setLang}
          trial={trial.current}
          play={(request) => {
            const id = prefs.game('game')
            if (id) void call('DELETE', `/v1/klaverjas/sessions/${id}`, undefined, new AbortController().signal)
            prefs.setGame('', 'game')
            first.current = request
            go(true, gameFragment)
          }}
          toHidden={(s) => {
            first.current = null
            const whole = complete(s.setup.holders)
            trial.current = false
            openBoard.current = whole ? { setup: s.setup, played: s.played, cursor: s.cursor } : null
            go(true, prefs.game('game') || !whole ? gameFragment : fragment(seenOf(s, s.seat), s.seat))
          }}
        />
      )}
    </Language.Provider>
  )
}
