import type { RequestOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { withLetter } from '#common/kit/validators/documents.ts'
import { outside, type Period } from '#common/kit/validators/periods.ts'
import type * as calls from '#common/policies/calls.ts'
import { searchTerm } from '#common/policies/number.ts'
import { personSought } from '#common/policies/person-sought.ts'
import type { PolicyStatus } from '#common/policies/states.ts'
import { latestDay } from '#common/policies/views/views.ts'
import { policyStatusTypes, unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import { type NumberSought, numberSought } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { PeopleSought } from '../people/queries.ts'
import type { Filter } from './queries.ts'

type Conditions = RequestOf<typeof calls.policyTotals>

/** Returns the filter of a list that the caller asks for, limited to what the caller may see. */
export const filterOf = (secrets: Secrets, ask: Conditions, caller: CallerInUnit): Filter => ({
  statuses: statusesOf(ask),
  words: searchTerm(ask.searchData ?? ''),
  person: peopleSought(secrets, caller, ask.searchData ?? ''),
  from: ask.dateFrom ?? undefined,
  to: ask.dateTo ?? undefined,
  returnFrom: ask.returnFrom ?? undefined,
  returnTo: ask.returnTo ?? undefined,
  soldBy: ask.sellerUuid ?? undefined,
  productId: ask.productUuid ?? undefined,
  sellerId: ownOnly(caller),
  ids: undefined,
})

/** Refuses days that the list's form refuses: more than a year ahead, or a last day before the first. */
export async function refuseDays({ clock, database }: World, { scope }: CallerInUnit['unit'], ask: Conditions): Promise<void> {
  const pairs = [['dateFrom', 'dateTo'] as const, ['returnFrom', 'returnTo'] as const]
  if (pairs.flat().every(name => !ask[name])) return
  const { timeZone } = await database.inScope(scope, unitSettings)
  const to = latestDay(today(clock.now(), timeZone))
  const problems = pairs.flatMap(([first, last]) => {
    const wrongFirst = problemAt(first, ask[first], { to })
    return [...wrongFirst, ...problemAt(last, ask[last], { to, ...(ask[first] && wrongFirst.length === 0 ? { from: ask[first] } : {}) })]
  })
  if (problems.length > 0) throw refuseFields(problems)
}

function problemAt(path: string, day: string | null | undefined, period: Period) {
  const problem = day ? outside(day, period) : null
  return problem ? [{ path, rule: 'policyListDateRange', ...problem }] : []
}

function peopleSought(secrets: Secrets, { unit }: CallerInUnit, text: string): PeopleSought | undefined {
  const person = personSought(text)
  const unitId = unit.scope.businessUnitId
  return person && { ...person, unitId, document: person.document === null ? null : documentSought(secrets, unitId, person.document) }
}

/** Also finds a DNI or NIE that was typed without its letter. */
function documentSought(secrets: Secrets, unitId: string, number: string): NumberSought {
  const typed = numberSought(secrets, unitId, number)
  const complete = withLetter(number)
  return complete === number ? typed : { ...typed, hashes: [...typed.hashes, ...numberSought(secrets, unitId, complete).hashes] }
}

type Statuses = [PolicyStatus, ...PolicyStatus[]]

function statusesOf({ statusTypeUuid, status }: Conditions): Statuses {
  const all = statusesOfType(statusTypeUuid)
  if (!status) return all
  if (!all.includes(status)) throw refuseFields([{ path: 'status', rule: 'known', key: 'policies.unknown_status' }])
  return [status]
}

/** spec 4: purchased by default. Saved quotes come with unpaid registrations, as both can still be sold. */
function statusesOfType(uuid: string | null | undefined): Statuses {
  const { purchased, budgeted, cancelled } = policyStatusTypes
  switch (uuid?.toLowerCase()) {
    case undefined:
    case purchased.uuid:
      return ['purchased']
    case budgeted.uuid:
      return ['budgeted', 'pending']
    case cancelled.uuid:
      return ['cancelled']
    default:
      throw refuseFields([{ path: 'statusTypeUuid', rule: 'known', key: 'policies.unknown_status' }])
  }
}

/** Returns the filter of a list for the audit, without the search text. */
export const auditedFilter = ({ statuses, words, person, ids, ...filter }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(person ? { people: kindsOf(person) } : {}),
  ...given('from', filter.from),
  ...given('to', filter.to),
  ...given('returnFrom', filter.returnFrom),
  ...given('returnTo', filter.returnTo),
  ...given('seller', filter.soldBy),
  ...given('product', filter.productId),
  ...(filter.sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})

const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value })

/** Returns the kinds of personal data that the search used. */
const kindsOf = ({ document, email, phones }: PeopleSought): string[] => [
  ...(document === null ? [] : ['document']),
  ...(email === null ? [] : ['email']),
  ...(phones.length === 0 ? [] : ['phone']),
]
