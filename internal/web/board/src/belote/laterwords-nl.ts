// The texts of the parts of the page of Belote Découverte that are loaded after it (ondemand.ts), in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  importHint:
    'Een spel als tekst, een positie als JSON (een vraag of antwoord van de API; elke stapel is de open kaart, dan de kaart eronder), het startgetal van een spel, of het adres van deze pagina.',
  enterHint:
    'Typ of plak kaarten, of tik ze aan voor de gemarkeerde regel, op volgorde van de stapels: eerst de open kaarten, dan wat eronder ligt.',
  enterDownHint:
    'Typ of plak kaarten, of tik ze aan voor de gemarkeerde regel, op volgorde van de stapels. Elke kaart die wordt gedraaid, staat na zijn slag.',
  enterUnder: 'Kaarten eronder',
  enterKnown: 'bekend',
  enterDown: 'dicht',
  notTurned: '{card} is al gezien: dat is niet de kaart die werd gedraaid.',
  enterForms: 'Zoals: S: B9A7 H: 10 8, of A: … B: ….',
  enterOpen: '{player} open',
  enterBelow: '{player} onder',
  enterOpenLabel: 'Open kaarten van {player}',
  enterBelowLabel: 'Kaarten onder die van {player}',
  openBoard: 'Bekijk met open kaarten',
  due_below: 'De kaart onder {better} kan later een slag pakken.',
  trumpName: 'troef',
  youName: 'Jij',
  computerName: 'De computer',
  urlField: '“{field}” is geen naam=waarde.',
  urlUnknown: '“{field}” is onbekend.',
  urlVersion: 'v moet 1 zijn.',
  urlTrump: 't moet C, D, H, S of N zijn.',
  urlPlayer: '{field} moet A of B zijn.',
  urlUtility: 'u moet points of contract zijn.',
  urlStacks: '{field} moet twee stapels voor elke kleur hebben: vier tekens voor elk, de open kaart eerst.',
  urlNoCard: 'kaart {n} van {field} is “{text}”.',
  urlTwice: '{card} van {field} staat er twee keer.',
  urlSuits: 'a en b moeten de kaarten van een tot vier hele kleuren hebben.',
  urlNoTrump: 't is niet een van de kleuren.',
  urlThreshold: 'c moet van 1 tot {n} zijn.',
  urlPlayed: 'p vraagt twee tekens voor elke kaart.',
  urlIllegal: 'kaart {n} van p, {card}, mag niet.',
  urlCursor: 'i moet tussen 0 en het aantal kaarten van p liggen.',
}
