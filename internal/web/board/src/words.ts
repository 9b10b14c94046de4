// Every text of the board, in English and Dutch. The compiler checks that both languages have the same keys.

import { type Card, type Face, type Seat, type Suit, type Team, faceOf, suitOf, symbols } from './cards'
import { hiddenEn, hiddenNl } from './words-hidden'

const en = {
  ...hiddenEn,
  board: 'Board', jobs: 'Jobs', api: 'API', title: 'Roem: the board', jobsTitle: 'Roem: jobs',
  skip: 'Skip to the cards', pages: 'Pages', language: 'Language', theme: 'Switch between light and dark', help: 'Help',
  trump: 'Trump', leader: 'Leader', declarer: 'Declarers', rules: 'Rules…', rulesTitle: 'Rules', newDeal: 'New deal', enter: 'Enter cards…',
  importIt: 'Import…', share: 'Share', contract: 'Contract', table: 'Table', values: 'Values', review: 'Review', trumps: 'Trumps',
  undo: 'Back', redo: 'Forward', first: 'To the start', last: 'To the end', best: 'Play the best card', bestShort: 'Best card', moves: 'Play',
  N: 'North', E: 'East', S: 'South', W: 'West', NS: 'North and South', EW: 'East and West', nsShort: 'N/S', ewShort: 'E/W',
  C: 'clubs', D: 'diamonds', H: 'hearts', SS: 'spades',
  f7: 'seven', f8: 'eight', f9: 'nine', f10: 'ten', fJ: 'jack', fQ: 'queen', fK: 'king', fA: 'ace', cardName: '{face} of {suit}',
  toPlay: '{seat} to play', handOf: '{seat}', turnHere: 'to play', leads: 'leads', isBest: 'best', loses: 'loses {n}', losesValue: '−{n}',
  notLegal: 'not legal: {why}', trick: 'Trick', trickN: 'Trick {n}', won: '{seat} won trick {n}: {points}', onTable: 'on the table',
  follow: 'must follow suit', overtrump: 'must follow with a higher trump', overruff: 'must ruff, higher than the trumps in the trick',
  ruff: 'must ruff', underruff: 'may not under-ruff', turn: '{seat} is to play', played: 'has been played', finishedWhy: 'every card has been played',
  score: 'Score', points: 'Cards', roem: 'Roem', total: 'Total', tricks: 'Tricks', outcome: 'Outcome',
  makes: '{team} make it: {n} points ahead', nat: '{team} are nat: {n}', withBest: 'with best play', soFar: 'Hand finished',
  makesSay: 'With best play {team} make it, {n} points ahead.', natSay: 'With best play {team} are nat, {n}.',
  bestLine: 'Best line', lineHint: 'Select a card to play up to it.', noValues: 'No values yet.', searching: 'Searching…',
  bounds: 'between {lower} and {upper}', nodes: '{n} cards searched', cancel: 'Cancel', cancelled: 'Cancelled.', again: 'Search again',
  said: '{seat}: {card}.', saidTrick: '{seat} wins the trick, {n}.', saidEnd: 'The hand is finished. {ns} for North and South, {ew} for East and West.',
  saidBack: 'Back to card {n}. {turn}', saidGo: 'Card {n}. {turn}', saidScore: '{ns} for North and South, {ew} for East and West.',
  saidEmpty: 'No card in the trick. {turn}', saidNew: 'A new deal. {turn}', saidRefused: '{card} is not played: {why}.',
  saidContract: 'Trump {trump}. The play begins again. {turn}', turnSay: '{seat} to play.',
  field: 'Play a card', fieldHint: 'such as 10H or 10♥', noCard: '“{text}” is not a card. Write the face, then the suit: 10H or 10♥.', go: 'Play',
  reviewEmpty: 'Play at least two cards. The review shows what each of them cost.', mistakes: 'Costly cards', cost: 'Cost', nextMistake: 'Next costly card',
  prevMistake: 'Previous costly card', noMistake: 'There is no other costly card.', reviewSum: '{n} costly cards, {cost} points', better: 'best: {cards}',
  card: 'Card', player: 'Player', mistakeSay: 'Trick {trick}, {seat} played {card}: cost {n}. Best: {best}.', allBest: 'Every card was best.',
  tableHint: 'The outcome of this deal for each trump and each declaring team, with {seat} leading.', tableTrump: 'Trump',
  incomplete: 'The deal is incomplete: {n} cards have no holder.', incompleteDo: 'Enter the cards',
  enterTitle: 'Enter a deal', enterHint: 'Type the cards of a hand, or select them below for the hand that is marked. The fourth hand fills itself.',
  enterCount: '{n} of 8', enterTwice: '{card} is also in the hand of {seat}.', enterSame: '{card} is there twice.', enterBad: '“{text}” is not a card.',
  enterMany: '{card} is one too many: a hand has 8 cards.', use: 'Use this deal', close: 'Close', clear: 'Clear', cards: 'All cards',
  cardFree: '{card}, free', cardWith: '{card}, {seat}', forHand: 'Cards for {seat}',
  importTitle: 'Import', importHint: 'A position as JSON (a request or an answer of the API), the number of a deal, or the address of a board.',
  importText: 'Position, number or address', importBad: 'This is no JSON, no number of a deal and no address of a board.', importDo: 'Import', importDeal: 'This position names no deal: it needs hands or deal.',
  shareTitle: 'Share', shareHint: 'The address holds the whole position. The part after # is not sent to the server.', address: 'Address', copied: 'The address is copied.', copy: 'Copy',
  keyTitle: 'API key', keyHint: 'This server asks for a key. It is kept until this tab closes.', key: 'Key', send: 'Use this key', keyBad: 'The server does not accept this key.',
  busy: 'The server is busy. Trying again in {n} s.', limited: 'You have reached a limit of this server. Trying again in {n} s.', offline: 'The server cannot be reached.', retry: 'Try again',
  failed: 'The server refused: {detail}', urlBad: 'The address of this board cannot be read: {error}', urlField: '“{field}” is not name=value.', urlUnknown: '“{field}” is unknown.',
  urlVersion: 'v must be 1.', urlTrump: 't must be C, D, H or S.', urlLeader: 'l must be N, E, S or W.', urlDeclarer: 'd must be NS or EW.', urlRules: 'r names an unknown rule.',
  urlHolders: 'h must have 32 letters N, E, S, W or a dot.', urlTooMany: 'h gives {seat} more than 8 cards.', urlPlayed: 'p needs a complete deal and two characters for each card.',
  urlNoCard: 'card {n} of p is “{text}”.', urlIllegal: 'card {n} of p, {card}, is not legal.', urlCursor: 'i must be from 0 to the number of cards of p.',
  drawIt: 'Draw a deal', system: 'System', rotterdam: 'Rotterdam: always ruff', amsterdam: 'Amsterdam: the partner’s trick need not be ruffed', under: 'Under-ruffing',
  forced: 'forced', forbidden: 'forbidden', free: 'free', melds: 'Count melds (roem)', natMelds: 'Melds after nat', natDefenders: 'the defenders’ own', natAll: 'those of both teams', pit: 'Pit',
  pitDeclarers: 'for the declarers', pitDefenders: 'for the defenders', four: 'Four of a kind', apply: 'Apply', bonusBad: 'Points are multiples of 10, from 0 to 1000.',
  helpTitle: 'Keys', shortcuts: 'Single-letter keys', kArrows: 'choose a card and a hand', kEnter: 'play the card', kBack: 'back', kRedo: 'forward', kEnds: 'to the start, to the end', kBest: 'play the best card',
  kValues: 'read the values', kScore: 'read the score', kTrick: 'read the trick', kMistake: 'next and previous costly card', kField: 'the field for a card', kHelp: 'this help',
  helpText: 'The number below a card is what it loses for its player, exactly, if everyone sees all cards and plays best. ★ is best.', keysOn: 'on', keysOff: 'off',
  jobsHint: 'Requests of yours that run on the server.', noJobs: 'You have no jobs.', jKind: 'Kind', jStatus: 'Status', jProgress: 'Progress', jCreated: 'Created', jAct: 'Actions',
  queued: 'queued, place {n}', running: 'running', succeeded: 'succeeded', failedJob: 'failed', cancelledJob: 'cancelled', open: 'Open on the board', show: 'Show', result: 'Result', parts: '{done} of {of}', older: 'Older jobs',
  newJob: 'Solve as a job', startJob: 'Review as a job', jobsLive: 'Live',
  k_solve: 'solve', k_analyse: 'review', k_table: 'table', k_solve_batch: 'positions', k_advise: 'advice', k_review: 'review of a seat', k_match: 'match', k_hand_strength: 'hand strength', k_hand_strength_batch: 'hands',
} as const

