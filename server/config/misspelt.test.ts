import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#server/config.ts'
import { misspelt } from './misspelt.ts'

const around = (...names: string[]) => misspelt(settingNames, [], names)

test.each([
  ['DATABASE_POOLL', 'DATABASE_POOL'],
  ['DATABASE_URl', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['STRIPE_WEBHOK_SECRET', 'STRIPE_WEBHOOK_SECRET'],
  ['SECRETS_KEY_FIL', 'SECRETS_KEY_FILE'],
])('%s in the environment is refused, and named as %s', (wrong, right) => {
  expect(around(wrong)).toEqual({ refused: [{ name: wrong, fault: `is no setting: did you mean ${right}?` }], warned: [] })
})

test.each([
  ['DATABASE_POOL_SIZE', 'DATABASE_POOL'],
  ['DATABASE_PORT', 'DATABASE_POOL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATA_DIRS', 'DATA_DIR'],
])('%s, which may be a program’s own, is said and stops nobody', (name, right) => {
  expect(around(name)).toEqual({ refused: [], warned: [{ name, fault: `is no setting: did you mean ${right}?` }] })
})

test('a setting under its former name is accepted with a warning', () => {
  const warned = [{ name: 'PAPERS_WAIT_MS', fault: 'is now called DOCUMENTS_WAIT_MS; the old name ends with the next release' }]
  expect(around('PAPERS_WAIT_MS')).toEqual({ refused: [], warned })
  expect(misspelt(settingNames, ['PAPERS_WAIT_MS'], ['PAPERS_WAIT_MS'])).toEqual({ refused: [], warned })
})

test('foreign variables are no matter', () => {
  const foreign = [
    'PORTAL',
    'HOSTNAME',
    'PORTS',
    'HOSTS',
    'DEMOS',
    'PATH',
    'NODE_PATH',
    'NODE_OPTIONS',
    'HTTP_URL',
    'SMTP_USER',
    'PGHOST',
    'LANG',
  ]
  expect(around(...foreign, ...settingNames, 'DATABASE_URL_FILE')).toEqual({ refused: [], warned: [] })
})

test('in .env every unknown name is refused, with the likeliest right one where there is one', () => {
  const { refused } = misspelt(settingNames, ['PORTT', 'DATABASE_POOL_SIZE', 'STRIPE_KEY', 'FAVOURITE_COLOUR', 'PORT'], ['PORTT', 'PORT'])
  expect(refused.map(({ name, fault }) => `${name} ${fault}`)).toEqual([
    'PORTT in .env is no setting: did you mean PORT?',
    'DATABASE_POOL_SIZE in .env is no setting: did you mean DATABASE_POOL?',
    expect.stringMatching(/^STRIPE_KEY in \.env is no setting/),
    'FAVOURITE_COLOUR in .env is no setting: .env.example lists all',
  ])
})

test.each(['server/main.ts', 'server/database/backup-command.ts', 'server/products/catalogue/catalogue-command.ts'])(
  '%s ends with it',
  program => {
    const root = join(import.meta.dirname, '../..')
    const given = program.includes('catalogue') ? ['load', 'catalogue'] : ['backup', '/nowhere/copy']
    const run = () =>
      execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...given], {
        env: { PATH: process.env['PATH'], DATA_DIR: '/nowhere', DATABASE_POOLL: '5' },
        stdio: 'pipe',
        encoding: 'utf8',
      })
    expect(run).toThrow('The configuration is not usable:\n  DATABASE_POOLL is no setting: did you mean DATABASE_POOL?\n')
  },
)
