// The page of Nim: a session against the program, with a button for each object, which takes it and those before it in its pile.
import { type Plain, showPlain } from '../../internal/web/board/src/shared/plain'

type Move = { pile: number; take: number }
type Session = Plain<Move> & { piles: number[] }

await showPlain<Move, Session, { piles: number[] }>({
  name: 'nim',
  starts: { '3, 4, 5': { piles: [3, 4, 5] }, '1, 3, 5, 7': { piles: [1, 3, 5, 7] } },
  texts: {
    en: {
      title: 'Nim',
      help: 'Take any number from one pile. Who takes the last one wins.',
      move: '{take} from pile {pile}',
    },
    nl: {
      title: 'Nim',
      help: 'Neem er zoveel je wilt van één stapel. Wie de laatste neemt, wint.',
      move: '{take} van stapel {pile}',
    },
  },
  move: ({ pile, take }) => ({ pile: pile + 1, take }),
  won: (s) => s.moves.length % 2 === 1,
  rows(s, moves) {
    const piles = [...s.piles]
    for (const m of s.moves.slice(moves)) piles[m.pile]! += m.take
    return piles.map((size, pile) => Array.from({ length: size }, (_, i) => ({ pile, take: i + 1 })))
  },
})
