// The dialogs of the page, and what the players think and know. The page loads them when it is shown, so that they do not
// delay the hand.

export { ShareDialog } from '../shared/dialogs'
export { EnterDialog } from '../klaverjas/enterdialog'
export { Help } from './help'
export { Panel } from './panel'
export { SettingsDialog } from './settings'
