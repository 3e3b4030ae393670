import { describe, expect, it, test } from 'vitest'
import { type ConfigProblem, readConfig } from './config.ts'

const sender = { MAIL_FROM: 'Viajes <no-reply@viajes.test>' }

const problemsOf = (environment: Record<string, string | undefined>): ConfigProblem[] => {
  const read = readConfig(environment)
  return Array.isArray(read) ? read : []
}

const namesOf = (environment: Record<string, string | undefined>) => problemsOf(environment).map(({ name }) => name)

test('without settings the service is the demo on port 3000 of this machine', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: '.data',
    demo: true,
    production: false,
    LOG_LEVEL: 'info',
  })
})

test('an empty value counts as absent', () => {
  expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ PORT: 3000 })
})

test('a former name sets the setting unless the new name does', () => {
  expect(readConfig({ PAPERS_WAIT_MS: '7' })).toMatchObject({ DOCUMENTS_WAIT_MS: 7 })
  expect(readConfig({ PAPERS_WAIT_MS: '7', DOCUMENTS_WAIT_MS: '8' })).toMatchObject({ DOCUMENTS_WAIT_MS: 8 })
})

test('every wrong value is named with the expected one', { tags: 'S2.16' }, () => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_POOL: 'many',
    LOG_LEVEL: 'loud',
    NODE_ENV: 'live',
    DATABASE_URL: 'mysql://x',
    SMTP_URL: 'http://x',
    PUBLIC_URL: 'portal.example',
    METRICS_TOKEN: 'short',
    DEFAULT_LOCALE: 'de-DE',
    DEMO: 'perhaps',
  })
  expect(Object.fromEntries(problems.map(({ name, problem }) => [name, problem]))).toEqual({
    PORT: 'must be at most 65535',
    DATABASE_POOL: 'must be a whole number',
    LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
    NODE_ENV: 'must be one of development, test, production',
    DATABASE_URL: 'must be a URL starting with postgres:// or postgresql://',
    SMTP_URL: 'must be a URL such as smtp://user:password@mail.example:587',
    PUBLIC_URL: 'must be an origin such as https://portal.example, without a path',
    METRICS_TOKEN: 'must have at least 16 characters',
    DEFAULT_LOCALE: 'must be one of the five languages, such as es-ES',
    DEMO: 'must be one of true, false, 1, 0',
  })
})

