// The texts of the page of Belote Découverte in Dutch. The compiler checks that no text is missing.

import type { BeloteKey } from './words-belote-en'

export const texts: Record<BeloteKey, string> = {
  title: 'Roem: Belote Découverte', playerA: 'Speler A', playerB: 'Speler B', noTrump: 'zonder troef', suits: 'Kleuren', declarer: 'Speelt', declares: 'speelt',
  threshold: 'Te halen', thresholdHint: 'De punten waarmee de speler het contract haalt, gewoonlijk {n}', seed: 'Zaad {seed}', enterIt: 'Invoeren…',
  covered: 'er ligt een andere kaart op', on: 'op {card}', onHidden: 'op een dichte kaart', faceDown: 'Een dichte kaart, nog niet gedraaid',
  points: 'Punten', utility: 'Waar de waarden voor gelden', forPoints: 'Voor punten', forContract: 'Voor het contract', losesContract: 'verliest het contract', givesContract: 'laat het contract halen',
  makesIt: '{player} haalt het contract van {n}', failsIt: '{player} haalt het contract van {n} niet', ofTotal: '{note}, van {n} punten',
  saidScore: '{a} voor speler A, {b} voor speler B.', saidEnd: 'Het spel is uit.', saidContract: 'Troef: {trump}. {player} speelt.',
  kArrows: 'kies een kaart en een speler',
  helpText: 'Alleen de bovenste kaart van een stapel kan gespeeld worden; daarna ligt de kaart eronder open. Het getal onder een kaart is wat zij haar speler kost, precies, als beiden alle kaarten zien en het beste spelen. ★ is de beste.',
  importTitle: 'Invoeren of inlezen', importHint: 'Een positie als JSON (een vraag of antwoord van de API; elke stapel is de open kaart, dan de kaart eronder), het zaad van een spel, of het adres van deze pagina.',
  importText: 'Positie, zaad of adres', importBad: 'Dit is geen JSON, geen zaad en geen adres van deze pagina.',
  urlField: '“{field}” is geen naam=waarde.', urlUnknown: '“{field}” is onbekend.', urlVersion: 'v moet 1 zijn.', urlTrump: 't moet C, D, H, S of N zijn.', urlPlayer: '{field} moet A of B zijn.',
  urlUtility: 'u moet points of contract zijn.', urlStacks: '{field} moet twee stapels voor elke kleur hebben: vier tekens voor elk, de open kaart eerst.', urlNoCard: 'kaart {n} van {field} is “{text}”.',
  urlTwice: '{card} van {field} staat er twee keer.', urlSuits: 'a en b moeten de kaarten van een tot vier hele kleuren hebben.', urlNoTrump: 't is niet een van de kleuren.', urlThreshold: 'c moet van 1 tot {n} zijn.',
  urlPlayed: 'p vraagt twee tekens voor elke kaart.', urlIllegal: 'kaart {n} van p, {card}, mag niet.', urlCursor: 'i moet tussen 0 en het aantal kaarten van p liggen.',
}
