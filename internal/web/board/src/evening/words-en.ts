// The texts of the page of an evening, beside those that all pages share, in English.

export const texts = {
  title: 'Roem: review an evening',
  heading: 'Review an evening',
  hint: 'The hands of a club evening as text: up to 100 hands of Klaverjas. You get the score sheet, how each player played, and each mistake.',
  text: 'Hands as text',
  begin: 'Review',
  running: 'The hands are reviewed: {done} of {of}.',
  queued: 'The review waits for its turn, place {n}.',
  stopped: 'The review was stopped.',
  another: 'Another evening',
  missing: 'This review does not exist any more.',
  ePlayers: 'Players',
  eSheet: 'Score sheet',
  eName: 'Name',
  eHands: 'Hands',
  ePoints: 'Points',
  eMistakes: 'Mistakes',
  eUncertain: 'Uncertain',
  eCost: 'Cost',
  eHand: 'Hand',
  eNS: 'North–South',
  eEW: 'East–West',
  eNumber: 'Hand {n}',
  eTotal: 'Total',
  eNone: 'No mistakes.',
  eMistake: 'Hand {n}, trick {trick}: {player} played {card}. Better: {better}, by about {cost}.',
} as const

export type EveningKey = keyof typeof texts
