// The texts of the parts of the page of Belote Découverte that are loaded after it (ondemand.ts), in English.

export const texts = {
  openBoard: 'Look with open cards',
  whose: 'Whose cards',
  youName: 'You',
  computerName: 'The computer',
} as const

export type LaterKey = keyof typeof texts
