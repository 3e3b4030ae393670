import { readPeople } from '#common/changes/asked/people.ts'
import type { RequestOf } from '#common/kit/call.ts'
import { readDate, today } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import { permissionsOf } from '#common/session/roles.ts'
import { judged, type Loaded, loadPolicy, makeChange } from '#server/changes/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { findPolicy, type Sales } from '#server/policies/public.ts'
import { unitForAdministration } from '#server/session/public.ts'
import { isOwn } from '../copy/own-rows.ts'
import { queueLetter } from '../letters/send.ts'
import { judgeToday, type Outcome } from './judge.ts'
import { answerRequest, openRequest } from './keep.ts'
import { type Person, personIn } from './key.ts'
import { contactOf, localeOf } from './queries.ts'

type Item = Outcome['items'][number]
type Fields = RequestOf<typeof calls.rectifyPerson>['fields']
type Verdict = Pick<Item, 'outcome' | 'because' | 'note'>
type User = { personUuid: string } & Partial<Fields>
/** A change that the rules allow, or why there is none. */
type Plan = { verdict: Verdict } | { problems: Problem[] } | { version: number; users: User[]; difference: number; refund: number }

/**
 * Corrects a person's facts in every running policy, each by a change as the change desk makes it. All policies are judged before the first is changed:
 * a fact that the rules refuse is refused at its field. A policy that cannot change says why in the outcome.
 */
export const rectifyPerson =
  (sales: Sales): Handler<typeof calls.rectifyPerson> =>
  async input => {
    const { world } = sales
    const { personKey, reason, fields } = input.ask
    const person = personIn(world.secrets, personKey)
    if (Object.values(fields).every(value => value === undefined))
      throw refuseFields([{ path: 'fields', rule: 'required', key: 'shape.required' }])
    const scope = unitForAdministration(input.caller.allUnits, person.unitId)
    const before = await world.database.asPrivacy(async whole => {
      const tx = within(whole, scope)
      const { items } = await judgeToday(world, tx, person)
      return {
        items: items.filter(({ kind }) => kind !== 'ticket'),
        locale: await localeOf(tx, items),
        contact: await contactOf(world.secrets, tx, person),
      }
    })
    const caller = inUnit(input, scope)
    const plans: { item: Item; plan: Plan }[] = []
    for (const item of before.items) {
      const plan = await planOf(sales, input, { item, person, caller })
      if (plan) plans.push({ item, plan })
    }
    const problems = plans.flatMap(({ plan }) => ('problems' in plan ? plan.problems : []))
    if (problems.length > 0)
      throw refuseFields(problems.filter(({ path }, index) => problems.findIndex(each => each.path === path) === index))
    const { locale, contact } = before
    // Each change is a transaction of its own, and one may be the last before a failure.
    const requestUuid = await world.database.asPrivacy(whole =>
      openRequest(world, within(whole, scope), input, { kind: 'rectify', reason, locale }),
    )
    const items: Item[] = []
    for (const { item, plan } of plans) items.push({ ...item, erasedOn: null, ...(await carriedOut(sales, input, { item, plan, caller })) })
    const outcome = { items, mails: 0 }
    return world.database.asPrivacy(async whole => {
      const tx = within(whole, scope)
      await answerRequest(world, tx, input, { id: requestUuid, kind: 'rectify', outcome })
      // An address that no policy took is no one's yet.
      const isMended = items.some(({ outcome: what }) => what === 'mended')
      const address = (isMended && fields.email) || contact?.address
      await queueLetter(world, tx, {
        requestUuid,
        kind: 'rectify',
        locale,
        to: address ? { name: contact?.name ?? '', address } : undefined,
      })
      return { ...outcome, requestUuid }
    })
  }

type Input = HandlerInput<typeof calls.rectifyPerson>

/** The operator within the person's agency, where an administrator of the service may do what its manager may. */
const inUnit = ({ caller, locale }: Input, scope: CallerInUnit['unit']['scope']): CallerInUnit => ({
  ...caller,
  unit: { scope, locale, roles: ['admin'], permissions: permissionsOf(['admin']) },
})

type Subject = { item: Item; person: Person; caller: CallerInUnit }

/** Judges the correction of one policy; undefined if the person is no longer in it. */
const planOf = ({ world }: Sales, input: Input, { item, person, caller }: Subject): Promise<Plan | undefined> =>
  world.database.inScope(caller.unit.scope, async tx => {
    if (item.blocked) return { verdict: { outcome: 'unchanged', because: 'blocked_already', note: null } }
    if (item.kind === 'budget') return { verdict: { outcome: 'unchanged', because: 'not_sold', note: null } }
    const loaded = await loadedOf(world, tx, input, item.uuid)
    if (!loaded) return { verdict: { outcome: 'unchanged', because: 'over', note: null } }
    return judgedPlan(world, input, loaded, person)
  })

async function loadedOf(world: Sales['world'], tx: UnitTx, { locale }: Input, uuid: string): Promise<Loaded | undefined> {
  const row = await findPolicy(tx, uuid)
  const now = world.clock.now()
  if (row?.status !== 'purchased') return undefined
  const loaded = await loadPolicy(tx, row, { secrets: world.secrets, now, locale })
  return row.end_date < today(now, loaded.policy.timeZone) ? undefined : loaded
}

function judgedPlan({ words }: Sales['world'], { ask: { fields }, locale }: Input, loaded: Loaded, person: Person): Plan | undefined {
  const { policy } = loaded
  const index = policy.people.findIndex(each => isOwn(person, rowOf(each)))
  const own = policy.people[index]
  if (!own) return undefined
  const users = policy.people.map((each, position): User => ({ personUuid: each.personUuid, ...(position === index ? fields : {}) }))
  // R9: with two facts that differ it would be another person.
  if (readPeople(policy, users).asked[index]?.what === 'joins') return { problems: identityFields(own, fields).map(otherPerson) }
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
  if (refused) return { verdict: { outcome: 'refused', because: 'rules', note: words(locale)(refused.key, refused.params) } }
  // More money needs its payer, who is at the change desk.
  if (preview.charge > 0) return { verdict: { outcome: 'refused', because: 'price', note: null } }
  return { version: policy.version, users, difference: preview.difference.total, refund: preview.refund }
}

const otherPerson = (field: string): Problem => ({ path: `fields.${field}`, rule: 'samePerson', key: 'privacy.other_person' })

type Own = Loaded['policy']['people'][number]

/** Returns the first field of each fact that tells people apart and is asked to differ. */
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

type Made = { item: Item; plan: Plan; caller: CallerInUnit }

/** Makes the change of a plan. If the policy has changed since it was judged, the outcome says so. */
async function carriedOut(sales: Sales, input: Input, { item, plan, caller }: Made): Promise<Verdict> {
  if ('verdict' in plan) return plan.verdict
  if ('problems' in plan) return { outcome: 'refused', because: 'rules', note: null }
  const { version, users, difference, refund } = plan
  const ask = {
    policyUuid: item.uuid,
    version,
    change: { users },
    expectedDifference: fromCents(difference),
    expectedRefund: fromCents(refund),
    reason: 'client' as const,
  }
  try {
    await makeChange(sales)({ ...input, ask, caller, idempotencyKey: undefined })
    return { outcome: 'mended', because: 'asked', note: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: 'refused', because: 'rules', note: sales.world.words(input.locale)(`refusal.${error.code}`, error.details.params) }
  }
}