export type Key = keyof typeof en

const nl: Record<Key, string> = {
  ...hiddenNl,
  board: 'Tafel', jobs: 'Taken', api: 'API', title: 'Roem: de tafel', jobsTitle: 'Roem: taken',
  skip: 'Naar de kaarten', pages: 'Pagina’s', language: 'Taal', theme: 'Wissel tussen licht en donker', help: 'Uitleg',
  trump: 'Troef', leader: 'Voorhand', declarer: 'Speler', rules: 'Regels…', rulesTitle: 'Regels', newDeal: 'Nieuw spel', enter: 'Kaarten invoeren…',
  importIt: 'Inlezen…', share: 'Delen', contract: 'Contract', table: 'Tafel', values: 'Waarden', review: 'Nabespreking', trumps: 'Troeven',
  undo: 'Terug', redo: 'Verder', first: 'Naar het begin', last: 'Naar het einde', best: 'Speel de beste kaart', bestShort: 'Beste kaart', moves: 'Spelen',
  N: 'Noord', E: 'Oost', S: 'Zuid', W: 'West', NS: 'Noord en Zuid', EW: 'Oost en West', nsShort: 'N/Z', ewShort: 'O/W',
  C: 'klaveren', D: 'ruiten', H: 'harten', SS: 'schoppen',
  f7: 'zeven', f8: 'acht', f9: 'negen', f10: 'tien', fJ: 'boer', fQ: 'vrouw', fK: 'heer', fA: 'aas', cardName: '{suit}{face}',
  toPlay: '{seat} is aan slag', handOf: '{seat}', turnHere: 'aan slag', leads: 'komt uit', isBest: 'beste', loses: 'kost {n}', losesValue: '−{n}',
  notLegal: 'mag niet: {why}', trick: 'Slag', trickN: 'Slag {n}', won: '{seat} won slag {n}: {points}', onTable: 'op tafel',
  follow: 'moet kleur bekennen', overtrump: 'moet een hogere troef spelen', overruff: 'moet introeven, hoger dan de troeven in de slag',
  ruff: 'moet introeven', underruff: 'mag niet ondertroeven', turn: '{seat} is aan slag', played: 'is al gespeeld', finishedWhy: 'alle kaarten zijn gespeeld',
  score: 'Stand', points: 'Kaarten', roem: 'Roem', total: 'Totaal', tricks: 'Slagen', outcome: 'Uitslag',
  makes: '{team} halen het: {n} punten voor', nat: '{team} zijn nat: {n}', withBest: 'bij het beste spel', soFar: 'Spel uit',
  makesSay: 'Bij het beste spel halen {team} het, met {n} punten voor.', natSay: 'Bij het beste spel zijn {team} nat, {n}.',
  bestLine: 'Beste verloop', lineHint: 'Kies een kaart om tot daar te spelen.', noValues: 'Nog geen waarden.', searching: 'Bezig met zoeken…',
  bounds: 'tussen {lower} en {upper}', nodes: '{n} kaarten doorzocht', cancel: 'Stoppen', cancelled: 'Gestopt.', again: 'Opnieuw zoeken',
  said: '{seat}: {card}.', saidTrick: '{seat} wint de slag, {n}.', saidEnd: 'Het spel is uit. {ns} voor Noord en Zuid, {ew} voor Oost en West.',
  saidBack: 'Terug naar kaart {n}. {turn}', saidGo: 'Kaart {n}. {turn}', saidScore: '{ns} voor Noord en Zuid, {ew} voor Oost en West.',
  saidEmpty: 'Geen kaart in de slag. {turn}', saidNew: 'Een nieuw spel. {turn}', saidRefused: '{card} wordt niet gespeeld: {why}.',
  saidContract: 'Troef is {trump}. Het spel begint opnieuw. {turn}', turnSay: '{seat} is aan slag.',
  field: 'Speel een kaart', fieldHint: 'zoals 10H of 10♥', noCard: '“{text}” is geen kaart. Schrijf zoals de API: KH of K♥ voor hartenheer, Q voor vrouw, J voor boer.', go: 'Speel',
  reviewEmpty: 'Speel minstens twee kaarten. De nabespreking toont wat elke kaart kostte.', mistakes: 'Dure kaarten', cost: 'Kosten', nextMistake: 'Volgende dure kaart',
  prevMistake: 'Vorige dure kaart', noMistake: 'Er is geen andere dure kaart.', reviewSum: '{n} dure kaarten, {cost} punten', better: 'beste: {cards}',
  card: 'Kaart', player: 'Speler', mistakeSay: 'Slag {trick}, {seat} speelde {card}: kost {n}. Beste: {best}.', allBest: 'Elke kaart was de beste.',
  tableHint: 'De uitslag van dit spel voor elke troef en elk spelend paar, als {seat} uitkomt.', tableTrump: 'Troef',
  incomplete: 'Het spel is niet compleet: {n} kaarten hebben geen speler.', incompleteDo: 'Voer de kaarten in',
  enterTitle: 'Een spel invoeren', enterHint: 'Typ de kaarten van een hand, of kies ze hieronder voor de gemarkeerde hand. De vierde hand vult zichzelf.',
  enterCount: '{n} van 8', enterTwice: '{card} is ook in de hand van {seat}.', enterSame: '{card} staat er twee keer.', enterBad: '“{text}” is geen kaart.',
  enterMany: '{card} is er een te veel: een hand heeft 8 kaarten.', use: 'Gebruik dit spel', close: 'Sluiten', clear: 'Wissen', cards: 'Alle kaarten',
  cardFree: '{card}, vrij', cardWith: '{card}, {seat}', forHand: 'Kaarten voor {seat}',
  importTitle: 'Inlezen', importHint: 'Een positie als JSON (een vraag of antwoord van de API), het nummer van een spel, of het adres van een tafel.',
  importText: 'Positie, nummer of adres', importBad: 'Dit is geen JSON, geen nummer van een spel en geen adres van een tafel.', importDo: 'Inlezen', importDeal: 'Deze positie noemt geen spel: hands of deal ontbreekt.',
  shareTitle: 'Delen', shareHint: 'Het adres bevat de hele positie. Het deel na # gaat niet naar de server.', address: 'Adres', copied: 'Het adres is gekopieerd.', copy: 'Kopieer',
  keyTitle: 'API-sleutel', keyHint: 'Deze server vraagt een sleutel. Die wordt bewaard tot dit tabblad sluit.', key: 'Sleutel', send: 'Gebruik deze sleutel', keyBad: 'De server aanvaardt deze sleutel niet.',
  busy: 'De server heeft het druk. Nieuwe poging over {n} s.', limited: 'U hebt een grens van deze server bereikt. Nieuwe poging over {n} s.', offline: 'De server is niet bereikbaar.', retry: 'Probeer opnieuw',
  failed: 'De server weigert: {detail}', urlBad: 'Het adres van deze tafel is niet te lezen: {error}', urlField: '“{field}” is geen naam=waarde.', urlUnknown: '“{field}” is onbekend.',
  urlVersion: 'v moet 1 zijn.', urlTrump: 't moet C, D, H of S zijn.', urlLeader: 'l moet N, E, S of W zijn.', urlDeclarer: 'd moet NS of EW zijn.', urlRules: 'r noemt een onbekende regel.',
  urlHolders: 'h moet 32 letters N, E, S, W of een punt hebben.', urlTooMany: 'h geeft {seat} meer dan 8 kaarten.', urlPlayed: 'p vraagt een compleet spel en twee tekens voor elke kaart.',
  urlNoCard: 'kaart {n} van p is “{text}”.', urlIllegal: 'kaart {n} van p, {card}, mag niet.', urlCursor: 'i moet tussen 0 en het aantal kaarten van p liggen.',
  drawIt: 'Geef een spel', system: 'Systeem', rotterdam: 'Rotterdams: altijd introeven', amsterdam: 'Amsterdams: de slag van de maat hoeft niet getroefd', under: 'Ondertroeven',
  forced: 'verplicht', forbidden: 'verboden', free: 'vrij', melds: 'Roem telt', natMelds: 'Roem na nat', natDefenders: 'alleen die van de tegenpartij', natAll: 'die van beide partijen', pit: 'Pit',
  pitDeclarers: 'voor de spelers', pitDefenders: 'voor de tegenpartij', four: 'Vier gelijke', apply: 'Toepassen', bonusBad: 'Punten zijn veelvouden van 10, van 0 tot 1000.',
  helpTitle: 'Toetsen', shortcuts: 'Toetsen van één letter', kArrows: 'kies een kaart en een hand', kEnter: 'speel de kaart', kBack: 'terug', kRedo: 'verder', kEnds: 'naar het begin, naar het einde', kBest: 'speel de beste kaart',
  kValues: 'lees de waarden voor', kScore: 'lees de stand voor', kTrick: 'lees de slag voor', kMistake: 'volgende en vorige dure kaart', kField: 'het veld voor een kaart', kHelp: 'deze uitleg',
  helpText: 'Het getal onder een kaart is wat zij haar speler kost, precies, als iedereen alle kaarten ziet en het beste speelt. ★ is de beste.', keysOn: 'aan', keysOff: 'uit',
  jobsHint: 'Uw vragen waaraan de server werkt.', noJobs: 'U hebt geen taken.', jKind: 'Soort', jStatus: 'Toestand', jProgress: 'Voortgang', jCreated: 'Gemaakt', jAct: 'Handelingen',
  queued: 'wacht, plaats {n}', running: 'bezig', succeeded: 'gelukt', failedJob: 'mislukt', cancelledJob: 'gestopt', open: 'Open op de tafel', show: 'Toon', result: 'Uitkomst', parts: '{done} van {of}', older: 'Oudere taken',
  newJob: 'Los op als taak', startJob: 'Bespreek als taak', jobsLive: 'Live',
  k_solve: 'oplossing', k_analyse: 'nabespreking', k_table: 'troeven', k_solve_batch: 'posities', k_advise: 'advies', k_review: 'nabespreking van een plaats', k_match: 'wedstrijd', k_hand_strength: 'kracht van een hand', k_hand_strength_batch: 'handen',
}

