// Names files of TypeScript that import each other, directly or through others: node circles.mjs FOLDER…
//
// A circle is a finding, and the exit status is 1. Imports of types count. Parts that are loaded later do not: they may use what loads them.

import { readFileSync, readdirSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import ts from 'typescript'

/** The files that a file imports, of those that there are. */
function importsOf(path, files) {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'))
  const later = new Set([...readFileSync(path, 'utf8').matchAll(/import\('([^']+)'\)/g)].map(([, name]) => name))
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') && !later.has(name))
    .flatMap((name) => ['.ts', '.tsx'].map((end) => normalize(join(path, '..', name)) + end))
    .filter((file) => files.has(file))
}

/** The circles of a folder, each once: those on which a walk over the imports comes back to where it is. */
function circlesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.tsx?$/.test(name))
  const files = new Set(names.map((name) => join(folder, name)))
  const found = []
  const done = new Set()
  const visit = (file, way) => {
    if (way.includes(file)) return found.push([...way.slice(way.indexOf(file)), file])
    if (done.has(file)) return
    for (const next of importsOf(file, files)) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found.map((way) => way.map((file) => relative(folder, file)).join(' -> '))
}

const found = process.argv.slice(2).flatMap((folder) => circlesIn(folder).map((way) => `${folder}: circle: ${way}`))
for (const line of found) console.error(line)
process.exitCode = found.length > 0 ? 1 : 0
