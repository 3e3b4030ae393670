import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seemsEmbedded } from './own-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seems-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (text: string): string => {
  writeFileSync(join(folder, '.env'), text)
  return join(folder, '.env')
}

test.each([
  [{ DATABASE_URL: 'postgres://127.0.0.1/portolan' }, 'PORT=0'],
  [{ DATABASE_URL_FILE: '/run/secrets/database' }, 'PORT=0'],
  [{ PORT: '0' }, 'DATABASE_URL=postgres://127.0.0.1/portolan'],
])('a database does not seem embedded if a setting names it: %o', (environment, text) => {
  expect(seemsEmbedded(environment, file(text))).toBe(false)
})

test('a database seems embedded if no setting names one', () => {
  expect(seemsEmbedded({ PORT: '0' }, join(folder, 'none'))).toBe(true)
  expect(seemsEmbedded({ PORT: '0' }, file('DATA_DIR=.data'))).toBe(true)
})
