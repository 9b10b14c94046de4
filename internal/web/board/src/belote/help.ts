// The keys of the page, for its help.

import type { BeloteWords } from './words'

export const keyRows = (w: BeloteWords, hidden = false): [string, string][] => [
  ['← → ↑ ↓', w.b('kArrows')],
  ['Enter', w.t('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ...(hidden ? [['a', w.t('kAsk')] as [string, string]] : []),
  ['b', w.t('kBest')],
  ['v', w.t('kValues')],
  ['s', w.t('kScore')],
  ['t', w.t('kTrick')],
  ['n, p', w.t('kMistake')],
  ['m', w.t('kMode')],
  ['/', w.t('kField')],
  ['?', w.t('kHelp')],
]
