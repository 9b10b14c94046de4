// The texts of the page of Gin Rummy in English, beside those of the board.

export const texts = {
  title: 'Roem: Gin Rummy', fA: 'ace', f2: 'two', f3: 'three', f4: 'four', f5: 'five', f6: 'six', f7: 'seven', f8: 'eight', f9: 'nine', f10: 'ten', fJ: 'jack', fQ: 'queen', fK: 'king',
  you: 'You', computer: 'Computer', lobbyHint: 'Play to 100 points against the computer, and see at each moment how likely it holds each card. The server keeps the cards: you can reload the page and play on.',
  playHint: 'A round is won by who first melds nearly all cards. The server keeps the cards of the computer until the round is over.', level: 'The computer', pPlayout: 'Strong: plays hands out', pSimple: 'Medium: completes melds', pRandom: 'Easy: plays at random',
  lengthAsked: 'Length', aGame: 'A game to 100 points', aRound: 'One round', starter: 'First turn', drawn: 'Drawn by lot',
  against: 'Against: {player}', exampleLook: 'Look at an example', roundN: 'Round {n}', yourHand: 'Your hand', theirHand: 'The computer', deadwood: 'Deadwood', deadwoodN: 'deadwood {n}', meld: 'Meld', others: 'Other cards, {n} points', justDrawn: 'just drawn',
  mayNotDiscard: 'just taken, and may not be discarded in the same turn', stock: 'Stock', stockN: '{n} cards in the stock', pile: 'Discards', top: 'Top discard: {card}', noTop: 'No card',
  take: 'Take {card}', fromStock: 'Draw from the stock', pass: 'Pass', discard: 'Discard', discardIt: 'Discard {card}', knockN: 'Knock with {n}', gin: 'Gin', goOn: 'Do not knock', layDown: 'Lay down your melds', nextRound: 'Next round',
  toDraw: 'draw', toDiscard: 'discard', toKnock: 'knock?', toMeld: 'lay down',
  askDraw: 'Take the top discard, or draw from the stock.', askFirst: 'Take the top discard, or pass.', askDiscard: 'Select the card that you discard.', askKnock: 'You may knock with {n} points of deadwood.', askMeld: 'The computer knocks with {n} points of deadwood.',
  eTakeMe: 'You take the {card}.', eStockMe: 'You draw the {card}.', eDiscardMe: 'You discard the {card}.', ePassMe: 'You pass.', eTakeOpp: 'The computer takes the {card}.', eStockOpp: 'The computer draws from the stock.', eDiscardOpp: 'The computer discards the {card}.', ePassOpp: 'The computer passes.',
  refusedSay: '{card} is not discarded: {why}.', notNow: 'it is not the time to discard', begun: 'A new round.',
  heat: 'What the computer holds', heatHint: 'The probability in per cent that the computer holds the card, from what it took, left and discarded. ✓ it has taken the card, ● you hold it, ✗ discarded.', suit: 'Suit', cOwn: 'you hold it', cGone: 'discarded', cSure: 'the computer has it', cShare: '{n} per cent', cHad: 'the computer had it',
  likeliest: 'Most probable: {cards}.',
  option: 'Action', danger: 'Danger', value: 'Value', adviceHow: 'Value: points of the round, yours less those of the computer, if both play on from here in hands that the estimate finds likely. Only promising discards are played on. Danger: how likely the computer can meld the card.', adviceLater: 'Advice comes when you are to decide.', urlNone: 'it holds no situation.', bestIs: 'Advised', doIt: 'Do what is advised',
  rKnockMe: 'You knock: {n} points for you.', rGinMe: 'Gin: {n} points for you.', rUndercutMe: 'Undercut: you had no less than the computer, which scores {n}.', rKnockOpp: 'The computer knocks and scores {n}.', rGinOpp: 'The computer has gin and scores {n}.', rUndercutOpp: 'Undercut: you had no more than the computer, and score {n}.', rVoid: 'Nobody knocked: no points.',
  rDeadwood: 'Deadwood: you {me}, the computer {opp}.', laidOff: 'Laid off: {cards}.', won: 'You have won, {me} to {opp}.', lost: 'The computer has won, {opp} to {me}.', drawnGame: 'The game is drawn, {me} to {opp}.', soFar: 'The game stands at {me} to {opp}.',
  compare: 'Of its ten cards, {n} were among the ten that seemed most probable. The estimate gave them {p} per cent on average; without a look at its play it would have been {u}.', compareHint: 'Below each card: how probable it had been.',
  roundHead: 'Round', how: 'How', hKnock: 'knock', hGin: 'gin', hUndercut: 'undercut', hVoid: 'void', noRounds: 'No round is over yet.',
  situation: 'Situation…', situationTitle: 'A situation', situationHint: 'What one player has seen of a round, as JSON: a request for an estimate or for advice. You see the estimate, and the advice if it is the turn of “me”.', situationText: 'Situation', situationBad: 'This is no JSON of a situation: it needs starter, upcard and own.', exampleDo: 'Example', showIt: 'Show', backToGame: 'Back to the game', shownSituation: 'A situation that you have entered.',
  kArrows: 'choose a card', kEnter: 'discard the card', kTake: 'take the top discard', kStock: 'draw from the stock', kPass: 'pass', kKnock: 'knock, or lay down your melds', kGoOn: 'do not knock', kNext: 'the next round', kBest: 'advice, then do what is advised', kValues: 'read the most probable cards', kScore: 'read the score',
  helpText: 'Draw a card and discard one, until your cards outside melds have at most 10 points: then you may knock. A meld is a run of three or more cards of a suit, or three or four of a rank. The ace is low. The table below shows how likely the computer holds each card.',
} as const

export type GinKey = keyof typeof texts
