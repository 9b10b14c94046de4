// The texts of the page of an evening, beside those that all pages share, in Dutch. The compiler checks that no text is missing.

import type { EveningKey } from './words-en'

export const texts: Record<EveningKey, string> = {
  title: 'Roem: een avond nabespreken',
  heading: 'Een avond nabespreken',
  hint: 'De spellen van een clubavond als tekst: tot 100 spellen klaverjassen. Je krijgt het scoreblad, hoe ieder speelde, en elke fout.',
  text: 'Spellen als tekst',
  begin: 'Bespreek na',
  running: 'De spellen worden nabesproken: {done} van {of}.',
  queued: 'De nabespreking wacht op haar beurt, plaats {n}.',
  stopped: 'De nabespreking is gestopt.',
  another: 'Een andere avond',
  missing: 'Deze nabespreking bestaat niet meer.',
  ePlayers: 'Spelers',
  eSheet: 'Briefje',
  eName: 'Naam',
  eHands: 'Spellen',
  ePoints: 'Punten',
  eMistakes: 'Fouten',
  eUncertain: 'Onzeker',
  eCost: 'Kosten',
  eHand: 'Spel',
  eNS: 'Noord–Zuid',
  eEW: 'Oost–West',
  eNumber: 'Spel {n}',
  eTotal: 'Totaal',
  eNone: 'Geen fouten.',
  eMistake: 'Spel {n}, slag {trick}: {player} speelde {card}. Beter: {better}, ongeveer {cost}.',
}
