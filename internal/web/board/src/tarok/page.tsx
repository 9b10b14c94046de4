// The page of tarok.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { Language } from '../frame'
import * as prefs from '../prefs'
import { type Lang, words } from '../words'
import { OpenTarok } from './open'
import { loadTarok, tarokWords } from './words'

export function TarokPage() {
  const [lang, show] = useState<Lang>(prefs.language())
  const w = useMemo(() => words(lang), [lang])
  useLayoutEffect(() => {
    document.documentElement.lang = lang
    document.title = tarokWords(w).b('title')
  }, [lang])
  const setLang = (l: Lang) => void loadTarok(l).then(() => show(l), () => {})
  return <Language.Provider value={w}><OpenTarok setLang={setLang} /></Language.Provider>
}
