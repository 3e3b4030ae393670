import { createHash } from 'node:crypto'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import { refundDue } from '#common/changes/money.ts'
import type * as calls from '#common/client/calls.ts'
import type { Receipt } from '#common/client/calls.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { loadPolicy, refuseWith } from '#server/changes/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import type { World } from '#server/kit/app-context.ts'
import { queueMail } from '#server/mail/public.ts'
import {
  addressOf,
  findHolder,
  giveNotice,
  lockPolicy,
  type PolicyRow,
  recordEvent,
  type Sales,
  timeZoneOf,
  versionOf,
} from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { type Client, clientOf, demandSold, isHolder } from '../access.ts'
import { insertWithdrawal, withdrawalOf, type WithdrawalRow } from '../queries.ts'
import { carryOut, withdrawalReceived } from './carry-out.ts'
import { receiptOf, receiptText, wayOf } from './receipt.ts'

const action = 'client.withdraw'

type Input = HandlerInput<typeof calls.clientWithdraw>

/**
 * Receives a client's statement of withdrawal. It is received with its row, in a transaction of its own that also queues the receipt. Then the policy
 * ends and the money goes back; if that fails, a job repeats it.
 */
export const withdraw =
  (sales: Sales): Handler<typeof calls.clientWithdraw> =>
  async input => {
    const { world } = sales
    const at = world.clock.now()
    const client = await clientOf(world, input, action, input.ask.token)
    const { withdrawal, receipt } = await receive(world, client, input, at)
    await carryOut(sales, client.scope, withdrawal.id).catch((err: unknown) =>
      world.log.warn({ requestId: input.requestId, withdrawalId: withdrawal.id, err }, 'a withdrawal is left to its job'),
    )
    if (withdrawal.claimed) throw new Refusal('withdraw.claimed', { data: receipt })
    return receipt
  }

type Received = { withdrawal: WithdrawalRow; receipt: Receipt }

/** Stores the statement, or returns the first one of the policy, since one withdraws once. */
const receive = (world: World, client: Client, input: Input, at: Date): Promise<Received> =>
  world.database.inScope(client.scope, async tx => {
    const policy = demandSold(await lockPolicy(tx, client.policyId))
    const unit = { ...(await unitSettings(tx)), timeZone: await timeZoneOf(tx, await versionOf(tx, policy)) }
    const words = world.words(policy.locale)
    const reply = (withdrawal: WithdrawalRow): Received => ({
      withdrawal,
      receipt: receiptOf({ withdrawal, policy, unit, words }),
    })
    if (!(await isHolder(tx, policy, client))) throw new Refusal('withdraw.not_holder')
    const hashes = hashesOf(input)
    const first = await withdrawalOf(tx, policy.id)
    if (first) {
      const isMismatch =
        hashes.request_key !== null && first.request_key === hashes.request_key && first.request_hash !== hashes.request_hash
      if (isMismatch) throw new Refusal('idempotency.mismatch')
      return reply(first)
    }
    const statement = validated(input, policy)
    const { policy: state, now } = await loadPolicy(tx, policy, { secrets: world.secrets, now: at, locale: policy.locale })
    const preview = previewEnding(state, { as: 'withdrawal', version: policy.version }, now)
    const claimed = preview.refusals.some(({ code }) => code === 'withdraw.claimed')
    if (!preview.possible && !claimed) throw refuseWith(preview.refusals)
    const withdrawal = await insertWithdrawal(tx, {
      ...statement,
      ...hashes,
      id: world.ids.next(),
      policy_id: policy.id,
      at,
      basis: preview.basis ?? preview.right?.id ?? '',
      claimed,
      refund_cents: preview.refund,
      currency: policy.currency,
      way: wayOf(preview.routes),
      refund_by: refundDue(at, unit.timeZone).by,
    })
    await confirm(world, tx, { withdrawal, policy, text: receiptText({ withdrawal, policy, unit, words }) })
    await recordEvent(world, tx, { policyId: policy.id, at, by: { userId: null, name: statement.name }, what: 'withdrawal_received' })
    await giveNotice(tx, { user_id: policy.seller_id, policy_id: policy.id, kind: 'withdrawn', at })
    await audit(world, tx, input, { action, outcome: 'done', object: policy.id, details: { withdrawalUuid: withdrawal.id, claimed } })
    await world.outbox.publish(tx, withdrawalReceived, { withdrawalId: withdrawal.id })
    return reply(withdrawal)
  })

function validated({ ask }: Input, policy: PolicyRow): Pick<WithdrawalRow, 'name' | 'confirm_to' | 'policy_version'> {
  const name = ask.name.trim()
  const confirm_to = ask.confirmTo.trim()
  const problems = [
    ...(name === '' ? [{ path: 'name', rule: 'required', key: 'validation.required' }] : []),
    ...(isOneAddress(confirm_to) ? [] : [{ path: 'confirmTo', rule: 'email', key: 'validation.email' }]),
    ...(ask.version > policy.version ? [{ path: 'version', rule: 'known', key: 'shape.format' }] : []),
  ]
  if (problems.length > 0) throw refuseFields(problems)
  return { name, confirm_to, policy_version: ask.version }
}

/** Returns the hashes that identify a repeated request. The token is left out, as another link of the client is as good. */
function hashesOf({ ask: { name, confirmTo, version }, idempotencyKey }: Input): { request_key: string | null; request_hash: string } {
  const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
  return { request_key: idempotencyKey === undefined ? null : hash(idempotencyKey), request_hash: hash([name, confirmTo, version]) }
}

type Confirmation = { withdrawal: WithdrawalRow; policy: PolicyRow; text: string }

/** Mails the receipt to the address that the client named, and to the one that the policy has, if that is another. */
async function confirm(world: World, tx: UnitTx, { withdrawal, policy, text }: Confirmation): Promise<void> {
  const known = addressOf(await findHolder(tx, policy))
  const addresses = [withdrawal.confirm_to, ...(known && known.toLowerCase() !== withdrawal.confirm_to.toLowerCase() ? [known] : [])]
  for (const address of addresses)
    await queueMail(world, tx, {
      to: { name: withdrawal.name, address },
      template: 'withdrawal_received',
      locale: policy.locale,
      params: {
        name: withdrawal.name,
        number: policy.number ?? '',
        quote: text,
      },
      about: policy.id,
      opens: policy.id,
    })
}
