// The texts of the page of Belote Découverte in English, beside those of the board.

export const texts = {
  title: 'Roem: Belote Découverte', playerA: 'Player A', playerB: 'Player B', noTrump: 'no trump', suits: 'Suits', declarer: 'Declarer', declares: 'declares',
  threshold: 'Contract', thresholdHint: 'The points with which the declarer makes the contract, {n} by default', thresholdBad: 'From 1 to {n} points.', seed: 'Seed {seed}', enterIt: 'Enter…',
  covered: 'another card lies on it', on: 'on {card}', onHidden: 'on a hidden card', faceDown: 'A hidden card, not yet turned',
  points: 'Points', utility: 'What the values are for', forPoints: 'For points', forContract: 'For the contract', losesContract: 'loses the contract', givesContract: 'lets the contract be made',
  makesIt: '{player} makes the contract of {n}', failsIt: '{player} does not make the contract of {n}', ofTotal: '{note}, of {n} points',
  saidScore: '{a} for player A, {b} for player B.', saidEnd: 'The hand is finished.', saidContract: 'Trump: {trump}. {player} declares.',
  you: 'you', computer: 'the computer', unseen: 'nobody has seen it', notNow: 'this is an earlier position', thinking: 'The computer is thinking…', suitsShown: 'Suits: {suits}.',
  contractShown: 'Trump: {trump}. {player} declares and needs {n} points.', noContract: 'Nobody has chosen a trump: each writes down its own points.',
  lobbyHint: 'Play against the computer. The lower card of each stack is face down, and nobody knows it until it is turned. The game is in this page only: it ends when you leave the page.',
  playHint: 'A leads to the first trick; B has dealt. Nobody knows the cards that are face down, the computer neither.', way_bidding: 'Chosen while dealing', way_drawn: 'Drawn; A declares', way_none: 'No trump',
  youSit: 'You are', sitA: 'A: you lead', sitB: 'B: you have dealt', computerLevel: 'The computer looks at', easy: '2 possible deals: easy', medium: '10 possible deals: medium', strong: '40 possible deals: strong',
  computerCalls: 'The computer may choose', expectimax: 'exact, with the cards face down', adviceHint: 'Points of {player} at the end, and how often the contract is made.',
  fusionMore: 'With all cards open one could expect {n} points more.', fusionLess: 'With all cards open one could expect {n} points less.', bidHint: 'Worth: what you write down above the other, on average.',
  allTurned: 'Every card has been turned.', unseenHint: '{n} cards that nobody has seen', written: 'Written down: {a} for player A, {b} for player B.', rebelote: 'With 20 for king and queen of trump: {player}.', reviewIt: 'Review with open cards',
  helpHidden: 'The lower card of each stack is face down, and is turned after the trick in which the upper one was played. ★ is the card that is advised, ≈ is about as good, and a number is about what a card costs on what can be known.',
  kArrows: 'choose a card and a player',
  helpText: 'Only the upper card of a stack can be played; then the card below is open. The number below a card is what it loses for its player, exactly, if both see all cards and play best. ★ is best.',
  importTitle: 'Enter or import', importHint: 'A position as JSON (a request or an answer of the API; each stack is the open card, then the card below it), the seed of a deal, or the address of this page.',
  importText: 'Position, seed or address', importBad: 'This is no JSON, no seed and no address of this page.',
  urlField: '“{field}” is not name=value.', urlUnknown: '“{field}” is unknown.', urlVersion: 'v must be 1.', urlTrump: 't must be C, D, H, S or N.', urlPlayer: '{field} must be A or B.',
  urlUtility: 'u must be points or contract.', urlStacks: '{field} must have two stacks for each suit: four characters for each, the open card first.', urlNoCard: 'card {n} of {field} is “{text}”.',
  urlTwice: '{card} of {field} is there twice.', urlSuits: 'a and b must have the cards of one to four whole suits.', urlNoTrump: 't is not one of the suits.', urlThreshold: 'c must be from 1 to {n}.',
  urlPlayed: 'p needs two characters for each card.', urlIllegal: 'card {n} of p, {card}, is not legal.', urlCursor: 'i must be from 0 to the number of cards of p.',
} as const

export type BeloteKey = keyof typeof texts
