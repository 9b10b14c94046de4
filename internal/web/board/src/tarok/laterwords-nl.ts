// The texts of the parts of the page of tarok that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  tricksLater: 'Hier staan de slagen als ze gespeeld zijn.',
  wins: 'wint',
  counted: 'Punten, alleenspeler en tegenspelers',
  countedOf: 'Punten van {player}',
  lost: 'verloren',
  difference: 'Verschil met 35',
  radl: 'Een radl verdubbelt',
  mondOf: 'Mond van {player}',
  announcements: 'Aangekondigd en verdubbeld',
  announcedBy: 'Aangekondigd door',
  announcedOf: '{what}: aangekondigd door',
  doubled: 'Verdubbeld',
  doubledOf: '{what}: verdubbeld',
  silent: 'stil',
  scoreLater: 'De stand komt als het spel uit is.',
  enterHint:
    'Typ of plak handen, of tik kaarten aan voor de gemarkeerde hand. De talon op volgorde; de laatste hand vult zichzelf.',
  enterForms: 'Zoals: T: 1 4 21 H: K V R: 1, of A: … B: … Talon: … C: ….',
  enterHand: 'Kaarten van {player}',
  enterTalon: 'Kaarten van de talon, op volgorde',
  enterVoid: '{player} heeft geen tarok: zo’n spel telt niet.',
  importTitle: 'Inlezen',
  importHint:
    'Een spel als tekst, een positie of spel als JSON (een vraag of antwoord van de API), het startgetal van een spel, of het adres van deze pagina.',
  importText: 'Positie, startgetal of adres',
  importBad: 'Dit is geen JSON, geen startgetal en geen adres van deze pagina.',
  playHint:
    'De server bewaart de andere kaarten tot het spel uit is. De voorhand, A, biedt en speelt eerst, en schuift elk spel op.',
  seatFirst: 'Je plaats in het eerste spel',
  handsN: '{n} spellen',
  rulesHint: 'Een andere keuze neemt de gespeelde kaarten terug.',
  rulesDefault: 'De gewone regels',
  rulesDone: 'Klaar',
  ruleBidding: 'Bieden',
  dealt: 'Zoals er gegeven is',
  exchangeName: 'Ruil',
  exchangeSay: 'Ruil: {verdict}.',
  unit: 'De kosten zijn hoeveel meer de betere keus waard is, gemiddeld over de mogelijke verdelingen.',
  unitLead: 'Alleen de alleenspeler scoort, dus verliest een tegenspeler de helft van wat de alleenspeler wint.',
  unitExchange: 'De ruil telt in punten van de score van de alleenspeler.',
}
