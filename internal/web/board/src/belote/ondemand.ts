// The review of a hand, and dialogs. The page loads them when it is shown, so that they do not delay its first value.

export { KeysDialog, RecordDialog, ShareDialog } from '../shared/dialogs'
export { StopDialog } from '../shared/stopdialog'
export { BackToGame } from '../shared/earlier'
export { EnterDialog } from './enterdialog'
export { LinkedRecord } from '../shared/records'
export { ImportDialog, readImport } from './importdialog'
export { PlayDialog, requestLike } from './playdialog'
export { Sheet } from './sheet'
export { SeatReview, mistakeOf, reviewMarks, verdictText } from './review'
