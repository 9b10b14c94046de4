// The vectors of testdata, which the engine of the server is tested with too.

import { readFileSync } from 'node:fs'

/** The lines of a file in testdata. The tests run in the root of the repository. */
export function vectors<T>(name: string): T[] {
  const lines = readFileSync('testdata/' + name, 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}

/** Values before and after are equal; the message has the vector. */
export const at = (file: string, i: number, more = ''): string => `${file}, line ${i + 1}${more && ', ' + more}`
