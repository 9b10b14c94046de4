// The texts of the parts of the page of Gin Rummy that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  whose: 'Wiens keuzes',
  theComputer: 'de computer',
  nothingDone: 'Er viel niets te kiezen.',
  d_pass: 'passen',
  d_take: 'nemen',
  d_stock: 'trekken',
  d_discard: '{card} afleggen',
  d_knock: 'kloppen',
  d_continue: 'niet kloppen',
  decisionSay: 'Beurt {turn}, {what}: {verdict}.',
  unit: 'De kosten zijn punten van de ronde: hoeveel meer de betere keus waard is, gemiddeld over de mogelijke handen van de ander.',
}
