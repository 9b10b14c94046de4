// The dialogs of the page, the tricks, the score and the review. The page loads them when it is shown, so that they do
// not delay its first value.

export { KeysDialog, RecordDialog, ShareDialog } from '../shared/dialogs'
export { StopDialog } from '../shared/stopdialog'
export { BackToGame } from '../shared/earlier'
export { AdvicePanel, adviceMarks } from './advicepanel'
export { EnterDialog } from './enterdialog'
export { LinkedRecord } from '../shared/records'
export { ImportDialog, readImport } from './importdialog'
export { PlayDialog, requestLike } from './playdialog'
export { Dealt, SeatReview, mistakeOf, reviewMarks, verdictText } from './review'
export { RulesDialog } from './rulefields'
export { Sheet } from './sheet'
export { Steps, exchangeAt, lastText, positionBefore, whileComing } from './steps'
export { ScoreParts, Scoring, Tricks } from './scoring'
