// The texts that all games share in what is loaded after their pages, in English.

export const texts = {
  oneMistake: 'mistake that you could have seen',
  mistakesN: 'mistakes that you could have seen',
  reviewKnown: 'Cost on what you could know: {known}.',
  reviewOpen: 'With all cards open: {open}.',
  prevError: 'Previous mistake',
  nextError: 'Next mistake',
  judgement: 'Verdict',
  known: 'Known',
  openCost: 'Open',
  better2: 'Better',
  v_right: 'right',
  v_unlucky: 'unlucky',
  v_mistake: 'mistake',
  v_lucky: 'lucky mistake',
  v_uncertain: 'uncertain',
  v_forced: 'no choice',
  reviewSay: 'Trick {trick}, {card}: {verdict}.',
  reviewBetter: 'Better: {card}, by about {n}.',
  reviewUnlucky: 'It cost {n}, which you could not know.',
  reviewUncertain: 'It cost about {n} on what you could know, which is too uncertain to call it right or a mistake.',
  reviewWorlds: 'Over {n} deals',
  reviewRule:
    'After ± are {errors} standard errors. A mistake cost at least {least} points on what could be known; it is uncertain if {least} points lie within the error.',
  reviewHint:
    'Known: what the card cost on average, on what could be known then. Open: what it cost as the cards really lay. Only a cost on what could be known is a mistake.',
  mistakeBy: 'mistake that {seat} could have seen',
  mistakesBy: 'mistakes that {seat} could have seen',
  costsBy: 'Cost on what {seat} could know: {known}.',
  wasPlayed: 'was played',
} as const

export type LaterKey = keyof typeof texts
