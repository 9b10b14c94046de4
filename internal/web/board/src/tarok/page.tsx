// The page of tarok: all cards open, or a game with the players of the server.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Language } from '../frame'
import { useHiddenMode } from '../history'
import * as prefs from '../prefs'
import { type Lang, words } from '../words'
import { HiddenTarok, hiddenFragment } from './hidden'
import { OpenTarok } from './open'
import { loadTarok, tarokWords } from './words'

const atHidden = (): boolean => location.hash === hiddenFragment

export function TarokPage() {
  const [lang, show] = useState<Lang>(prefs.language())
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef('') // where the open mode was left
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = tarokWords(w).b('title')
  }, [lang])
  const setLang = (l: Lang) => void loadTarok(l).then(() => show(l), () => {})
  return (
    <Language.Provider value={w}>
      {hidden ? <HiddenTarok setLang={setLang} toOpen={() => go(false, openBoard.current || location.pathname)} /> : <OpenTarok setLang={setLang} toHidden={() => {
        openBoard.current = location.hash
        go(true, hiddenFragment)
      }} />}
    </Language.Provider>
  )
}
