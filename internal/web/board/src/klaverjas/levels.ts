// The levels of the players of the server, the weakest first. A test compares them with the levels of the engine.

export const levels = ['beginner', 'casual', 'club', 'strong', 'master'] as const

export type Level = (typeof levels)[number]
