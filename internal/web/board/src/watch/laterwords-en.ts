// The texts of the parts of the page that are loaded after it (ondemand.ts), in English.

export const texts = {
  plays: '{seat} plays',
  playedBefore: 'Played before the players took over',
  everybody: 'Everybody may now conclude',
  believed: '(believed, not proved)',
  nothingNew: 'Nothing new beside the card itself.',
  nothingYet: 'Nothing: each knows its own cards, and those that lie open.',
  knowsOwn: '{seat} has it.',
  knows: '{seat} knows: {holder} has it.',
  wonders: 'For {seat} it may be with {seats}.',
  chooseCard: 'The card of the model',
  modelHint:
    'Each circle is a world: who has the card. A line joins two worlds that its player cannot tell apart; it is faint where the player knows better. The golden circle is the real world.',
  pairs: 'Pairs of a seat and a card that each still holds for possible',
  settingsTitle: 'Players and deal',
  players: 'Players',
  playersHint:
    'The last five are the levels for people. Only logical players reason about each other’s cards as the paper does.',
  theDeal: 'Deal',
  isEntered: 'The hands were entered.',
  drawInstead: 'Draw them instead',
  drawn: 'drawn',
  dealer: 'Dealer',
  seed: 'Seed',
  seedBad: 'A whole number below 18446744073709551616.',
  openCards: 'Open cards of each hand',
  openBad: 'From 0 to 7.',
  rules_rotterdam: 'Rotterdam',
  rules_amsterdam: 'Amsterdam',
  rules_paper: 'Of the paper',
  enterDeal: 'Enter a deal…',
  watchIt: 'Watch',
  helpWatch:
    'Four players of the server play a hand. Step through it: beside the table stand the thought behind each card, what everybody may conclude, and who knows what of the card that you choose. The address leads to the moment that is shown.',
  kStep: 'one card back or forth',
  kPlay: 'play on, or pause',
  kCard: 'show the model of the card',
} as const

export type LaterKey = keyof typeof texts
