import { createHash, timingSafeEqual } from 'node:crypto'
import type * as calls from '#common/client/calls.ts'
import { readDate } from '#common/kit/dates.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { documentNumberCompared } from '#common/kit/validators/documents.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import { type ServiceTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { numberIn } from '#server/kit/sealed/document-numbers.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { queueMail } from '#server/mail/public.ts'
import { addressOf, findHolder, findPolicy } from '#server/policies/public.ts'
import { audit, countRefusal, noRequest, scopeOf } from '#server/session/public.ts'
import { anyUnit, insertTry, lockTries, peopleNumbered, triesSince } from './queries.ts'

const action = 'client.find'
const dayMs = 86_400_000
/** The most tries in a day. Clients may share a network, but not a number. */
const most = { ofNumber: 5, ofNetwork: 20 }

export const policySought = 'client.policy_sought'

type Input = HandlerInput<typeof calls.clientFind>

/**
 * Sends the link of a policy to the policyholder's known address. Number, document and birth date are compared here, and the job decides on the mail. A
 * hit and a miss thus cost the same queries and the same job, and have the same response.
 */
export const find =
  (world: World): Handler<typeof calls.clientFind> =>
  async input => {
    const { database } = world
    await database
      .asService(async tx => {
        const number = readPolicyNumber(input.ask.number) ?? ''
        await countTry(world, tx, input, number)
        const policy = await match(world, tx, input.ask, number)
        const other = await anyUnit(tx)
        const unitId = policy?.business_unit_id ?? other?.id
        if (unitId) await world.outbox.publish(within(tx, scopeOf(unitId)), policySought, { policyId: policy?.id ?? null })
      })
      .catch(async (error: unknown) => {
        if (error instanceof Refusal) await database.asService(tx => countRefusal(world, tx, input, { action, reason: error.code }))
        throw error
      })
    return { sent: true }
  }

/** Counts a try before anything is known of its number. */
async function countTry(world: World, tx: ServiceTx, { ask, ip }: Input, number: string): Promise<void> {
  const at = world.clock.now()
  const one = { number_hash: hash(number || ask.number), network: networkOf(ip) }
  await lockTries(tx, one)
  const { ofNumber, ofNetwork } = await triesSince(tx, one, new Date(at.getTime() - dayMs))
  if (ofNumber >= most.ofNumber || ofNetwork >= most.ofNetwork) throw new Refusal('request.too_many', { retryAfter: 3600 })
  await insertTry(tx, { ...one, id: world.ids.next(), at })
}

async function match({ secrets }: World, tx: ServiceTx, { docNumber, birthDate }: Input['ask'], number: string) {
  const wanted = keyOf(docNumber, readDate(birthDate) ?? '')
  const people = await peopleNumbered(tx, number)
  const isSought = ({ id, birth_date: birthDate, ...stored }: (typeof people)[number]) =>
    timingSafeEqual(keyOf(numberIn(secrets, id, stored) ?? '', birthDate ?? ''), wanted) && birthDate !== null
  return people.find(isSought)
}

/** Hashes document and birth date. A document may be typed in any case and spacing. */
const keyOf = (document: string, birthDate: string): Buffer => hash(`${documentNumberCompared(document)} ${birthDate}`)

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Mails the link, if the search found a policy whose policyholder has an address. */
export const mailFound =
  (world: World): Subscriber =>
  async job => {
    const { policyId } = job.payload
    await world.database.inScope(scopeOf(job.businessUnitId), async tx => {
      const policy = typeof policyId === 'string' ? await findPolicy(tx, policyId) : undefined
      const address = policy && addressOf(await findHolder(tx, policy))
      if (!policy || !address) return
      await queueMail(world, tx, {
        to: { name: policy.taker, address },
        template: 'policy_found',
        locale: policy.locale,
        params: { name: policy.taker, number: policy.number ?? '' },
        about: policy.id,
        opens: policy.id,
        causedBy: job,
      })
      await audit(world, tx, noRequest, { action, outcome: 'done', object: policy.id })
    })
  }
