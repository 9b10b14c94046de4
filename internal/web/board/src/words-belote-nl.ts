// The texts of the page of Belote Découverte in Dutch. The compiler checks that no text is missing.

import type { BeloteKey } from './words-belote-en'

export const texts: Record<BeloteKey, string> = {
  title: 'Roem: Belote Découverte', playerA: 'Speler A', playerB: 'Speler B', noTrump: 'zonder troef', suits: 'Kleuren', declarer: 'Speelt', declares: 'speelt',
  threshold: 'Te halen', thresholdHint: 'De punten waarmee de speler het contract haalt, gewoonlijk {n}', thresholdBad: 'Van 1 tot {n} punten.', seed: 'Zaad {seed}', enterIt: 'Invoeren…',
  covered: 'er ligt een andere kaart op', on: 'op {card}', onHidden: 'op een dichte kaart', faceDown: 'Een dichte kaart, nog niet gedraaid',
  points: 'Punten', utility: 'Waar de waarden voor gelden', forPoints: 'Voor punten', forContract: 'Voor het contract', losesContract: 'verliest het contract', givesContract: 'laat het contract halen',
  makesIt: '{player} haalt het contract van {n}', failsIt: '{player} haalt het contract van {n} niet', ofTotal: '{note}, van {n} punten',
  saidScore: '{a} voor speler A, {b} voor speler B.', saidEnd: 'Het spel is uit.', saidContract: 'Troef: {trump}. {player} speelt.',
  you: 'u', computer: 'de computer', unseen: 'niemand heeft die gezien', notNow: 'dit is een eerdere stand', thinking: 'De computer denkt na…', suitsShown: 'Kleuren: {suits}.',
  contractShown: 'Troef: {trump}. {player} speelt en moet {n} punten halen.', noContract: 'Niemand heeft troef gekozen: ieder schrijft de eigen punten op.',
  lobbyHint: 'Speel tegen de computer. De onderste kaart van elke stapel ligt dicht, en niemand kent die tot hij gedraaid wordt. Het potje staat alleen in deze pagina: het eindigt als u de pagina verlaat.',
  playHint: 'A komt uit in de eerste slag; B heeft gedeeld. Niemand kent de kaarten die dicht liggen, de computer ook niet.', way_bidding: 'Gekozen tijdens het delen', way_drawn: 'Geloot; A speelt', way_none: 'Zonder troef',
  youSit: 'U bent', sitA: 'A: u komt uit', sitB: 'B: u hebt gedeeld', computerLevel: 'De computer bekijkt', easy: '2 verdelingen: makkelijk', medium: '10 verdelingen: gemiddeld', strong: '40 verdelingen: sterk',
  computerCalls: 'De computer mag kiezen', expectimax: 'precies, met de kaarten dicht', adviceHint: 'Punten van {player} aan het eind, en hoe vaak het contract gehaald wordt.',
  fusionMore: 'Met alle kaarten open zou men {n} punten meer kunnen verwachten.', fusionLess: 'Met alle kaarten open zou men {n} punten minder kunnen verwachten.', bidHint: 'Waard: wat u gemiddeld meer opschrijft dan de ander.',
  allTurned: 'Elke kaart is gedraaid.', unseenHint: '{n} kaarten die niemand gezien heeft', written: 'Opgeschreven: {a} voor speler A, {b} voor speler B.', rebelote: 'Met 20 voor heer en vrouw van troef: {player}.', reviewIt: 'Bespreek met open kaarten',
  helpHidden: 'De onderste kaart van elke stapel ligt dicht, en wordt gedraaid na de slag waarin de bovenste gespeeld is. ★ is de kaart die wordt aangeraden, ≈ is ongeveer even goed, en een getal is ongeveer wat een kaart kost bij wat men kan weten.',
  kArrows: 'kies een kaart en een speler',
  helpText: 'Alleen de bovenste kaart van een stapel kan gespeeld worden; daarna ligt de kaart eronder open. Het getal onder een kaart is wat zij haar speler kost, precies, als beiden alle kaarten zien en het beste spelen. ★ is de beste.',
  importTitle: 'Invoeren of inlezen', importHint: 'Een positie als JSON (een vraag of antwoord van de API; elke stapel is de open kaart, dan de kaart eronder), het zaad van een spel, of het adres van deze pagina.',
  importText: 'Positie, zaad of adres', importBad: 'Dit is geen JSON, geen zaad en geen adres van deze pagina.',
  urlField: '“{field}” is geen naam=waarde.', urlUnknown: '“{field}” is onbekend.', urlVersion: 'v moet 1 zijn.', urlTrump: 't moet C, D, H, S of N zijn.', urlPlayer: '{field} moet A of B zijn.',
  urlUtility: 'u moet points of contract zijn.', urlStacks: '{field} moet twee stapels voor elke kleur hebben: vier tekens voor elk, de open kaart eerst.', urlNoCard: 'kaart {n} van {field} is “{text}”.',
  urlTwice: '{card} van {field} staat er twee keer.', urlSuits: 'a en b moeten de kaarten van een tot vier hele kleuren hebben.', urlNoTrump: 't is niet een van de kleuren.', urlThreshold: 'c moet van 1 tot {n} zijn.',
  urlPlayed: 'p vraagt twee tekens voor elke kaart.', urlIllegal: 'kaart {n} van p, {card}, mag niet.', urlCursor: 'i moet tussen 0 en het aantal kaarten van p liggen.',
}
