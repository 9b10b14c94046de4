// De teksten van de pagina van Gin Rummy in het Nederlands.

import type { GinKey } from './words-gin-en'

export const texts: Record<GinKey, string> = {
  title: 'Roem: Gin Rummy', fA: 'aas', f2: 'twee', f3: 'drie', f4: 'vier', f5: 'vijf', f6: 'zes', f7: 'zeven', f8: 'acht', f9: 'negen', f10: 'tien', fJ: 'boer', fQ: 'vrouw', fK: 'heer',
  you: 'U', computer: 'Computer', lobbyHint: 'Speel tot 100 punten tegen de computer, en zie op elk moment hoe waarschijnlijk hij elke kaart heeft. De server bewaart de kaarten: u kunt de pagina herladen en verder spelen.',
  playHint: 'Een ronde wint wie als eerste bijna alle kaarten in combinaties heeft. De server bewaart de kaarten van de computer tot de ronde voorbij is.', level: 'De computer', pPlayout: 'Sterk: speelt handen uit', pSimple: 'Gemiddeld: combineert', pRandom: 'Makkelijk: willekeurig',
  lengthAsked: 'Lengte', aGame: 'Een spel tot 100 punten', aRound: 'Eén ronde', starter: 'Eerste beurt', drawn: 'Door loting',
  against: 'Tegen: {player}', exampleLook: 'Bekijk een voorbeeld', roundN: 'Ronde {n}', yourHand: 'Uw hand', theirHand: 'De computer', deadwood: 'Los', deadwoodN: 'los {n}', meld: 'Combinatie', others: 'Losse kaarten, {n} punten', justDrawn: 'net gepakt',
  mayNotDiscard: 'net genomen, en mag niet in dezelfde beurt worden afgelegd', stock: 'Stok', stockN: '{n} kaarten in de stok', pile: 'Aflegstapel', top: 'Bovenste kaart: {card}', noTop: 'Geen kaart',
  take: 'Neem {card}', fromStock: 'Pak van de stok', pass: 'Pas', discard: 'Afleggen', discardIt: 'Leg {card} af', knockN: 'Klop met {n}', gin: 'Gin', goOn: 'Niet kloppen', layDown: 'Leg uw combinaties neer', nextRound: 'Volgende ronde',
  toDraw: 'pak een kaart', toDiscard: 'leg af', toKnock: 'kloppen?', toMeld: 'leg neer',
  askDraw: 'Neem de bovenste kaart, of pak van de stok.', askFirst: 'Neem de bovenste kaart, of pas.', askDiscard: 'Kies de kaart die u aflegt.', askKnock: 'U mag kloppen met {n} losse punten.', askMeld: 'De computer klopt met {n} losse punten.',
  eTakeMe: 'U neemt {card}.', eStockMe: 'U pakt {card}.', eDiscardMe: 'U legt {card} af.', ePassMe: 'U past.', eTakeOpp: 'De computer neemt {card}.', eStockOpp: 'De computer pakt van de stok.', eDiscardOpp: 'De computer legt {card} af.', ePassOpp: 'De computer past.',
  refusedSay: '{card} wordt niet afgelegd: {why}.', notNow: 'het is niet het moment om af te leggen', begun: 'Een nieuwe ronde.',
  heat: 'Wat de computer heeft', heatHint: 'De kans in procenten dat de computer de kaart heeft, uit wat hij nam, liet liggen en aflegde. ✓ hij heeft de kaart genomen, ● u hebt haar, ✗ afgelegd.', suit: 'Kleur', cOwn: 'u hebt haar', cGone: 'afgelegd', cSure: 'de computer heeft haar', cShare: '{n} procent', cHad: 'de computer had haar',
  likeliest: 'Het waarschijnlijkst: {cards}.',
  option: 'Actie', danger: 'Gevaar', value: 'Waarde', adviceHow: 'Waarde: punten van de ronde, de uwe min die van de computer, als beiden verder spelen in handen die de schatting waarschijnlijk vindt. Alleen kansrijke kaarten worden doorgespeeld. Gevaar: hoe waarschijnlijk de computer de kaart in een combinatie kan gebruiken.', adviceLater: 'Advies komt als u moet beslissen.', bestIs: 'Aangeraden', doIt: 'Doe wat wordt aangeraden',
  rKnockMe: 'U klopt: {n} punten voor u.', rGinMe: 'Gin: {n} punten voor u.', rUndercutMe: 'Onderboden: u had niet minder dan de computer, die {n} scoort.', rKnockOpp: 'De computer klopt en scoort {n}.', rGinOpp: 'De computer heeft gin en scoort {n}.', rUndercutOpp: 'Onderboden: u had niet meer dan de computer, en scoort {n}.', rVoid: 'Niemand klopte: geen punten.',
  rDeadwood: 'Los: u {me}, de computer {opp}.', laidOff: 'Aangelegd: {cards}.', won: 'U hebt gewonnen, {me} tegen {opp}.', lost: 'De computer heeft gewonnen, {opp} tegen {me}.', drawnGame: 'Het spel is gelijk, {me} tegen {opp}.', soFar: 'Het staat {me} tegen {opp}.',
  compare: 'Van zijn tien kaarten waren er {n} bij de tien die het waarschijnlijkst leken. De schatting gaf ze gemiddeld {p} procent; zonder naar zijn spel te kijken was dat {u}.', compareHint: 'Onder elke kaart: hoe waarschijnlijk zij was.',
  roundHead: 'Ronde', how: 'Hoe', hKnock: 'klop', hGin: 'gin', hUndercut: 'onderboden', hVoid: 'niets', noRounds: 'Er is nog geen ronde voorbij.',
  situation: 'Situatie…', situationTitle: 'Een situatie', situationHint: 'Wat één speler van een ronde heeft gezien, als JSON: een verzoek om een schatting of om advies. U ziet de schatting, en het advies als “me” aan de beurt is.', situationText: 'Situatie', situationBad: 'Dit is geen JSON van een situatie: starter, upcard en own zijn nodig.', exampleDo: 'Voorbeeld', showIt: 'Toon', backToGame: 'Terug naar het spel', shownSituation: 'Een situatie die u hebt ingevoerd.',
  kArrows: 'kies een kaart', kEnter: 'leg de kaart af', kTake: 'neem de bovenste kaart', kStock: 'pak van de stok', kPass: 'pas', kKnock: 'klop, of leg uw combinaties neer', kGoOn: 'niet kloppen', kNext: 'de volgende ronde', kBest: 'advies, dan doen wat wordt aangeraden', kValues: 'lees de waarschijnlijkste kaarten', kScore: 'lees de stand',
  helpText: 'Pak een kaart en leg er een af, tot uw kaarten buiten combinaties hoogstens 10 punten hebben: dan mag u kloppen. Een combinatie is een rij van drie of meer kaarten van een kleur, of drie of vier van een waarde. De aas is laag. De tabel eronder toont hoe waarschijnlijk de computer elke kaart heeft.',
}
