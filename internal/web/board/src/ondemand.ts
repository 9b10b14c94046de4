// The dialogs of the board. The page loads them when it is shown, so that they do not delay its first value.

export { EnterDialog, HelpDialog, ImportDialog, RulesDialog, ShareDialog } from './dialogs'
export { PlayDialog } from './playdialog'
export { StopDialog } from './stopdialog'
