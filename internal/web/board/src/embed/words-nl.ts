// The Dutch texts of the embedded board, beside the texts of the board.

import type { EmbedKey } from './words-en'

export const texts: Record<EmbedKey, string> = {
  nothing: 'Het adres heeft geen positie achter #.',
  oneSeat: 'Een ingebedde tafel toont alle kaarten open. Dit adres toont de kaarten van één plaats.',
  flag: '“{name}” moet {choices} zijn.',
  or: ' of ',
  openIt: 'Open op de tafel van Roem',
}
