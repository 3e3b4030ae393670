import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root, run } from './processes.ts'

// A program imports and requires a package, which has another file for each.

let folder: string
const file = (path: string) => join(folder, path)
function write(path: string, text: string): void {
  mkdirSync(dirname(file(path)), { recursive: true })
  writeFileSync(file(path), text)
}
const lead = (way: string, path: string) =>
  write('node_modules/some/package.json', JSON.stringify({ exports: { import: './imported.mjs', require: './required.cjs', [way]: path } }))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-'))
  write('node_modules/.package-lock.json', '{}')
  write('node_modules/some/imported.mjs', 'export default "imported"')
  write('node_modules/some/required.cjs', 'module.exports = "required"')
  write('node_modules/some/other.cjs', 'module.exports = "other"')
  lead('import', './imported.mjs')
  write('facts.json', '{"some":"fact"}')
  write('both.cjs', 'exports.required = [require("some"), require("./facts.json").some].join()\nexports.imported = () => import("some")')
  write('all.cjs', 'module.exports = require("./both.cjs")')
  write('program.mjs', 'import all from "./all.cjs"\nconsole.log((await all.imported()).default, all.required)')
  const known = JSON.stringify(join(root, 'tools/known-modules.mjs'))
  const here = 'new URL("./", import.meta.url).href'
  write('note.mjs', `import { noteFound } from ${known}\nconst write = noteFound(${here})\nawait import("./program.mjs")\nwrite()`)
  write('use.mjs', `import { useKnown } from ${known}\nuseKnown(${here})\nawait import("./program.mjs")`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const output = async (script: string) => (await run(process.execPath, [file(script)])).output.trim()

test('files are found as Node finds them, by import and by require', async () => {
  expect(await output('use.mjs')).toBe('imported required,fact')
  expect(await output('note.mjs')).toBe('imported required,fact')
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test.each(['import', 'require'])('Node is not asked again for what it found by %s', async way => {
  await output('note.mjs')
  lead(way, './other.cjs')
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test('Node is asked again after packages were installed', async () => {
  await output('note.mjs')
  lead('import', './other.cjs')
  utimesSync(file('node_modules/.package-lock.json'), 1, 1)
  expect(await output('use.mjs')).toBe('other required,fact')
})

test('Node is asked for a file that was not known', async () => {
  await output('note.mjs')
  write('added.mjs', 'console.log("added")')
  write('program.mjs', 'import "./added.mjs"')
  expect(await output('use.mjs')).toBe('added')
})
