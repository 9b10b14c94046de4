// The review of a hand, and dialogs. The page loads them when it is shown, so that they do not delay its first value.

export { OpenDialogs, Wrong } from '../shared/opendialogs'
export { HandDialogs } from '../shared/handdialogs'
export { BackToGame } from '../shared/earlier'
export { EnterDialog } from './enterdialog'
export { exported, importHint, readImport } from './imports'
export { HelpDialog } from './help'
export { news } from './news'
export { PlayDialog, requestLike } from './playdialog'
export { Sheet } from './sheet'
export { reviewMarks, verdictText } from '../shared/cardreview'
export { SeatReview, mistakeOf } from './review'

// For the tests, which import this module.
export { outline } from './outline'
