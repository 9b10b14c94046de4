// The review of a round, and dialogs. The page loads them when it is shown, so that they do not delay its first value.

export { ShareDialog } from '../shared/dialogs'
export { HandDialogs } from '../shared/handdialogs'
export { BackToGame } from '../shared/earlier'
export { EnterDialog } from './enterdialog'
export { HelpDialog } from './help'
export { LayOffDialog } from './layoff'
export { news } from './news'
export { PlayDialog, requestLike } from './playdialog'
export { Sheet } from './sheet'
export { Next, RoundReview, mistakeOf, reviewMarks, verdictText } from './review'
