// The review of a hand, and dialogs. The page loads them when it is shown, so that they do not delay its first value.

export { ShareDialog } from '../shared/dialogs'
export { HandDialogs } from '../shared/handdialogs'
export { BackToGame } from '../shared/earlier'
export { EnterDialog } from './enterdialog'
export { LinkedRecord } from '../shared/records'
export { ImportDialog, readImport } from './importdialog'
export { HelpDialog } from './help'
export { news } from './news'
export { PlayDialog, requestLike } from './playdialog'
export { Sheet } from './sheet'
export { SeatReview, mistakeOf, reviewMarks, verdictText } from './review'
