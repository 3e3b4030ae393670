import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root, run } from './processes.ts'

// A program that imports and requires a package with a different file for each.

let folder: string
const file = (path: string) => join(folder, path)
function write(path: string, text: string): void {
  mkdirSync(dirname(file(path)), { recursive: true })
  writeFileSync(file(path), text)
}
const installed = (packages: object) => JSON.stringify({ packages })
const lead = (way: string, path: string) =>
  write('node_modules/some/package.json', JSON.stringify({ exports: { import: './imported.mjs', require: './required.cjs', [way]: path } }))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-'))
  write('package.json', '{}')
  write('node_modules/.package-lock.json', installed({ some: { version: '1.0.0' }, tool: { version: '1.0.0', dev: true } }))
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

test('files are resolved as Node resolves them, by import and by require', async () => {
  expect(await output('use.mjs')).toBe('imported required,fact')
  expect(await output('note.mjs')).toBe('imported required,fact')
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test.each(['import', 'require'])('Node does not search again for files found by %s', async way => {
  await output('note.mjs')
  lead(way, './other.cjs')
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test.each([
  ['another version was installed', 'node_modules/.package-lock.json', installed({ some: { version: '1.0.1' } })],
  ['package.json has changed', 'package.json', '{"imports":{}}'],
  ['the notes were cut off', '.cache/modules.json', '{"situation"'],
  ['the notes say something else', '.cache/modules.json', 'null'],
  ['the list of installed packages was cut off', 'node_modules/.package-lock.json', '{'],
])('Node searches again if %s', async (_how, path, text) => {
  await output('note.mjs')
  lead('import', './other.cjs')
  write(path, text)
  expect(await output('use.mjs')).toBe('other required,fact')
})

test('Node does not search again in a service without the development packages', async () => {
  await output('note.mjs')
  lead('import', './other.cjs')
  write('node_modules/.package-lock.json', installed({ some: { version: '1.0.0' } }))
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test('results are not stored without a list of installed packages', async () => {
  rmSync(file('node_modules/.package-lock.json'))
  expect(await output('note.mjs')).toBe('imported required,fact')
  expect(existsSync(file('.cache'))).toBe(false)
  expect(await output('use.mjs')).toBe('imported required,fact')
})

test('the stored file is complete at every moment', async () => {
  write('.cache/modules.json', 'of an earlier build')
  linkSync(file('.cache/modules.json'), file('kept.json'))
  await output('note.mjs')
  expect(readFileSync(file('kept.json'), 'utf8')).toBe('of an earlier build')
  expect(readdirSync(file('.cache'))).toEqual(['modules.json'])
})

test('Node searches for a file that was not stored', async () => {
  await output('note.mjs')
  write('added.mjs', 'console.log("added")')
  write('program.mjs', 'import "./added.mjs"')
  expect(await output('use.mjs')).toBe('added')
})
