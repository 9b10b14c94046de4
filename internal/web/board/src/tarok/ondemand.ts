// The dialogs of the page, the tricks and the score. The page loads them when it is shown, so that they do not delay
// its first value.

export { KeysDialog, ShareDialog } from '../shared/dialogs'
export { StopDialog } from '../shared/stopdialog'
export { EnterDialog } from './enterdialog'
export { ImportDialog } from './importdialog'
export { PlayDialog } from './playdialog'
export { RulesDialog } from './rulefields'
export { ScoreParts, Scoring, Tricks } from './scoring'
