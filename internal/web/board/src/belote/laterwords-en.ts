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
  youName: 'You',
  computerName: 'The computer',
} as const

export type LaterKey = keyof typeof texts
