// The page of tarok: all cards open, or a game with the players of the server.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Language } from '../frame'
import * as prefs from '../prefs'
import { type Lang, words } from '../words'
import { HiddenTarok, hiddenFragment } from './hidden'
import { OpenTarok } from './open'
import { loadTarok, tarokWords } from './words'

const atHidden = (): boolean => location.hash === hiddenFragment

export function TarokPage() {
  const [lang, show] = useState<Lang>(prefs.language())
  const [hidden, setHidden] = useState(atHidden)
  const openBoard = useRef('') // where the open mode was left
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = tarokWords(w).b('title')
  }, [lang])
  useEffect(() => {
    const follow = () => setHidden(atHidden())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const setLang = (l: Lang) => void loadTarok(l).then(() => show(l), () => {})
  const go = (toHidden: boolean, hash: string) => {
    history.pushState(null, '', hash)
    setHidden(toHidden)
  }
  return (
    <Language.Provider value={w}>
      {hidden ? <HiddenTarok setLang={setLang} toOpen={() => go(false, openBoard.current || location.pathname)} /> : <OpenTarok setLang={setLang} toHidden={() => {
        openBoard.current = location.hash
        go(true, hiddenFragment)
      }} />}
    </Language.Provider>
  )
}
