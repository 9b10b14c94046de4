// The program of the pages of the rules. It knows the cards of all games.

import facts from '../../facts.json'
import { pips } from '../gin-rummy/cards'
import { Drawing } from '../shared/art'
import type { Suit } from '../shared/cards'
import { show } from '../shared/page'
import { CardFace } from '../tarok/art'
import { parseCard } from '../tarok/cards'
import { RulesPage } from './page'

await show(() => (
  <RulesPage
    all={facts}
    draw={(game, card, suit, rank, shown) =>
      game === 'tarok' ? (
        <CardFace card={parseCard(card)!} shown={shown} />
      ) : (
        <Drawing suit={suit as Suit} face={rank} shown={shown} more={pips} />
      )
    }
  />
))
