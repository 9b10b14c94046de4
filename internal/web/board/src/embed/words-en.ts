// The texts of the embedded board, beside the texts of the board, in English.

export const texts = {
  nothing: 'The address has no position after #.',
  oneSeat: 'An embedded board shows all cards open. This address shows the cards of one seat.',
  flag: '“{name}” must be {choices}.',
  or: ' or ',
  openIt: 'Open on the board of Roem',
} as const

export type EmbedKey = keyof typeof texts
