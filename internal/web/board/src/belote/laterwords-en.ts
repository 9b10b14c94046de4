// The texts of the parts of the page of Belote Découverte that are loaded after it (ondemand.ts), in English.

export const texts = {
  importHint:
    'A record, a position as JSON (a request or an answer of the API; each stack is the open card, then the card below it), the seed of a deal, or the address of this page.',
  enterHint:
    'Type or paste cards, or tap them for the marked line, in the order of the stacks: first the open cards, then those below them.',
  enterDownHint:
    'Type or paste cards, or tap them for the marked line, in the order of the stacks. Each card that is turned stands after its trick.',
  enterUnder: 'Cards below',
  enterKnown: 'known',
  enterDown: 'face down',
  notTurned: '{card} has been seen: it is not the card that was turned.',
  enterForms: 'Such as: S: J9A7 H: 10 8, or A: … B: ….',
  enterOpen: '{player} open',
  enterBelow: '{player} below',
  enterOpenLabel: 'Open cards of {player}',
  enterBelowLabel: 'Cards below those of {player}',
  openBoard: 'Look with open cards',
  due_below: 'The card below {better} could take a later trick.',
  trumpName: 'trump',
  youName: 'You',
  computerName: 'The computer',
  urlField: '“{field}” is not name=value.',
  urlUnknown: '“{field}” is unknown.',
  urlVersion: 'v must be 1.',
  urlTrump: 't must be C, D, H, S or N.',
  urlPlayer: '{field} must be A or B.',
  urlUtility: 'u must be points or contract.',
  urlStacks: '{field} must have two stacks for each suit: four characters for each, the open card first.',
  urlNoCard: 'card {n} of {field} is “{text}”.',
  urlTwice: '{card} of {field} occurs twice.',
  urlSuits: 'a and b must have the cards of one to four whole suits.',
  urlNoTrump: 't is not one of the suits.',
  urlThreshold: 'c must be from 1 to {n}.',
  urlPlayed: 'p needs two characters for each card.',
  urlIllegal: 'card {n} of p, {card}, is not legal.',
  urlCursor: 'i must be from 0 to the number of cards of p.',
} as const

export type LaterKey = keyof typeof texts
