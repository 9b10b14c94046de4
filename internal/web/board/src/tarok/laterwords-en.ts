// The texts of the parts of the page of tarok that are loaded after it (ondemand.ts), in English.

export const texts = {
  tricksLater: 'The tricks stand here when they have been played.',
  wins: 'wins',
  counted: 'Points, declarer and opponents',
  countedOf: 'Points of {player}',
  lost: 'lost',
  difference: 'Difference to 35',
  radl: 'A radl doubles',
  mondOf: 'Mond of {player}',
  announcements: 'Announced and doubled',
  announcedBy: 'Announced by',
  announcedOf: '{what}: announced by',
  doubled: 'Doubled',
  doubledOf: '{what}: doubled',
  silent: 'silent',
  scoreLater: 'The score comes when the hand is finished.',
  enterHint:
    'Type or paste hands, or tap cards for the marked hand. The talon is in its order; the last hand fills itself.',
  enterForms: 'Such as: T: 1 4 21 H: K Q D: 1, or A: … B: … Talon: … C: ….',
  enterHand: 'Cards of {player}',
  enterTalon: 'Cards of the talon, in their order',
  enterVoid: '{player} has no tarok: such a deal is void.',
  importTitle: 'Import',
  importHint:
    'A record, a position or deal as JSON (a request or an answer of the API), the seed of a deal, or the address of this page.',
  importText: 'Position, seed or address',
  importBad: 'This is no JSON, no seed and no address of this page.',
  playHint:
    'The server keeps the other cards until the hand is over. The forehand, A, bids and leads first, and moves on with each hand.',
  seatFirst: 'Your seat in the first hand',
  handsN: '{n} hands',
  rulesHint: 'Another option takes the played cards back.',
  rulesDefault: 'The usual rules',
  rulesDone: 'Done',
  ruleBidding: 'Bidding',
  dealt: 'As it was dealt',
  exchangeName: 'Exchange',
  exchangeSay: 'Exchange: {verdict}.',
  unit: 'A cost is how much more the better decision is worth, on average over possible deals.',
  unitLead: 'Only the declarer scores, so an opponent loses half of what the declarer gains.',
  unitExchange: 'The exchange counts in points of the declarer’s score.',
} as const

export type LaterKey = keyof typeof texts
