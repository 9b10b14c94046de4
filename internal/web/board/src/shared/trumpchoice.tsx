// The choice of a trump suit, as buttons.

import { SuitIcon } from './art'
import type { Suit } from './cards'
import { useWords } from './frame'

/** Suits to choose from. none is what having no trump is called, where that can be chosen. */
export function TrumpChoice<T extends Suit | null>({
  suits,
  trump,
  none,
  change,
}: {
  suits: readonly Suit[]
  trump: T
  none?: string
  change(t: T): void
}) {
  const w = useWords()
  const button = (id: string, of: Suit | null, name: string) => (
    <button
      type="button"
      key={id}
      id={'trump-' + id}
      aria-pressed={trump === of}
      aria-label={name}
      title={name}
      onClick={() => change(of as T)}>
      {of ? <SuitIcon suit={of} /> : '∅'}
    </button>
  )
  return (
    <div class="segments trump" role="group" aria-label={w.t('trump')}>
      <span class="lead-in" aria-hidden="true">
        {w.t('trump')}
      </span>
      {suits.map((s) => button(s, s, w.suit(s)))}
      {none && button('N', null, none)}
    </div>
  )
}