test('contradictions are named together with wrong values, unless they follow from one', () => {
  expect(namesOf({ PORT: 'x', AUTH_HOST_URL: 'https://a.example', OIDC_CLIENT_ID: 'x' })).toEqual([
    'PORT',
    'AUTH_HOST_JWKS',
    'OIDC_ISSUER',
    'OIDC_ISSUER',
  ])
  expect(namesOf({ NODE_ENV: 'production', PUBLIC_URL: 'portal', DEMO: 'true' })).toEqual(['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'DEMO'])
})

test.each([
  { PUBLIC_URL: 'https://portal.example/shop' },
  { PUBLIC_URL: 'https://user@portal.example' },
  { DATABASE_URL: 'postgres:' },
  { OIDC_ISSUER: 'https:issuer' },
  { REDIRECT_ORIGINS: 'ftp://shop.example' },
  { REDIRECT_ORIGINS: 'https://shop.example/' },
])('%j is refused as an address', environment => {
  const [name = ''] = Object.keys(environment)
  expect(namesOf(environment)).toContain(name)
})

describe('a contradiction between settings is refused', () => {
  test.each([
    [{ AUTH_HOST_URL: 'https://a.example' }, 'AUTH_HOST_JWKS'],
    [{ AUTH_HOST_JWKS: 'https://a.example/jwks' }, 'AUTH_HOST_URL'],
    [{ OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'x' }, 'OIDC_ISSUER'],
    [{ REDIRECT_ORIGINS: 'https://shop.example, https://shop.example/path' }, 'REDIRECT_ORIGINS'],
    [{ NODE_ENV: 'production', ...sender, SMTP_URL: 'smtp://mail.example' }, 'PUBLIC_URL'],
    [{ NODE_ENV: 'production', ...sender, PUBLIC_URL: 'https://portal.example' }, 'SMTP_URL'],
  ])('%j', (environment, name) => expect(namesOf(environment)).toEqual([name]))
})

test.each(['', 'Portolan <no-reply@portolan.example>', 'sales@EXAMPLE.com', 'sales@agency.example.org'])(
  'production refuses the example sender “%s”',
  MAIL_FROM => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://portal.example', SMTP_URL: 'smtp://mail.example', MAIL_FROM }
    expect(namesOf(production)).toEqual(['MAIL_FROM'])
    expect(namesOf({ MAIL_FROM })).toEqual([])
    expect(namesOf({ ...production, MAIL_FROM: 'sales@example-travel.test' })).toEqual([])
  },
)

test('production does not seed the demo by default', () => {
  const config = readConfig({ NODE_ENV: 'production', ...sender, PUBLIC_URL: 'https://portal.example', SMTP_URL: 'smtp://mail.example' })
  expect(config).toMatchObject({ production: true, demo: false })
})

test('a quota has a limit for each user and one for the unit', () => {
  expect(readConfig({ QUOTES_PER_MINUTE: '5/50' })).toMatchObject({
    QUOTES_PER_MINUTE: { user: 5, unit: 50 },
    EXPORTS_PER_MINUTE: { user: 60, unit: 200 },
  })
  for (const wrong of ['5', '5/', '/5', '5/50/500', '0/50', '5/0', 'five/50', '-5/50', '5.5/50'])
    expect(namesOf({ QUOTES_PER_MINUTE: wrong }), wrong).toEqual(['QUOTES_PER_MINUTE'])
  // One call sends to up to ten addresses.
  expect(namesOf({ MAILS_PER_MINUTE: '9/100' })).toEqual(['MAILS_PER_MINUTE'])
})

describe('production', () => {
  const production = { NODE_ENV: 'production', ...sender, PUBLIC_URL: 'https://portal.example', SMTP_URL: 'smtp://mail.example' }
  const host = { AUTH_HOST_URL: 'https://a.example', AUTH_HOST_JWKS: 'https://a.example/jwks' }
  const oidc = { OIDC_ISSUER: 'http://a.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }

  it.each<[what: string, environment: Record<string, string>, names: string[]]>([
    ['the demo, whose password is public', { DEMO: 'true' }, ['DEMO']],
    ['the demo switched off', { DEMO: 'false' }, []],
    ['a portal without https', { PUBLIC_URL: 'http://portal.example' }, ['PUBLIC_URL']],
    ['the same in capitals', { PUBLIC_URL: 'HTTP://portal.example' }, ['PUBLIC_URL']],
    ['a host that only looks like this machine', { PUBLIC_URL: 'http://127.0.0.1.portal.example' }, ['PUBLIC_URL']],
    ['a portal on this machine without https', { PUBLIC_URL: 'http://127.0.0.1:3000' }, []],
    ['a sign-in host without https', { ...host, AUTH_HOST_URL: 'http://a.example' }, ['AUTH_HOST_URL']],
    ['keys without https', { ...host, AUTH_HOST_JWKS: 'http://a.example/jwks' }, ['AUTH_HOST_JWKS']],
    ['an issuer without https', oidc, ['OIDC_ISSUER']],
    ['the embedded database', { DATA_DIR: '/var/lib/portolan' }, []],
  ])('checks %s', (_, environment, names) => expect(namesOf({ ...production, ...environment })).toEqual(names))

  it('reports a problem in one line', () =>
    expect(problemsOf({ ...production, DEMO: 'true' })).toEqual([
      { name: 'DEMO', problem: 'cannot be in production: everybody knows the password of its users' },
    ]))

  it.each([{ DEMO: 'true' }, { PUBLIC_URL: 'http://portal.example' }, oidc])('alone refuses %j: development accepts it', environment =>
    expect(namesOf(environment)).toEqual([]),
  )
})

test.each(['smtp://mail.example', 'smtps://mail.example:465', 'smtp://portal:p%40ss%25@mail.example:587', 'smtp://[::1]:25'])(
  'the mail server %s is accepted',
  url => {
    expect(problemsOf({ SMTP_URL: url })).toEqual([])
  },
)

test.each(['mail.example:25', 'smtp:', 'smtp://', 'http://mail.example', 'smtp://portal:50%@mail.example'])(
  'the mail server %s is refused',
  url => {
    expect(namesOf({ SMTP_URL: url })).toEqual(['SMTP_URL'])
  },
)

test('the sender of mail is exactly one address', () => {
  for (const sender of ['no-reply@agency.example', 'Agency <no-reply@agency.example>'])
    expect(problemsOf({ MAIL_FROM: sender })).toEqual([])
  for (const sender of ['Agency', 'a@x.example, b@x.example', 'A\r\nBcc: e@e.example <a@x.example>'])
    expect(namesOf({ MAIL_FROM: sender })).toEqual(['MAIL_FROM'])
})

test('production with a database server requires a valid SECRETS_KEY', () => {
  const production = { NODE_ENV: 'production', ...sender, PUBLIC_URL: 'https://portal.example', SMTP_URL: 'smtps://mail.example' }
  const [key, other] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64'))
  expect(readConfig({ SECRETS_KEY: `${key}, ${other}` })).toMatchObject({ SECRETS_KEY: [key, other] })
  for (const wrong of ['secret', `${key},x`, ',', Buffer.alloc(31).toString('base64')])
    expect(problemsOf({ SECRETS_KEY: wrong })).toEqual([
      { name: 'SECRETS_KEY', problem: 'must be 32 bytes in base64: openssl rand -base64 32' },
    ])
  expect(namesOf({ ...production, DATABASE_URL: 'postgres://database.example/portolan' })).toEqual(['SECRETS_KEY'])
  expect(namesOf(production)).toEqual([])
})

describe('the settings of card payments', () => {
  const test = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }
  const live = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_PUBLISHABLE_KEY: 'pk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789' }
  const production = {
    NODE_ENV: 'production',
    ...sender,
    PUBLIC_URL: 'https://portal.example',
    SMTP_URL: 'smtps://mail.example',
    DATABASE_URL: 'postgres://database.example/portolan',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  }

  it.each<[what: string, environment: Record<string, string>, names: string[]]>([
    ['test keys outside production', test, []],
    ['live keys in production', { ...production, ...live }, []],
    ['production without cards', production, []],
    ['one key alone', { STRIPE_SECRET_KEY: 'sk_test_x' }, ['STRIPE_PUBLISHABLE_KEY']],
    ['a live and a test key', { ...production, ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, ['STRIPE_PUBLISHABLE_KEY']],
    ['a test and a live key', { ...test, STRIPE_PUBLISHABLE_KEY: 'pk_live_x' }, ['STRIPE_PUBLISHABLE_KEY']],
    ['test keys in production', { ...production, ...test }, ['STRIPE_SECRET_KEY']],
    ['live keys in a trial', { ...live, DATABASE_URL: production.DATABASE_URL }, ['STRIPE_SECRET_KEY']],
    ['live keys on the embedded database', { ...production, ...live, DATABASE_URL: '' }, ['STRIPE_SECRET_KEY']],
    ['live keys without a webhook', { ...production, ...live, STRIPE_WEBHOOK_SECRET: '' }, ['STRIPE_WEBHOOK_SECRET']],
    ['live keys with another API address', { ...production, ...live, STRIPE_API_URL: 'http://127.0.0.1:1' }, ['STRIPE_API_URL']],
    [
      'two values that are not keys',
      { STRIPE_SECRET_KEY: 'secret', STRIPE_PUBLISHABLE_KEY: 'public' },
      ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    ],
  ])('are checked: %s', (_, environment, names) => expect(namesOf(environment)).toEqual(names))
})
