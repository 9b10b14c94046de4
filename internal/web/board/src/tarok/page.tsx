// The page of tarok: all cards open, or a game with the players of the server.

import { useRef } from 'preact/hooks'
import { Language, useLanguage } from '../shared/frame'
import { gameHash, useHiddenMode } from '../shared/history'
import { HiddenTarok } from './hidden'
import { OpenTarok } from './open'
import { tarokWords } from './words'

const atHidden = (): boolean => location.hash === gameHash

export function TarokPage() {
  const [hidden, go] = useHiddenMode(atHidden)
  const openBoard = useRef('') // where the open mode was left
  const [w, setLang] = useLanguage((w) => tarokWords(w).b('title'))
  return (
    <Language.Provider value={w}>
      {hidden ? (
        <HiddenTarok setLang={setLang} toOpen={() => go(false, openBoard.current || location.pathname)} />
      ) : (
        <OpenTarok
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
