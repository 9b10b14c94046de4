// The page of Belote Découverte: all cards open, or a game with the bottom cards hidden.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { Language } from '../frame'
import * as prefs from '../prefs'
import { type Lang, words } from '../words'
import { OpenBelote } from './open'
import { beloteWords, loadBelote } from './words'

export function BelotePage() {
  const [lang, show] = useState<Lang>(prefs.language())
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = beloteWords(w).b('title')
  }, [lang])
  const setLang = (l: Lang) => void loadBelote(l).then(() => show(l), () => {})
  return <Language.Provider value={w}><OpenBelote setLang={setLang} given={null} toHidden={() => {}} /></Language.Provider>
}
