// The texts of the page of tarok in English, beside those of the board.

export const texts = {
  title: 'Roem: tarok', player: 'Player {p}', declarerRole: 'declarer', opponents: 'opponents', declarer: 'Declarer', seed: 'Seed {seed}', enterIt: 'Enter…',
  c_klop: 'Klop', c_three: 'Three', c_two: 'Two', c_one: 'One', c_beggar: 'Beggar', c_zero: 'Zero', b_kings: 'Kings', b_trula: 'Trula', b_pagat: 'Pagat last', b_valat: 'Valat',
  k_none: '×1', k_kontra: '×2 kontra', k_re: '×4 re', k_sub: '×8 sub', k_mort: '×16 mort', f1: 'one', f2: 'two', f3: 'three', f4: 'four', fC: 'cavalier', fK: 'king', tarokName: 'Tarok {n}', tarokNamed: 'Tarok {n}, {name}', pagatName: 'pagat', mondName: 'mond', skisName: 'škis',
  talon: 'Talon', takeGroup: 'Take a group of the talon', groupN: 'Take group {n}: ', taken: 'taken', toExchange: 'to exchange', discards: 'Put aside', discardN: '{player} takes {cards} and puts {n} cards aside', discardOne: '{player} takes {cards} and puts one card aside', exchangeAgain: 'Exchange again',
  why_ruff: 'must play a tarok', why_head: 'must beat the trick', why_pagat: 'the pagat is played last here', why_discard: 'kings and the trula stay, and taroks while there is another card', why_talon: 'the declarer takes from the talon first', why_away: 'it is not in a hand',
  points: 'Points', withGift: 'with', example: 'Example game', exampleHint: 'The game printed in the paper “A Program for Playing Tarok”',
  valuesLater: 'Values come when the exchange is done.', valuesKlop: 'In klop everyone plays alone: it is not searched, and there are no values.', valuesDone: 'The hand is finished. The score has its parts.',
  search: 'Search', searchQuick: '9 cards deep', searchExact: 'To the end', searchExactHint: 'From {n} cards in a hand on', losesAbout: 'loses about {n}', losesBeggar: 'loses the beggar', givesBeggar: 'lets the beggar be made',
  depthHint: 'Searched {n} cards deep. The number is by how many points the declarer then is ahead in these tricks, each trick counting 0.9 of the one before. ~ is what a card loses of it.',
  makesIt: '{player} makes {contract}', failsIt: '{player} does not make {contract}', ofTotal: '{n} of 70 points with best play',
  tricksLater: 'The tricks stand here when they have been played.', wins: 'wins', counted: 'Points, declarer and opponents', countedOf: 'Points of {player}', won: 'won', lost: 'lost', difference: 'Difference to 35', radl: 'A radl doubles', mondOf: 'Mond of {player}',
  announcements: 'Announced and doubled', announcedBy: 'Announced by', announcedOf: '{what}: announced by', doubled: 'Doubled', doubledOf: '{what}: doubled', game: 'Game', silent: 'silent', scoreLater: 'The score comes when the hand is finished.',
  saidTalon: '{player} takes from the talon.', saidTakes: '{player} takes {cards}.', saidDiscard: '{player} puts aside {card}.', saidScore: '{declarer} for the declarer, {opponents} for the opponents.', saidKlop: '{a} for player A, {b} for player B, {c} for player C.', saidEnd: 'The hand is finished.',
  saidContract: 'Contract: {contract}. {turn}', saidExample: 'The example game: player A plays two, and leads.',
  fieldHint: 'such as T21, HK or S10', noCard: '“{text}” is not a card. Write T and a number for a tarok, otherwise the suit, then the rank: T21, HK, S10.',
  kArrows: 'choose a card and a player', kEnter: 'play or put aside the card', helpText: 'The number below a card is what it loses for its side: in points, exactly, in the last eight tricks; before, marked ~, what a search of nine cards says. ★ is best. The two opponents play together.',
  importTitle: 'Enter or import', importHint: 'A position or deal as JSON (a request or an answer of the API), the seed of a deal, or the address of this page.', importText: 'Position, seed or address', importBad: 'This is no JSON, no seed and no address of this page.',
  urlField: '“{field}” is not name=value.', urlUnknown: '“{field}” is unknown.', urlVersion: 'v must be 1.', urlContract: 'c must be klop, three, two, one, beggar or zero.', urlPlayer: 'd must be A, B or C.', urlHolders: 'h must have 54 letters A, B, C or numbers 1 to 6.', urlHand: 'h gives {player} {n} cards, not 16.', urlTalon: 'h must have each place of the talon once.', urlVoid: 'h gives {player} no tarok: such a deal is void.',
  urlGroup: 'g must be from 1 to {n}.', urlCards: '{field} needs two characters for each card, and at most {n} cards.', urlNoCard: 'card {n} of {field} is “{text}”.', urlDiscards: 'x has cards that may not be put aside.', urlKontra: 'k must be from 0 to 4, and 0 in klop.', urlSaid: 's must have k, t, p or v, then D or O, then 0 to 4, and nothing without an exchange.', urlIllegal: 'card {n} of p, {card}, is not legal.', urlCursor: 'i must be from 0 to the number of cards of p.',
} as const

export type TarokKey = keyof typeof texts
