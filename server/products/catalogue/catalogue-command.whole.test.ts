import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockFolder } from '#server/kit/store/folder-lock.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'server/products/catalogue/catalogue-command.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: join(folder, '.data') },
  })

test('`check` prints one line for a valid folder, else each problem, and exits with 1', () => {
  cpSync(join(root, 'catalogue'), join(folder, 'mine'), { recursive: true })
  const sound = run('check', 'mine')
  const noProblem = `${join(folder, 'mine')}: 8 products, 2 business units, no problem`
  expect([sound.status, sound.stdout, sound.stderr]).toEqual([
    0,
    `${noProblem}\nNot compared with the database: there is none in ${join(folder, '.data')}.\n`,
    '',
  ])
  // A Swiss agency.
  cpSync(join(folder, 'mine'), join(folder, 'swiss'), { recursive: true })
  for (const [file, from, to] of [
    ['business-units.json', '"country": 380', '"country": 756'],
    ['taxes.json', '"380":', '"756":'],
  ] as const)
    writeFileSync(join(folder, 'swiss', file), readFileSync(join(folder, 'swiss', file), 'utf8').replace(from, to))
  const insurer = join(folder, 'swiss/insurer.json')
  writeFileSync(insurer, readFileSync(insurer, 'utf8').replace(/\n {2}"seat": [^\n]+/, ''))
  expect(run('check', 'swiss').stdout).toContain(
    '\ninsurer.json: seat is not stated; documents leave it out' +
      '\nrotta: the formats of country 756 are not known; documents, phones and postal codes are taken as typed\n',
  )
  writeFileSync(join(folder, 'mine/insurer.json'), '{\n  "brandName": "Meridia",\n}')
  rmSync(join(folder, 'mine/logos/rotta.svg'))
  const broken = run('check', 'mine')
  expect([broken.status, broken.stdout]).toEqual([1, ''])
  expect(broken.stderr.split('\n')).toEqual([
    'insurer.json: line 3, column 1: is not JSON here; expected a name in double quotes',
    'logos/rotta.svg: is missing, though business-units.json names it',
    `2 problems in ${join(folder, 'mine')}`,
    '',
  ])
  expect(run('load', 'mine')).toMatchObject({ status: 1, stderr: broken.stderr })
  expect(run('mend', 'mine')).toMatchObject({ status: 1, stderr: 'Usage: npm run catalogue -- check FOLDER | load FOLDER\n' })
})

test('`check` also shows what a load would change or refuse in the database', () => {
  const copy = join(folder, 'compared')
  cpSync(join(root, 'catalogue'), copy, { recursive: true })
  expect(run('load', 'compared').status).toBe(0)
  expect(run('check', 'compared').stdout).toContain('\nA load would change nothing.\n')

  const product = join(copy, 'products/ESS.json')
  const before = readFileSync(product, 'utf8')
  writeFileSync(product, before.replace('"azahar": 28', '"azahar": 27'))
  const changes = '\nA load would bring:\n  azahar sells ESS at 27 % commission\n'
  // Repeated, as the check must leave nothing behind.
  for (const { status, stdout } of [run('check', 'compared'), run('check', 'compared')])
    expect([status, stdout.includes(changes)]).toEqual([0, true])

  writeFileSync(product, before.replace(/(?<="upToDays": \[3, 5, 8, 10, 15, 22, 31, 45, 60, )90/, '91'))
  expect(run('check', 'compared')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('products/ESS.json: tariff.version: 2026-11.1 is loaded already with other figures'),
  })

  writeFileSync(product, before)
  const lock = lockFolder(join(folder, '.data'))
  const locked = run('check', 'compared')
  lock.release()
  expect([locked.status, locked.stdout]).toEqual([0, expect.stringContaining(`Not compared with the database: The database folder`)])
})
