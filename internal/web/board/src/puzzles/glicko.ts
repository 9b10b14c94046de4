// The rating of the reader, by Glicko: M. E. Glickman, Parameter estimation in large dynamic paired comparison
// experiments, Applied Statistics 48 (1999), pages 377 to 394; the formulas and the example of the tests are also on
// http://www.glicko.net/glicko/glicko.pdf. A puzzle is an opponent whose rating does not change.

/** A rating and its deviation: the rating is known to about twice as much on either side. */
export interface Rating {
  rating: number
  deviation: number
}

/**
 * The rating before the first puzzle, and the least deviation, so that a rating can always change. The paper begins with
 * a deviation of 350, with which one puzzle can change the rating by 500.
 */
export const first: Rating = { rating: 1500, deviation: 200 }
const least = 45

/** The deviation of the ratings of puzzles, which are of some 50 players of the program. */
export const ofPuzzles = 80

const q = Math.LN10 / 400
const spread = (deviation: number): number => 1 / Math.sqrt(1 + (3 * q * q * deviation * deviation) / Math.PI ** 2)

/** A rating after games against opponents. The score of a game is 1, ½ or 0. */
export function rated(own: Rating, games: readonly (Rating & { score: number })[]): Rating {
  let information = 0
  let surprise = 0
  for (const game of games) {
    const g = spread(game.deviation)
    const expected = 1 / (1 + 10 ** ((-g * (own.rating - game.rating)) / 400))
    information += q * q * g * g * expected * (1 - expected)
    surprise += g * (game.score - expected)
  }
  const variance = 1 / (1 / own.deviation ** 2 + information)
  return { rating: own.rating + q * variance * surprise, deviation: Math.max(least, Math.sqrt(variance)) }
}
