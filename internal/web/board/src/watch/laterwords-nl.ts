// The texts of the parts of the page that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  plays: '{seat} speelt',
  playedBefore: 'Gespeeld voordat de spelers begonnen',
  everybody: 'Iedereen kan nu concluderen',
  believed: '(gedacht, niet bewezen)',
  nothingNew: 'Niets nieuws, behalve de kaart zelf.',
  nothingYet: 'Niets: ieder kent de eigen kaarten, en die open liggen.',
  knowsOwn: '{seat} heeft hem.',
  knows: '{seat} weet: {holder} heeft hem.',
  wonders: 'Voor {seat} kan hij bij {seats} zitten.',
  chooseCard: 'De kaart van het model',
  modelHint:
    'Elke cirkel is een wereld: wie de kaart heeft. Een lijn verbindt twee werelden die de speler niet kan onderscheiden; hij is vaag waar de speler beter weet. De gouden cirkel is de echte wereld.',
  pairs: 'Paren van een plaats en een kaart die ieder nog mogelijk acht',
  settingsTitle: 'Spelers en spel',
  players: 'Spelers',
  playersHint:
    'De laatste vijf zijn de niveaus voor mensen. Alleen logische spelers redeneren over elkaars kaarten als in het artikel.',
  theDeal: 'Spel',
  isEntered: 'De handen zijn ingevoerd.',
  drawInstead: 'Liever laten delen',
  drawn: 'geloot',
  dealer: 'Gever',
  seed: 'Startgetal',
  seedBad: 'Een geheel getal onder 18446744073709551616.',
  openCards: 'Open kaarten van elke hand',
  openBad: 'Van 0 tot 7.',
  rules_rotterdam: 'Rotterdams',
  rules_amsterdam: 'Amsterdams',
  rules_paper: 'Uit het artikel',
  enterDeal: 'Spel invoeren…',
  watchIt: 'Meekijken',
  helpWatch:
    'Vier spelers van de server spelen een spel. Loop er kaart voor kaart door: naast de tafel staan de gedachte achter elke kaart, wat iedereen kan concluderen, en wie wat weet van de kaart die je kiest. Het adres leidt naar het moment dat je ziet.',
  kStep: 'één kaart terug of verder',
  kPlay: 'speel door, of pauze',
  kCard: 'toon het model van de kaart',
}
