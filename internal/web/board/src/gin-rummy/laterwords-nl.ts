// The texts of the parts of the page of Gin Rummy that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  enterHint: 'De gedraaide kaart, je kaarten nu, en wat er sindsdien gebeurde: typ of plak, of tik aan.',
  enterForms: 'Zoals: S: A 2 3 H: H 10. Wat er gebeurde: past, neemt, stok, en elke afgelegde kaart.',
  enterUpcard: 'Gedraaid',
  enterUpcardLabel: 'De kaart die bij het delen gedraaid is',
  enterHand: 'Je kaarten nu',
  enterEvents: 'Sindsdien',
  enterEventsLabel: 'Wat er gebeurde, op volgorde',
  enterOther: 'De ander',
  enterTake: 'neemt',
  enterStock: 'stok',
  enterPass: 'past',
  enterDrawn: 'welke kaart was het?',
  enterNot: 'Dat kan nu niet: {card}.',
  enterHandCount: 'Je hebt nu {n|1 kaart|# kaarten}.',
  layOffHint: 'Kies waar elke kaart heen gaat. De andere tellen tegen je.',
  layOffNot: 'in mijn hand',
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
