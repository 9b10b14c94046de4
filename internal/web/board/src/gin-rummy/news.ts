// What is read aloud after an act.

import { askText, eventText } from './say'
import type { Session } from './state'
import type { GinWords } from './words'

/** What has happened in a round since a session that was told, and what comes next: one text. */
export function news(w: GinWords, s: Session, before: Session | null): string {
  const { events } = s.view
  const from = before?.id === s.id && before.number === s.number ? before.view.events.length : 0
  return [...events.slice(from).map((e) => eventText(w, e)), askText(w, s)].join(' ')
}
