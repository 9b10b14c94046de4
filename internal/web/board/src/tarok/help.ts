// The keys of the page, for its help.

import type { TarokWords } from './words'

/** The keys of the open mode. */
export const keyRows = (w: TarokWords): [string, string][] => [
  ['← → ↑ ↓', w.b('kArrows')],
  ['Enter', w.b('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ['b', w.t('kBest')],
  ['v', w.t('kValues')],
  ['s', w.t('kScore')],
  ['t', w.t('kTrick')],
  ['m', w.t('kMode')],
  ['/', w.t('kField')],
  ['?', w.t('kHelp')],
]

/** The keys of the hidden mode. */
export const hiddenKeyRows = (w: TarokWords): [string, string][] => [
  ['← →', w.b('kArrowsHidden')],
  ['Enter', w.b('kEnter')],
  ['Backspace, Shift ←', w.t('kBack')],
  ['Shift →', w.t('kRedo')],
  ['Home, End', w.t('kEnds')],
  ['n, p', w.t('kMistake')],
  ['a', w.t('kAsk')],
  ['b', w.b('kAdvice')],
  ['m', w.t('kMode')],
  ['?', w.t('kHelp')],
]
