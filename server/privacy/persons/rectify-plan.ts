import { readPeople } from '#common/changes/asked/asked.ts'
import type { ChangePreview } from '#common/changes/change.ts'
import type { Policy } from '#common/changes/state.ts'
import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { readDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import type * as calls from '#common/privacy/calls.ts'
import type { Outcome } from '#common/privacy/outcome.ts'
import { problemIn } from '#common/kit/words/words.ts'
import { judged, type Loaded, loadPolicy } from '#server/changes/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { findPolicy, personIdOf, personReply, type Sales, storedVersion } from '#server/policies/public.ts'
import { isOwn, type Person } from './key.ts'
import { versionBefore } from './queries.ts'

export type Item = Outcome['items'][number]
type Fields = RequestOf<typeof calls.rectifyPerson>['fields']
export type Verdict = Pick<Item, 'outcome' | 'because' | 'note'>
export type Money = ResponseSentOf<typeof calls.previewRectification>['money'][number]
type User = { personUuid: string } & Partial<Fields>
/** A change that the rules allow, or the reason against it, with the money that it moves, if any. */
export type Plan = { money?: Money } & (
  | { verdict: Verdict }
  | { problems: Problem[] }
  | { version: number; users: User[]; difference: number; refund: number }
)

type Asked = { fields: Fields; locale: Locale }
/** `since`: when the policy was first corrected lately, so that small steps do not add up to another person. */
type Subject = { item: Item; person: Person; caller: CallerInUnit; since: Date | undefined }

/** Judges the correction of one policy; undefined if the person is no longer in it. */
export const planOf = ({ world }: Sales, asked: Asked, { item, person, caller, since }: Subject): Promise<Plan | undefined> =>
  world.database.inScope(caller.unit.scope, async tx => {
    if (item.blocked) return { verdict: { outcome: 'unchanged', because: 'blocked_already', note: null } }
    if (item.kind === 'budget') return { verdict: { outcome: 'unchanged', because: 'not_sold', note: null } }
    const loaded = await loadedOf(world, tx, asked, item.uuid)
    if (!loaded) return { verdict: { outcome: 'unchanged', because: 'over', note: null } }
    const first = since && (await policyBefore(world, tx, loaded, { id: item.uuid, since }))
    return judgedPlan(world, asked, loaded, { person, first: first ?? loaded.policy, uuid: item.uuid })
  })

async function loadedOf(world: Sales['world'], tx: UnitTx, { locale }: Asked, uuid: string): Promise<Loaded | undefined> {
  const row = await findPolicy(tx, uuid)
  const now = world.clock.now()
  if (row?.status !== 'purchased') return undefined
  const loaded = await loadPolicy(tx, row, { secrets: world.secrets, now, locale })
  return row.end_date < today(now, loaded.policy.timeZone) ? undefined : loaded
}

/** Returns the policy with its people as they were before it was first corrected. */
async function policyBefore(
  { secrets }: Sales['world'],
  tx: UnitTx,
  { policy }: Loaded,
  { id, since }: { id: string; since: Date },
): Promise<Policy | undefined> {
  const version = await versionBefore(tx, id, since)
  if (version === undefined) return undefined
  const { people } = await storedVersion(secrets, tx, { id, version })
  const before = new Map(people.map(row => [personIdOf(id, row), personReply(row)]))
  return { ...policy, people: policy.people.map(each => ({ ...each, ...before.get(each.personUuid) })) }
}

type Of = { person: Person; first: Policy; uuid: string }

function judgedPlan({ words }: Sales['world'], { fields, locale }: Asked, loaded: Loaded, { person, first, uuid }: Of): Plan | undefined {
  const { policy } = loaded
  const index = policy.people.findIndex(each => isOwn(person, rowOf(each)))
  const own = policy.people[index]
  if (!own) return undefined
  const users = policy.people.map((each, position): User => ({ personUuid: each.personUuid, ...(position === index ? fields : {}) }))
  // With two facts that differ it would be another person.
  if (readPeople(policy, users).asked[index]?.what === 'joins') return { problems: identityFields(own, fields).map(otherPerson) }
  // Safe: each has the id of the policy's person at its place.
  const whole = first.people.map((_, position): User => ({ ...policy.people[position], ...users[position] }) as User)
  const telling = identityFields(own, fields)
  if (telling.length > 0 && readPeople(first, whole).asked[index]?.what === 'joins')
    return { problems: telling.map(field => ({ ...otherPerson(field), key: 'privacy.other_person_since' })) }
  const preview = judged(loaded, { version: policy.version, change: { users } })
  const here = `users[${index}].`
  const atField = preview.refusals.filter(({ path }) => path.startsWith(here))
  if (atField.length > 0)
    return {
      problems: atField.map(({ path, rule, key, params }) => ({
        path: `fields.${path.slice(here.length)}`,
        rule,
        key,
        ...(params ? { params } : {}),
      })),
    }
  const [refused] = preview.refusals
  if (refused?.code === 'change.nothing') return { verdict: { outcome: 'unchanged', because: 'right_already', note: null } }
  if (refused) return { verdict: { outcome: 'refused', because: 'rules', note: problemIn(words(locale), refused) } }
  // A higher price needs someone who pays it, so it is left to the change desk.
  const money = moneyOf(preview, uuid, policy.edition.basis.currency)
  if (preview.charge > 0) return { verdict: { outcome: 'refused', because: 'price', note: null }, ...money }
  return { version: policy.version, users, difference: preview.difference.total, refund: preview.refund, ...money }
}

function moneyOf({ before, after, difference, refund, routes, withoutWay }: ChangePreview, uuid: string, currency: string) {
  if (difference.total === 0) return {}
  const money: Money = {
    uuid,
    currency,
    difference: fromCents(difference.total),
    refund: fromCents(refund),
    commission: fromCents((after?.charged.commission ?? before.commission) - before.commission),
    routes: refund > 0 ? routes.map(route => ({ ...route, amount: fromCents(route.amount) })) : [],
    withoutWay: fromCents(withoutWay),
  }
  return { money }
}

const otherPerson = (field: string): Problem => ({ path: `fields.${field}`, rule: 'samePerson', key: 'privacy.other_person' })

type Own = Loaded['policy']['people'][number]

/** Returns the first field of each identifying fact that the correction changes. */
function identityFields(own: Own, fields: Fields): string[] {
  const differs = (name: keyof Fields) => fields[name] !== undefined && (fields[name] ?? '') !== (own[name] ?? '')
  const facts: (keyof Fields)[][] = [['name', 'middleName', 'lastName'], ['birthDate'], ['docNumber']]
  return facts.flatMap(names => names.find(differs) ?? [])
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const rowOf = (own: Own) => ({
  name: textOf(own.name),
  middle_name: textOf(own.middleName),
  last_name: textOf(own.lastName),
  company_name: textOf(own.companyName),
  birth_date: readDate(own.birthDate) ?? null,
  document_number: textOf(own.docNumber),
  email: textOf(own.email),
})
