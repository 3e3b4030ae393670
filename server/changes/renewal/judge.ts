import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { Job, Subscriber } from '#server/kit/work/outbox.ts'
import {
  addressOf,
  findHolder,
  findPolicy,
  giveNotice,
  lockPolicy,
  type PolicyRow,
  recordEvent,
  register,
  type Sales,
  standInFor,
} from '#server/policies/public.ts'
import { noRequest, scopeOf } from '#server/session/public.ts'
import { nextTermOf, unlessRenewed } from '../renew.ts'
import { mailRefusal, renewalOffered, type Why } from './mails.ts'

/** The next term of a policy's version is to be judged: offered, or refused. */
export const renewalDue = 'renewal.due'

/** Offers the next term of a policy by itself, or says to the client and the agent why not. A version that was replaced meanwhile is left out. */
export const judgeRenewal =
  (sales: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const policy = await sales.world.database.inScope(scope, async tx => dueIn(job, await findPolicy(tx, policyIdOf(job))))
    const refusal = policy && (await offer(sales, policy))
    return refusal && (whole => refuse(sales.world, within(whole, scope), job, refusal))
  }

const policyIdOf = ({ payload }: Job): string => String(payload['policyId'])

const dueIn = ({ payload }: Job, policy: PolicyRow | undefined): PolicyRow | undefined =>
  policy?.status === 'purchased' && policy.version === payload['version'] ? policy : undefined

async function offer(sales: Sales, policy: PolicyRow): Promise<Why | undefined> {
  const { database, outbox } = sales.world
  const caller = standInFor(policy)
  const { scope } = caller.unit
  try {
    const next = await database.inScope(scope, async tx => {
      if (!addressOf(await findHolder(tx, policy))) return 'no_address'
      return nextTermOf(sales, tx, policy, policy.locale)
    })
    if (next === 'no_address') return { code: next }
    const byService = (tx: UnitTx) => outbox.publish(tx, renewalOffered, { policyId: policy.id })
    if (next) await register(sales)({ ...noRequest, ...next, idempotencyKey: undefined, caller, renews: { ...next.renews, byService } })
  } catch (error) {
    return error instanceof Refusal ? whyNot(error) : unlessRenewed(error)
  }
  return undefined
}

/** Returns the refusals of the product, its rules and the form. Any other may pass, and is retried. */
function whyNot(refusal: Refusal): Why | undefined {
  const { code, details } = refusal
  // A policy of another tariff has no next term.
  if (code === 'renew.not_renewable') return undefined
  const isOfRules = /^(?:quote|coverage)\./.test(code)
  if (!isOfRules && code !== 'validation.failed' && code !== 'request.not_found') throw refusal
  const { fields = [] } = details
  const [field] = fields
  // The people may fail the form of today. Anything else in it is the agency's own setting, which may be mended.
  if (code === 'validation.failed' && !fields.every(({ path }) => path.startsWith('users'))) throw refusal
  return { code, problem: isOfRules ? field : undefined }
}

/** Gives the agent a task, and writes to the client, if there is an address. */
async function refuse(world: World, tx: UnitTx, job: Job, why: Why): Promise<void> {
  const policy = dueIn(job, await lockPolicy(tx, policyIdOf(job)))
  if (!policy) return
  const { id, seller_id } = policy
  const at = world.clock.now()
  await recordEvent(world, tx, { policyId: id, at, what: 'renewal_impossible' })
  await giveNotice(tx, { user_id: seller_id, policy_id: id, kind: 'renewal_impossible', at })
  await mailRefusal(world, tx, policy, { why, causedBy: job })
}
