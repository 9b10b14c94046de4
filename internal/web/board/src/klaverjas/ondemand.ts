// The dialogs of the board, the table of trumps, the result of a hand, the score sheet, and what the tabs of the hidden
// mode show. The page loads them when it is shown, so that they do not delay its first value.

export { HandDialogs } from '../shared/handdialogs'
export { HandPanel } from './handpanel'
export { news } from './news'
export { adviceMark } from './advicemark'
export { ClaimButton, restSettled } from './claim'
export { BackToGame } from '../shared/earlier'
export { Auction, CallTable, Role, askedAt, callStepText } from './game'
export { HelpDialog, RulesDialog, embedCode } from './dialogs'
export { OpenDialogs, Wrong } from '../shared/opendialogs'
export { OpenEnterDialog as EnterDialog } from './enterdialog'
export { StopDialog } from '../shared/stopdialog'
export { OwnDialogs, Seats } from './ownhand'
export { importHint, readImport } from './imports'
export { Model } from './model'
export { Incomplete, OpenTabs } from './openpanel'
export { Branch, Trying, triedText } from './mistake'
export { PlayDialog, lastPlayers, requestLike } from './playdialog'
export { reviewMarks, verdictText } from '../shared/cardreview'
export { otherMistake } from '../shared/verdicts'
export { requestFrom } from './request'
export { Result } from './sheet'
export { mistakeText } from './review'

// For the tests, which import this module.
export { outline } from './outline'
