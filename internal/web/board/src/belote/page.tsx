// The page of Belote Découverte: all cards open, or a game with the cards below face down.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Language } from '../frame'
import { useHiddenMode } from '../history'
import * as prefs from '../prefs'
import { type Lang, words } from '../words'
import { HiddenBelote, hiddenFragment } from './hidden'
import { OpenBelote } from './open'
import type { Shared } from './state'
import { fragment } from './url'
import { beloteWords, loadBelote } from './words'

// Whether the address, or else the last visit, is that of the hidden mode.
const atHidden = (): boolean => (location.hash.length > 1 ? location.hash : prefs.stored('belote')?.hash ?? '') === hiddenFragment

export function BelotePage() {
  const [lang, show] = useState<Lang>(prefs.language())
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef('') // where the open mode was left
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = beloteWords(w).b('title')
  }, [lang])
  const setLang = (l: Lang) => void loadBelote(l).then(() => show(l), () => {})
  return (
    <Language.Provider value={w}>
      {hidden
        ? <HiddenBelote setLang={setLang} toOpen={(shared?: Shared) => {
          prefs.store({ hash: '', cuts: [] }, 'belote')
          go(false, shared ? fragment(shared) : openBoard.current || location.pathname)
        }} />
        : <OpenBelote setLang={setLang} toHidden={() => {
          openBoard.current = location.hash
          go(true, hiddenFragment)
        }} />}
    </Language.Provider>
  )
}
