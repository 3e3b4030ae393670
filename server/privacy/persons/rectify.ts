import { isDeepStrictEqual } from 'node:util'
import { fromCents, toCents } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { makeChange as makeChangeCall } from '#common/changes/calls.ts'
import type * as calls from '#common/privacy/calls.ts'
import { permissionsOf } from '#common/session/roles.ts'
import { refusalIn } from '#common/kit/words/words.ts'
import { makeChange } from '#server/changes/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { within } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import { queueLetter } from '../letters/send.ts'
import { judgeToday } from './judge.ts'
import { answerRequest, openRequest } from './keep.ts'
import { personIn } from './key.ts'
import { contactOf, correctedSince, localeOf } from './queries.ts'
import { type Item, type Money, type Plan, planOf, type Verdict } from './rectify-plan.ts'

/**
 * Corrects a person's facts in every running policy, each by a change as the change desk makes it. All policies are judged before the first is changed:
 * a fact that the rules refuse is refused at its field. A policy that cannot change says why in the outcome.
 */
export const rectifyPerson =
  (sales: Sales): Handler<typeof calls.rectifyPerson> =>
  async input => {
    const { world } = sales
    const { reason, fields, expected } = input.ask
    const { scope, caller, locale, contact, plans } = await planned(sales, input)
    if (!isDeepStrictEqual(inCents(expected), asSent(inCents(shownOf(plans)))))
      throw new Refusal('privacy.preview_changed', { data: await previewed(sales, input, { scope, plans }) })
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
      // An address that no policy accepted is not the person's.
      const isMended = items.some(({ outcome: what }) => what === 'mended')
      const address = (isMended && fields.email) || contact?.address
      await queueLetter(world, tx, {
        requestUuid,
        kind: 'rectify',
        locale,
        to: address ? { name: contact?.name ?? '', address } : undefined,
      })
      return { ...outcome, money: moneyIn(plans.filter((_, index) => items[index]?.outcome === 'mended')), requestUuid }
    })
  }

/** Says what a correction would do. */
export const previewRectification =
  (sales: Sales): Handler<typeof calls.previewRectification> =>
  async input =>
    previewed(sales, input, await planned(sales, input))

async function previewed({ world }: Sales, input: Input | Previewed, { scope, plans }: Pick<Plans, 'scope' | 'plans'>) {
  const businessUnitId = scope.businessUnitId
  await world.database.asPrivacy(tx => audit(world, tx, input, { action: 'privacy.previewed', outcome: 'done', businessUnitId }))
  const verdictOf = (plan: Plan): Verdict => ('verdict' in plan ? plan.verdict : { outcome: 'mended', because: 'asked', note: null })
  const items = plans.map(({ item, plan }): Item => ({ ...item, erasedOn: null, ...verdictOf(plan) }))
  return { items, mails: 0, ...shownOf(plans) }
}

type Planned = { item: Item; plan: Plan }
type Plans = Awaited<ReturnType<typeof planned>>
const moneyIn = (plans: Planned[]): Money[] => plans.flatMap(({ plan }) => plan.money ?? [])

/** Returns the versions that a correction rests on, and the money that it moves. */
const shownOf = (plans: Planned[]) => ({
  versions: plans.flatMap(({ item, plan }) => ('version' in plan ? [{ uuid: item.uuid, version: plan.version }] : [])),
  money: moneyIn(plans),
})

type Shown = Input['ask']['expected']

/** Returns what was shown, with amounts in cents: a client may send 1151.3600000000001. */
const inCents = ({ versions, money }: Shown) => ({
  versions,
  money: money.map(({ difference, refund, commission, routes, withoutWay, ...of }) => ({
    ...of,
    cents: [difference, refund, commission, withoutWay].map(toCents),
    routes: routes.map(({ amount, ...way }) => ({ ...way, cents: toCents(amount) })),
  })),
})

const asSent = (reply: object): unknown => JSON.parse(JSON.stringify(reply))

type Input = HandlerInput<typeof calls.rectifyPerson>
type Previewed = HandlerInput<typeof calls.previewRectification>

/** The days within which corrections of a policy are judged together. */
const daysTogether = 30

/** Judges the correction of every policy, and refuses it if one of them has problems. */
async function planned(sales: Sales, input: Input | Previewed) {
  const { world } = sales
  const { personKey, fields } = input.ask
  const person = personIn(world.secrets, personKey)
  if (Object.values(fields).every(value => value === undefined))
    throw refuseFields([{ path: 'fields', rule: 'required', key: 'shape.required' }])
  const scope = unitForAdministration(input.caller.allUnits, person.unitId)
  const before = await world.database.asPrivacy(async whole => {
    const tx = within(whole, scope)
    const { items } = await judgeToday(world, tx, person)
    const since = new Date(world.clock.now().getTime() - daysTogether * 86_400_000)
    return {
      items: items.filter(({ kind }) => kind !== 'ticket'),
      locale: await localeOf(tx, items),
      contact: await contactOf(world.secrets, tx, person),
      corrected: await correctedSince(tx, since),
    }
  })
  const caller = inUnit(input, scope)
  const plans: Planned[] = []
  for (const item of before.items) {
    const subject = { item, person, caller, since: before.corrected.get(item.uuid) }
    const plan = await planOf(sales, { fields, locale: input.locale }, subject)
    if (plan) plans.push({ item, plan })
  }
  const problems = plans.flatMap(({ plan }) => ('problems' in plan ? plan.problems : []))
  if (problems.length > 0)
    throw refuseFields(problems.filter(({ path }, index) => problems.findIndex(each => each.path === path) === index))
  return { scope, caller, locale: before.locale, contact: before.contact, plans }
}

/** Returns the operator as a caller in the person's agency, with the permissions of its manager. */
const inUnit = ({ caller, locale }: Input | Previewed, scope: CallerInUnit['unit']['scope']): CallerInUnit => ({
  ...caller,
  unit: { scope, locale, roles: ['admin'], permissions: permissionsOf(['admin']) },
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
    await makeChange(sales)({ ...input, call: makeChangeCall, ask, caller, idempotencyKey: undefined })
    return { outcome: 'mended', because: 'asked', note: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: 'refused', because: 'rules', note: refusalIn(sales.world.words(input.locale), error.code, error.details.params) }
  }
}
