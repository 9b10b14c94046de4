// The dialogs of the page, the tricks, the score and the review. The page loads them when it is shown, so that they do
// not delay its first value.

export { HandDialogs } from '../shared/handdialogs'
export { BackToGame } from '../shared/earlier'
export { adviceMarks } from './advicepanel'
export { exported, importHint, readImport } from './imports'
export { news } from './news'
export { PlayDialog, requestLike } from './playdialog'
export { HelpDialog } from './help'
export { OpenDialogs, Wrong } from '../shared/opendialogs'
export { EnterDialog } from './enterdialog'
export { RulesDialog } from './rulefields'
export { HandPanel } from './handpanel'
export { mistakeOf, reviewMarks, verdictText } from './review'
export { Steps, exchangeAt, lastText, positionBefore, whileComing } from './steps'
export { Scoring, Tricks } from './scoring'

// For the tests, which import this module.
export { outline } from './outline'
