// The page of Belote Découverte: all cards open, or a game with the cards below face down.

import { useRef } from 'preact/hooks'
import { Language, useLanguage } from '../shared/frame'
import { gameHash, useHiddenMode } from '../shared/history'
import * as prefs from '../shared/prefs'
import { HiddenBelote } from './hidden'
import { OpenBelote } from './open'
import type { Shared } from './state'
import { fragment } from './url'
import { beloteWords } from './words'

// Whether the address, or else the last visit, belongs to the hidden mode.
const atHidden = (): boolean =>
  (location.hash.length > 1 ? location.hash : (prefs.stored('belote')?.hash ?? '')) === gameHash

export function BelotePage() {
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef('') // where the open mode was left
  const [w, setLang] = useLanguage((w) => beloteWords(w).b('title'))
  return (
    <Language.Provider value={w}>
      {hidden ? (
        <HiddenBelote
          setLang={setLang}
          toOpen={(shared?: Shared) => {
            prefs.store({ hash: '', cuts: [] }, 'belote')
            go(false, shared ? fragment(shared) : openBoard.current || location.pathname)
          }}
        />
      ) : (
        <OpenBelote
          setLang={setLang}
          toHidden={() => {
            openBoard.current = location.hash
            go(true, gameHash)
          }}
        />
      )}
    </Language.Provider>
  )
}
