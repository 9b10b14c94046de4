// The texts that all games share in what is loaded after their pages, in Dutch.

import type { LaterKey } from './laterwords-en'

export const texts: Record<LaterKey, string> = {
  oneMistake: 'fout die je had kunnen zien',
  mistakesN: 'fouten die je had kunnen zien',
  reviewKnown: 'Kosten bij wat je kon weten: {known}.',
  reviewOpen: 'Met alle kaarten open: {open}.',
  prevError: 'Vorige fout',
  nextError: 'Volgende fout',
  judgement: 'Oordeel',
  known: 'Geweten',
  openCost: 'Open',
  better2: 'Beter',
  v_right: 'goed',
  v_unlucky: 'pech',
  v_mistake: 'fout',
  v_lucky: 'fout, geluk',
  v_uncertain: 'onzeker',
  v_forced: 'geen keus',
  reviewSay: 'Slag {trick}, {card}: {verdict}.',
  reviewBetter: 'Beter: {card}, ongeveer {n} beter.',
  reviewUnlucky: 'Die kostte {n}, wat je niet kon weten.',
  reviewUncertain: 'Die kostte ongeveer {n} bij wat je kon weten. Dat is te onzeker om die goed of fout te noemen.',
  reviewWorlds: 'Over {n} verdelingen',
  reviewRule:
    'Na ± staan {errors} standaardfouten. Een fout kostte minstens {least} punten bij wat te weten was; het is onzeker als {least} punten binnen de fout liggen.',
  reviewHint:
    'Geweten: wat de kaart gemiddeld kostte, bij wat toen te weten was. Open: wat die kostte zoals de kaarten echt zaten. Alleen kosten bij wat te weten was zijn een fout.',
  mistakeBy: 'fout die {seat} had kunnen zien',
  mistakesBy: 'fouten die {seat} had kunnen zien',
  costsBy: 'Kosten bij wat {seat} kon weten: {known}.',
  wasPlayed: 'is gespeeld',
}
