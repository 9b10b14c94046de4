// The keys of the page, for its help.

import type { TarokWords } from './words'

export const keyRows = (w: TarokWords): [string, string][] => [
  ['← → ↑ ↓', w.b('kArrows')], ['Enter', w.b('kEnter')], ['Backspace, Shift ←', w.t('kBack')], ['Shift →', w.t('kRedo')], ['Home, End', w.t('kEnds')], ['b', w.t('kBest')],
  ['v', w.t('kValues')], ['s', w.t('kScore')], ['t', w.t('kTrick')], ['m', w.t('kMode')], ['/', w.t('kField')], ['?', w.t('kHelp')],
]
