// The rules of a game in five minutes. One page shows each game in turn: its address names the game.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { url } from '../shared/base'
import { Header, Language, useLanguage } from '../shared/frame'
import type { Lang } from '../shared/words'
import { type Draw, Face, Shown, Text } from './cards'
import { type Facts, type Game, about, games } from './games'
import { Hand } from './hand'
import { Part } from './pictures'
import { rulesWords, useWords } from './words'
import type { RulesKey } from './words-en'

const gameHere = (): Game => games.find((g) => '#' + g === location.hash) ?? 'klaverjas'

export function RulesPage({ all, draw }: { all: Record<Game, Facts>; draw: Draw }) {
  const [game, set] = useState(gameHere)
  const [w, setLang] = useLanguage((w) => {
    const own = rulesWords(w)
    return own.t('page', { game: own.t(gameHere()) })
  })
  useEffect(() => {
    const moved = () => set(gameHere())
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  return (
    <Language.Provider value={w}>
      <Shown.Provider value={{ game, facts: all[game], draw }}>
        <Page game={game} setLang={setLang} />
      </Shown.Provider>
    </Language.Provider>
  )
}

function Page({ game, setLang }: { game: Game; setLang(l: Lang): void }) {
  const w = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  const begun = useRef(game)
  // Another game is another page: it begins at its heading.
  useLayoutEffect(() => {
    if (begun.current === game) return
    begun.current = game
    document.title = w.t('page', { game: w.t(game) })
    scrollTo(0, 0)
    heading.current!.focus({ preventScroll: true })
  }, [game])
  const { play, lead, fan, sections } = about[game]
  return (
    <>
      <Header page="rules" setLang={setLang} />
      <main class="rules">
        <nav class="rules-games" aria-label={w.t('games')}>
          {games.map((g) => (
            <a key={g} href={'#' + g} {...(g === game ? { 'aria-current': 'page' } : {})}>
              {w.t(g)}
            </a>
          ))}
        </nav>
        <Opening key={game} play={play} lead={lead} fan={fan} title={w.t(game)} heading={heading} />
        {sections.map(({ title, blocks }) => (
          <section key={title} class="rules-section">
            <h2>{w.t(title)}</h2>
            {blocks.map((block, i) => (
              <Part key={i} block={block} />
            ))}
          </section>
        ))}
        <Hand key={game} />
        <HouseRules game={game} />
      </main>
    </>
  )
}

// The game in one sentence, and the way to play it.
function Opening(p: {
  play: string
  lead: RulesKey
  fan: string[]
  title: string
  heading: { current: HTMLHeadingElement | null }
}) {
  const w = useWords()
  return (
    <Shown.Consumer>
      {({ facts }) => (
        <div class="rules-opening">
          <div>
            <h1 ref={p.heading} tabIndex={-1}>
              {p.title}
            </h1>
            <p>{w.t(p.lead, facts.numbers)}</p>
            <a class="rules-play" href={url(p.play)}>
              {w.t('playNow')}
            </a>
          </div>
          <div class="rules-fan" aria-hidden="true">
            {p.fan.map((card) => (
              <span key={card}>
                <Face card={card} />
              </span>
            ))}
          </div>
        </div>
      )}
    </Shown.Consumer>
  )
}

function HouseRules({ game }: { game: Game }) {
  const w = useWords()
  return (
    <section class="rules-section">
      <h2>{w.t('house')}</h2>
      <p>{w.t('houseHint')}</p>
      <Shown.Consumer>
        {({ facts }) => (
          <dl class="rules-switches">
            {about[game].switches.map((name) => (
              <div key={name}>
                <dt translate={false}>
                  <code>{name}</code> <b>{facts.switches[name]}</b>
                </dt>
                <dd>
                  <Text>{w.t(`w_${name}` as RulesKey, facts.numbers)}</Text>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Shown.Consumer>
    </section>
  )
}
