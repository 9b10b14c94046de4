// Names functions and files of TypeScript that are too long to be read at once: node lengths.mjs FOLDER…
//
// A function above 120 lines, or a file above 400, is a finding, and the exit status is 1. What a function contains counts, other functions too.
// Those in longer.json were longer before: they may not grow, and leave the list when they are short enough.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const [ofFunction, ofFile] = [120, 400]
const longer = JSON.parse(readFileSync(new URL('longer.json', import.meta.url), 'utf8'))
const met = new Set()

const lineOf = (file, at) => file.getLineAndCharacterOfPosition(at).line + 1

function finding(place, name, lines, most) {
  if (lines <= most) return []
  if (name in longer) met.add(name)
  const may = longer[name] ?? most
  return lines > may ? [`${place}: ${lines} lines, at most ${may}`] : []
}

function check(folder, name) {
  const path = join(folder, name)
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = finding(path, name, file.text.trimEnd().split('\n').length, ofFile)
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const from = lineOf(file, node.getStart())
      const called = (node.name ?? node.parent.name)?.getText() ?? 'a function'
      const lines = lineOf(file, node.end) - from + 1
      found.push(...finding(`${path}:${from}: ${called}`, `${name} ${called}`, lines, ofFunction))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const found = process.argv
  .slice(2)
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => [folder, name]))
  .filter(([, name]) => /\.tsx?$/.test(name))
  .flatMap(([folder, name]) => check(folder, name))
for (const name of Object.keys(longer)) if (!met.has(name)) found.push(`longer.json: ${name} is short enough`)
for (const line of found) console.error(line)
process.exitCode = found.length > 0 ? 1 : 0
