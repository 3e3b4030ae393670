import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'
import type { Detail } from './documents.tsx'

const { mailOf } = await importInPage(() => import('./documents.tsx'))

const mail = (state: string, at = '2026-11-20T10:00:05.000Z', to = 'ana@example.com') => ({
  uuid: 'm1',
  at,
  to,
  subject: '',
  state,
  reason: null,
  files: [],
})
const file = (state: 'pending' | 'ready' | 'failed') => ({ uuid: 'f1', name: '', label: '', file: '', version: 1, state, current: true })
const sold: Detail = { purchasedAt: '2026-11-20T10:00:00.000Z', mailTo: 'ana@example.com', files: [file('ready')], mails: [] }
const beforeSale = mail('sent', '2026-11-20T09:00:00.000Z', 'quote@example.com')
const resent = mail('sent', '2026-11-21T10:00:00.000Z', 'other@example.com')

test.each<[string, Partial<Detail>, string, string]>([
  ['that is not queued yet', {}, 'due', 'ana@example.com'],
  ['that is queued', { mails: [mail('queued')] }, 'queued', 'ana@example.com'],
  ['that left', { mails: [mail('sent')] }, 'sent', 'ana@example.com'],
  ['that left to an address other than the form’s', { mails: [mail('sent', undefined, 'b@example.com')] }, 'sent', 'b@example.com'],
  ['that was refused', { mails: [mail('refused')] }, 'refused', 'ana@example.com'],
  ['that was followed by another one', { mails: [resent, mail('refused')] }, 'refused', 'ana@example.com'],
  ['after that of the quote', { mails: [beforeSale] }, 'due', 'ana@example.com'],
  ['to a policyholder without an address', { mailTo: null }, 'none', ''],
  ['whose documents could not be made', { files: [file('ready'), file('failed')] }, 'none', ''],
])('the email of a sale %s', (_, changes, state, to) => expect(mailOf({ ...sold, ...changes })).toEqual({ state, to }))

test('the email of a sale is unknown until the policy is read', () => expect(mailOf(undefined)).toBeUndefined())
