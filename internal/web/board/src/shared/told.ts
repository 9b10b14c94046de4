// Which state of a page a sentence is about.

/** What was said, and the state of the page of which it was said. */
export interface Told<S> {
  said: S
  about: unknown
}

/** What is known to be said after a render: a new sentence is about the state that is shown with it. */
export const told = <S>(before: Told<S> | null, said: S, about: unknown): Told<S> =>
  before?.said === said ? before : { said, about }

/** The state of a game that a sentence is about: it changes with each act, hand and game. */
export const gameState = (s: { id: string; number: number; acts: number } | null): string =>
  s ? `${s.id} ${s.number} ${s.acts}` : ''
