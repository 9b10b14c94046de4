// The texts of the parts of the page of Gin Rummy that are loaded after it (ondemand.ts), in English.

export const texts = {
  whose: 'Whose decisions',
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
