// The texts of the parts of the page of Gin Rummy that are loaded after it (ondemand.ts), in English.

export const texts = {
  enterHint: 'The card that was turned, your cards now, and what happened since: type or paste, or tap.',
  enterForms: 'Such as: S: A 2 3 H: K 10. What happened: pass, take, stock, and each discard as a card.',
  enterUpcard: 'Turned',
  enterUpcardLabel: 'The card that was turned at the deal',
  enterHand: 'Your cards now',
  enterEvents: 'Then',
  enterEventsLabel: 'What happened, in its order',
  enterOther: 'Opponent',
  enterTake: 'take',
  enterStock: 'stock',
  enterPass: 'pass',
  enterDrawn: 'which card was it?',
  enterNot: 'Not possible now: {card}.',
  enterHandCount: 'You now have {n} cards.',
  layOffHint: 'Choose where each card goes. The others count against you.',
  layOffNot: 'in my hand',
  theComputer: 'the computer',
  nothingDone: 'There was nothing to decide.',
  d_pass: 'pass',
  d_take: 'take',
  d_stock: 'draw',
  d_discard: 'discard {card}',
  d_knock: 'knock',
  d_continue: 'no knock',
  decisionSay: 'Turn {turn}, {what}: {verdict}.',
  unit: 'A cost is in points of the round: how much more the better decision is worth, on average over possible hands of the other player.',
} as const

export type LaterKey = keyof typeof texts
