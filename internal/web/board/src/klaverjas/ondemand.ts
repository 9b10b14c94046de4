// The dialogs of the board, the table of trumps, the result of a hand, the score sheet, and what the tabs of the hidden
// mode show. The page loads them when it is shown, so that they do not delay its first value.

export { RecordDialog, ShareDialog } from '../shared/dialogs'
export { StopDialog } from '../shared/stopdialog'
export { AdvicePanel, BidPanel, Strength } from './advice'
export { ClaimButton, OpenClaim } from './claim'
export { LinkedRecord } from '../shared/records'
export { BackToGame } from '../shared/earlier'
export { Auction, CallTable, Role, askedAt, callStepText } from './game'
export { HelpDialog, ImportDialog, RulesDialog, readImport } from './dialogs'
export { EnterDialog } from './enterdialog'
export { HoldersTab, Model } from './holders'
export { Branch, Mistake, Trying, explainedOf, reasonText, triedText } from './mistake'
export { PlayDialog, lastPlayers } from './playdialog'
export { otherMistake } from '../shared/verdicts'
export { SeatReviewPanel, reviewMarks, verdictText } from './seatreview'
export { Result, Sheet } from './sheet'
export { Trumps } from './trumps'
