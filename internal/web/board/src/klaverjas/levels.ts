// The levels of the players of the server, the weakest first, and what each is worth in a seat. A test compares them with the
// levels of the engine; lab/docs/klaverjas/levels.md has the matches.

export const levels = ['beginner', 'casual', 'club', 'strong', 'master'] as const

export type Level = (typeof levels)[number]

/** Points a hand that a level makes in one seat above a master in it, at a table of club players. */
export const seatWorth: Record<Level, number> = { beginner: -30.7, casual: -23.3, club: -14.7, strong: -7.2, master: 0 }
