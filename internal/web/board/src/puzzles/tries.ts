// The tries at a puzzle: the cards that were chosen, the hint, and the answers of the server.

import { useRef, useState } from 'preact/hooks'
import { useAnswer } from '../shared/answers'
import type { Puzzle, Solution } from './puzzle'
import { type Tries, progressOf } from './solving'

const none = () => undefined

/** The tries at a puzzle, and what the server says of them. */
export function useTries(puzzle: Puzzle) {
  const path = `/v1/klaverjas/puzzles/${puzzle.id}`
  const [tried, setTried] = useState<string[]>([])
  const [hinted, setHinted] = useState(-1) // the place of the decision with the last hint
  const [stopped, stop] = useState(false)
  const text = tried.join()
  const reply = useAnswer<Tries>(text, `${path}/answer?cards=${text}`, none)
  const known = useRef<Tries | undefined>(undefined)
  known.current = reply.value ?? known.current
  const progress = progressOf(known.current, hinted >= 0, stopped)
  const asks = progress.over || hinted >= 0
  const answer = useAnswer<Solution>(asks ? puzzle.id : '', path + '/solution', none)
  return {
    tries: known.current,
    ...progress,
    /** Whether the server is asked about a card. */
    waits: text !== '' && !reply.value,
    reply,
    answer,
    solution: asks ? answer.value : undefined,
    hinted,
    hint: () => setHinted(progress.at),
    stop: () => stop(true),
    tryCard: (card: string) => setTried([...tried, card]),
  }
}

export type Solving = ReturnType<typeof useTries>
