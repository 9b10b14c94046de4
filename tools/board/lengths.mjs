// Names functions and files of TypeScript that are too long to be read at once: node lengths.mjs FOLDER…
//
// A function above 120 lines, or a file above 400, is a finding, and the exit status is 1. What a function contains counts, other functions too.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const [ofFunction, ofFile] = [120, 400]

const lineOf = (file, at) => file.getLineAndCharacterOfPosition(at).line + 1

const finding = (place, lines, most) => (lines > most ? [`${place}: ${lines} lines, at most ${most}`] : [])

function check(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = finding(path, file.text.trimEnd().split('\n').length, ofFile)
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const from = lineOf(file, node.getStart())
      const called = (node.name ?? node.parent.name)?.getText() ?? 'a function'
      found.push(...finding(`${path}:${from}: ${called}`, lineOf(file, node.end) - from + 1, ofFunction))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const found = process.argv
  .slice(2)
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((path) => /\.tsx?$/.test(path))
  .flatMap(check)
for (const line of found) console.error(line)
process.exitCode = found.length > 0 ? 1 : 0