export type Lang = 'en' | 'nl'
export const languages: readonly Lang[] = ['en', 'nl']
export type Vars = Record<string, string | number>
export type Text = [Key, Vars?]

/** The texts of one language. */
export interface Words {
  lang: Lang
  t(key: Key, vars?: Vars): string
  seat(s: Seat): string
  team(t: Team): string
  suit(s: Suit): string
  /** The face as it stands on a card: A H V B in Dutch. */
  face(c: Card): string
  /** The face and the symbol of the suit, to look at. */
  brief(c: Card): string
  /** The name of a card, to be read aloud. */
  card(c: Card): string
  number(n: number): string
  /** A number with its sign. */
  signed(n: number): string
}

const dutchFaces: Partial<Record<Face, string>> = { J: 'B', Q: 'V', K: 'H' }
const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

export function words(lang: Lang): Words {
  const dictionary: Record<Key, string> = lang === 'nl' ? nl : en
  const t = (key: Key, vars: Vars = {}): string => dictionary[key].replace(/\{(\w+)\}/g, (_, name: string) => String(vars[name] ?? ''))
  const suit = (s: Suit): string => t(s === 'S' ? 'SS' : s)
  const face = (c: Card): string => (lang === 'nl' ? dutchFaces[faceOf(c)] : undefined) ?? faceOf(c)
  const format = new Intl.NumberFormat(lang)
  return {
    lang, t, suit, face,
    seat: (s) => t(s),
    team: (x) => t(x),
    brief: (c) => face(c) + symbols[suitOf(c)],
    card: (c) => capital(t('cardName', { face: t(`f${faceOf(c)}`), suit: suit(suitOf(c)) })),
    number: (n) => format.format(n),
    signed: (n) => (n > 0 ? '+' : n < 0 ? '−' : '') + format.format(Math.abs(n)),
  }
}

/** The keys of both languages whose texts name different variables, or none; for the test. */
export function unequal(): string[] {
  const vars = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort().join()
  return (Object.keys(en) as Key[]).filter((k) => vars(en[k]) !== vars(nl[k]) || nl[k] === '')
}
