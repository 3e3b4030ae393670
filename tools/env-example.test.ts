import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from '#server/config.ts'

const root = join(import.meta.dirname, '..')
const lines = readFileSync(join(root, '.env.example'), 'utf8').split('\n')
const given = lines
  .filter(line => /^[A-Z]/.test(line))
  .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)

test('the example lists every setting, and none that is not', () => {
  expect(given.map(([name]) => name).toSorted()).toEqual([...settingNames].toSorted())
})

test('its values are the defaults', () => {
  expect(readConfig(Object.fromEntries(given))).toEqual(readConfig({}))
})

test('the operations page describes every setting', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  expect(settingNames.filter(name => !page.includes(`\`${name}\``))).toEqual([])
})
