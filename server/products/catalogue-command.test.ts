import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'server/products/catalogue-command.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: join(folder, '.data') },
  })

test('a sound folder is told in one line, a broken one fault by fault, and only then with exit code 1', () => {
  cpSync(join(root, 'catalogue'), join(folder, 'mine'), { recursive: true })
  const sound = run('check', 'mine')
  expect([sound.status, sound.stdout, sound.stderr]).toEqual([0, `${join(folder, 'mine')}: 8 products, 2 business units, no fault\n`, ''])
  writeFileSync(join(folder, 'mine/insurer.json'), '{\n  "brandName": "Meridia",\n}')
  rmSync(join(folder, 'mine/logos/rotta.svg'))
  const broken = run('check', 'mine')
  expect([broken.status, broken.stdout]).toEqual([1, ''])
  expect(broken.stderr.split('\n')).toEqual([
    'insurer.json: line 3, column 1: is not JSON here; expected a name in double quotes',
    'logos/rotta.svg: is missing, though business-units.json names it',
    `2 faults in ${join(folder, 'mine')}`,
    '',
  ])
  expect(run('load', 'mine')).toMatchObject({ status: 1, stderr: broken.stderr })
  expect(run('mend', 'mine')).toMatchObject({ status: 1, stderr: 'Usage: npm run catalogue -- check FOLDER | load FOLDER\n' })
})
