import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAudit } from '#common/administration/schemas/audit.ts'
import { changeUnit } from '#common/administration/schemas/unit.ts'
import { importInPage } from '#portal/kit/testing.ts'
import type { Saying } from './detail-words.ts'

const [{ actionWords }, { currencyIn, detailName, detailText, reasonProblem }] = await importInPage(() =>
  Promise.all([import('./actions.tsx'), import('./detail-words.ts')]),
)

const server = join(import.meta.dirname, '../../../server')
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map(name => readFileSync(join(server, name), 'utf8'))

test('every audited action of the service has a sentence', () => {
  const actions = sources.flatMap(source => [...source.matchAll(/\baction(?::| =) '([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action))
  expect(actions.length).toBeGreaterThan(50)
  // Actions are audited under the name of their event: `policy.${what}` (server/changes/movement.ts).
  const [, events = ''] =
    /const events: Record<MovementKind, string> = \{([^}]+)\}/.exec(readFileSync(join(server, 'changes/movement.ts'), 'utf8')) ?? []
  const forms = [...events.matchAll(/: '([a-z_]+)'/g)].map(([, what]) => `policy.${what}`)
  expect(forms).toContain('policy.cancelled')
  actions.push(...forms)
  const wordless = actions.filter(action => actionWords(action, () => 'a sentence') === action)
  expect(wordless).toEqual([])
})

test('a refused call is named by its part of the portal, else by its path', () => {
  const words = (id: string, params?: object) => [id, ...Object.values(params ?? {})].join(' ')
  expect(
    [
      'POST /api/policy/list',
      'GET /policies/saved/_payload.json',
      'POST /api/tickets/claims',
      'PUT /api/administration/units',
      'GET /dev/x',
    ].map(code => actionWords(code, words)),
  ).toEqual(
    ['shell.menu.policies', 'shell.menu.budget', 'shell.menu.claims', 'shell.menu.administration', '/dev/x'].map(
      what => `administration.did_refused_call ${what}`,
    ),
  )
})

/** Returns the keys of an object literal at its top level, without nested ones. */
function keysIn(text: string): string[] {
  let [depth, own] = [0, '']
  for (const sign of text) {
    if ('{[('.includes(sign)) depth++
    if (depth === 1 && !'{[('.includes(sign)) own += sign
    if ('}])'.includes(sign) && --depth === 0) break
  }
  return own.split(',').flatMap(part => /^\s*(\w+)\s*(?::|\}|$)/.exec(part)?.[1] ?? [])
}

test('every detail that the service can audit has a name', () => {
  const written = sources.flatMap(source =>
    [...source.matchAll(/\bdetails(?::| =) (?=\{)/g)].flatMap(({ index, 0: found }) => keysIn(source.slice(index + found.length))),
  )
  expect(written).toEqual(expect.arrayContaining(['seen', 'sessionsEnded', 'withdrawalUuid']))
  // Some entries audit a whole object: the filters of lists, and the settings of an agency.
  const source = readFileSync(join(server, 'policies/list/filter.ts'), 'utf8')
  const filter = source.slice(source.indexOf('auditedFilter'))
  const filters = [...filter.matchAll(/given\('(\w+)'|\{ (\w+): /g)].map(([, given, literal]) => given ?? literal ?? '')
  expect(filters).toContain('returnFrom')
  const searched = Object.keys(listAudit.request.def.shape)
  const settings = Object.keys(changeUnit.request.def.shape)
  const keys = [...written, ...filters, ...searched, ...settings].filter(key => !['perPage', 'version', 'uuid'].includes(key))
  expect([...new Set(keys)].filter(key => detailName(key, () => 'a name') !== 'a name')).toEqual([])
})

test('details and reasons are shown in words, and a text that is not a code is kept', () => {
  const words = (id: string, params?: object) => [id, ...Object.values(params ?? {})].join(' ')
  const languages = { 'en-EN': 'English', 'es-ES': 'Español', 'fr-FR': 'Français', 'it-IT': 'Italiano', 'pt-PT': 'Português' }
  const saying: Saying = { words, locale: 'es-ES', moment: instant => `the moment ${instant}`, languages }
  expect(
    [true, null, '2027-02-03', ['seller', 'Ana'], { before: 'Deferred', after: null }, { street: 'Mayor 1' }, []].map(value =>
      detailText('roles', value, saying),
    ),
  ).toEqual([
    'administration.yes',
    '—',
    '03/02/2027',
    'administration.role_seller, Ana',
    'administration.gateway_deferred → —',
    'administration.detail_part administration.street Mayor 1',
    '—',
  ])
  expect(
    (
      [
        ['address', { country: 724 }],
        ['country', { before: 724, after: 380 }],
        ['locale', { before: 'es-ES', after: null }],
        ['what', 'policy.seen'],
        ['subscriber', 'mail.send'],
        ['fields', ['address.country', 'logo']],
        ['heldSince', '2026-07-01T10:00:00.000Z'],
        ['to', 'in_progress'],
        ['kind', 'credit_note'],
        ['accent', '#b4532a'],
        ['from', 250],
      ] as const
    ).map(([key, value]) => detailText(key, value, saying)),
  ).toEqual([
    'administration.detail_part administration.country España',
    'España → Italia',
    'Español → —',
    'administration.did_policy_seen',
    'administration.job_mail_send',
    'administration.address · administration.country, administration.value_logo',
    'the moment 2026-07-01T10:00:00.000Z',
    'administration.value_in_progress',
    'administration.value_credit_note',
    '#b4532a',
    '250',
  ])
  // In an entry with a currency, amounts are shown as money.
  const inEuro = { ...saying, currency: currencyIn({ amount: 33.7, currency: 'EUR' }) }
  const detail = (key: string, value: unknown, as: Saying) => detailText(key, value, as).replaceAll('\u00a0', ' ')
  expect([detail('amount', 33.7, inEuro), detail('amount', 'x', inEuro), detail('amount', 33.7, saying)]).toEqual(['33,70 €', 'x', '33.7'])
  expect([detail('currency', 'EUR', inEuro), detail('currency', 'x', inEuro)]).toEqual(['euro (EUR)', 'x'])
  expect([currencyIn(null), currencyIn({ amount: 3 })]).toEqual([undefined, undefined])
  const said = (reason: string, action = 'policy.seen') => reasonProblem({ action, reason })?.key
  expect(said('session.forbidden b2b-products-sell')).toBe('refusal.session.forbidden')
  expect([said('unpaid invoices'), said('OidcError', 'session.oidc'), said('unknown'), said('request.too_many')]).toEqual([
    undefined,
    'administration.reason_external',
    'administration.reason_unknown',
    'administration.reason_too_many',
  ])
})
