import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#server/config.ts'
import { misspelt } from './misspelt.ts'

const inEnvironment = (...names: string[]) => misspelt(settingNames, [], names)

test.each([
  ['DATABASE_POOLL', 'DATABASE_POOL'],
  ['DATABASE_URl', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['STRIPE_WEBHOK_SECRET', 'STRIPE_WEBHOOK_SECRET'],
  ['SECRETS_KEY_FIL', 'SECRETS_KEY_FILE'],
])('%s in the environment is refused with the suggestion %s', (wrong, right) => {
  expect(inEnvironment(wrong)).toEqual({ refused: [{ name: wrong, problem: `is no setting: did you mean ${right}?` }], warned: [] })
})

test.each([
  ['DATABASE_POOL_SIZE', 'DATABASE_POOL'],
  ['DATABASE_PORT', 'DATABASE_POOL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATA_DIRS', 'DATA_DIR'],
])('%s may belong to another program: a warning, and the service starts', (name, right) => {
  expect(inEnvironment(name)).toEqual({ refused: [], warned: [{ name, problem: `is no setting: did you mean ${right}?` }] })
})

test('a setting under its former name is accepted with a warning', () => {
  const warned = [{ name: 'PAPERS_WAIT_MS', problem: 'is now called DOCUMENTS_WAIT_MS; the old name ends with the next release' }]
  expect(inEnvironment('PAPERS_WAIT_MS')).toEqual({ refused: [], warned })
  expect(misspelt(settingNames, ['PAPERS_WAIT_MS'], ['PAPERS_WAIT_MS'])).toEqual({ refused: [], warned })
})

test('variables of other programs are ignored', () => {
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
  expect(inEnvironment(...foreign, ...settingNames, 'DATABASE_URL_FILE')).toEqual({ refused: [], warned: [] })
})

test('every unknown name in .env is refused, with a suggestion if one is similar', () => {
  const { refused } = misspelt(settingNames, ['PORTT', 'DATABASE_POOL_SIZE', 'STRIPE_KEY', 'FAVOURITE_COLOUR', 'PORT'], ['PORTT', 'PORT'])
  expect(refused.map(({ name, problem }) => `${name} ${problem}`)).toEqual([
    'PORTT in .env is no setting: did you mean PORT?',
    'DATABASE_POOL_SIZE in .env is no setting: did you mean DATABASE_POOL?',
    expect.stringMatching(/^STRIPE_KEY in \.env is no setting/),
    'FAVOURITE_COLOUR in .env is no setting: .env.example lists all',
  ])
})

test.each(['server/main.ts', 'server/database/backup-command.ts', 'server/products/catalogue/catalogue-command.ts'])(
  '%s exits with the message about a misspelt setting',
  program => {
    const root = join(import.meta.dirname, '../..')
    const args = program.includes('catalogue') ? ['load', 'catalogue'] : ['backup', '/nowhere/copy']
    const run = () =>
      execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...args], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          DATA_DIR: '/nowhere',
          DATABASE_POOLL: '5',
        },
        stdio: 'pipe',
        encoding: 'utf8',
      })
    // The service writes it as a line of its log.
    expect(run).toThrow(/The configuration is not usable:(?:\n|\\n) {2}DATABASE_POOLL is no setting: did you mean DATABASE_POOL\?/)
  },
)
