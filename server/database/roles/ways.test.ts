import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Row-level security limits every query within a unit. This file lists all other queries: across units, as the service, or without a role,
// as the owner of the tables. Each was reviewed. A new one fails here, and its code must say why a unit's transaction is not enough.

const server = join(import.meta.dirname, '../..')
const way = /\b(asService|asPrivacy|atLeisureAlone|atLeisure|acrossUnits|asOwner|takeRole|alone)(?=[(<])|\.(kysely|pool|shared|ping)\b/g

function waysIn(file: string): string {
  const counts = new Map<string, number>()
  for (const [, call, field] of readFileSync(join(server, file), 'utf8').matchAll(way)) {
    const name = call ?? field ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const entries = [...counts].map(([name, count]) => `${name} ${count}`)
  return entries.toSorted().join(', ')
}

test('every query outside of a unit’s transaction is listed', () => {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !/(?:\.test\.ts|testing[\w-]*\.ts)$/.test(name),
  )
  const actual = Object.fromEntries(files.toSorted().map(file => [file.replaceAll('\\', '/'), waysIn(file)]))
  expect(Object.fromEntries(Object.entries(actual).filter(([, ways]) => ways !== ''))).toEqual(listed)
})

const listed: Record<string, string> = {
  'accounting/notices/notices.ts': 'asService 2',
  'accounting/statements/close.ts': 'asService 3',
  'administration/accounts/accounts.ts': 'acrossUnits 1',
  'administration/accounts/bookings.ts': 'acrossUnits 1',
  'administration/audit/export-audit.ts': 'acrossUnits 2',
  'administration/audit/list-audit.ts': 'acrossUnits 1',
  'administration/bank/bank.ts': 'acrossUnits 2',
  'administration/bordereau/file.ts': 'acrossUnits 2',
  'administration/bordereau/list.ts': 'acrossUnits 1',
  'administration/bordereau/prepare.ts': 'acrossUnits 1',
  'administration/bordereau/release.ts': 'acrossUnits 1',
  'administration/bordereau/sink.ts': 'asService 1',
  'administration/bordereau/write.ts': 'asService 2',
  'administration/catalogue/catalogue-versions.ts': 'acrossUnits 2',
  'administration/overview.ts': 'acrossUnits 1',
  'administration/payments/payment-reviews.ts': 'acrossUnits 2',
  'administration/units/change-offer.ts': 'acrossUnits 1',
  'administration/units/change-unit.ts': 'acrossUnits 1',
  'administration/units/create-unit.ts': 'acrossUnits 1',
  'administration/units/list-units.ts': 'acrossUnits 1',
  'administration/units/suspend-unit.ts': 'acrossUnits 2',
  'administration/units/view-unit.ts': 'acrossUnits 1',
  'administration/users/administrator.ts': 'asService 1',
  'administration/users/change-user.ts': 'acrossUnits 1',
  'administration/users/create-user.ts': 'acrossUnits 1',
  'administration/users/end-user-sessions.ts': 'acrossUnits 1',
  'administration/users/list-users.ts': 'acrossUnits 2',
  'administration/users/reset-two-factor.ts': 'acrossUnits 1',
  'administration/work/list-work.ts': 'acrossUnits 2',
  'administration/work/release.ts': 'acrossUnits 1',
  'administration/work/retry-all.ts': 'acrossUnits 1',
  'administration/work/retry.ts': 'acrossUnits 2',
  'administration/work/run-job-command.ts': 'asService 2',
  'agency/profile.ts': 'asService 1',
  'agency/users/invite.ts': 'asService 1',
  'agency/users/list.ts': 'asService 1',
  'agency/users/locked-members.ts': 'asService 1',
  'app.ts': 'shared 1',
  'changes/goodwill.ts': 'asService 1',
  'changes/offer/expire.ts': 'asService 1, shared 1',
  'client/access.ts': 'asService 2',
  'client/find.ts': 'asService 2',
  'client/serve.ts': 'asService 1',
  'database/backup.ts': 'asOwner 1, atLeisure 1, kysely 1, takeRole 1',
  'database/migrate.ts': 'atLeisureAlone 1, kysely 1',
  'database/prepare.ts': 'atLeisureAlone 1',
  'database/seed.ts': 'atLeisure 1, shared 1',
  'documents/marker/claim.ts': 'asService 5, atLeisure 1',
  'documents/marker/survey.ts': 'asService 2, atLeisure 1',
  'documents/sealed/seal-files.ts': 'asService 1, atLeisure 1',
  'geography/import-command.ts': 'atLeisure 1',
  'geography/queries.ts': 'shared 4',
  'geography/seed.ts': 'atLeisure 1, shared 1',
  'kit/database.ts': 'acrossUnits 1, asOwner 1, asPrivacy 1, asService 1, atLeisure 1, pool 1, takeRole 2',
  'kit/http/health.ts': 'ping 1',
  'kit/trial/business-clock.ts': 'asService 1, shared 1',
  'kit/work/jobs.ts': 'asService 2',
  'kit/work/measure.ts': 'asService 1, pool 1',
  'kit/work/outbox.ts': 'asService 1',
  'mail/dev-mail.ts': 'asService 1',
  'mail/notices/access-changed.ts': 'asService 1',
  'mail/notices/account-notice.ts': 'asService 1',
  'mail/notices/password-reset.ts': 'asService 1',
  'mail/send.ts': 'asService 3',
  'payments/webhook.ts': 'asService 1',
  'policies/detail/detail.ts': 'asService 1',
  'policies/detail/send.ts': 'asService 1',
  'policies/detail/verify.ts': 'asService 1',
  'policies/checks/invariants.ts': 'asService 1',
  'policies/list/export.ts': 'asService 1',
  'policies/people/companions.ts': 'asService 1',
  'policies/people/insured.ts': 'asService 1',
  'policies/people/known.ts': 'asService 1',
  'policies/reconcile.ts': 'asService 2, shared 1',
  'policies/sale/card-payment.ts': 'shared 1',
  'policies/sale/numbers.ts': 'asService 1',
  'policies/sale/purchased.ts': 'asService 1',
  'policies/seed/queries.ts': 'asOwner 2',
  'policies/seed/seed-command.ts': 'asService 1',
  'policies/seed/write.ts': 'asService 2, atLeisure 1, atLeisureAlone 1',
  'policies/visibility.ts': 'asService 1',
  'privacy/blocked/holds.ts': 'asPrivacy 3',
  'privacy/blocked/open-blocked.ts': 'asPrivacy 1',
  'privacy/blocked/reseal.ts': 'asPrivacy 2',
  'privacy/persons/erase.ts': 'asPrivacy 2',
  'privacy/persons/find.ts': 'asPrivacy 1',
  'privacy/persons/requests.ts': 'asPrivacy 2',
  'privacy/reapply.ts': 'asPrivacy 1',
  'privacy/retention/certificate.ts': 'asPrivacy 1',
  'privacy/retention/run.ts': 'asPrivacy 5',
  'products/catalogue/catalogue-command.ts': 'atLeisure 1',
  'products/catalogue/load.ts': 'atLeisure 1',
  'quotes/queries.ts': 'asService 1',
  'quotes/quote-store.ts': 'alone 1',
  // Schedules are found in all units; users, and so recipients, belong to none.
  'reports/due.ts': 'asService 3',
  'reports/make.ts': 'asService 1',
  'reports/schedules.ts': 'asService 2',
  'session/admit.ts': 'asService 1',
  'session/audit.ts': 'asService 1',
  'session/external/serve.ts': 'asService 2',
  'session/invitation/accept.ts': 'asService 2',
  'session/password/forgot-password.ts': 'asService 2',
  'session/password/reset-password.ts': 'asService 1',
  'session/profile/change-password.ts': 'asService 1',
  'session/profile/demand.ts': 'asService 7',
  'session/profile/sessions.ts': 'asService 3',
  'session/profile/update-me.ts': 'asService 1',
  'session/purge.ts': 'asService 1',
  'session/queries.ts': 'alone 3',
  'session/second-factor/manage.ts': 'asService 2',
  'session/second-factor/seal-stored.ts': 'atLeisure 1',
  'session/sign-in/end-session.ts': 'asService 1',
  'session/sign-in/login.ts': 'asService 5',
  'session/sign-in/open-session.ts': 'asService 1',
  'shell/maintenance.ts': 'ping 1',
  'tickets/files.ts': 'shared 1',
  'tickets/queries.ts': 'asService 2',
  'tickets/sealed/seal-words.ts': 'asService 2, atLeisure 1',
}
