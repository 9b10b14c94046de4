// The dialogs of the page. It loads them when it is shown.

export { KeysDialog, ShareDialog } from '../dialogs'
export { StopDialog } from '../stopdialog'
export { ImportDialog } from './importdialog'
export { PlayDialog } from './playdialog'
export { RulesDialog } from './rulefields'
