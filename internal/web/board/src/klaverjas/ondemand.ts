// The dialogs of the board, the table of trumps, the result of a hand and the score sheet. The page loads them when it
// is shown, so that they do not delay its first value.

export { ShareDialog } from '../shared/dialogs'
export { StopDialog } from '../shared/stopdialog'
export { EnterDialog, HelpDialog, ImportDialog, RulesDialog } from './dialogs'
export { PlayDialog } from './playdialog'
export { Result, Sheet } from './sheet'
export { Trumps } from './trumps'
