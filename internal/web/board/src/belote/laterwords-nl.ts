// The texts of the parts of the page of Belote Découverte that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  openBoard: 'Bekijk met open kaarten',
  whose: 'Wiens kaarten',
  youName: 'Jij',
  computerName: 'De computer',
}
