import { randomBytes } from 'node:crypto'
import { addDays, startOfDay } from '#common/kit/dates.ts'
import { mayHaveRight } from '#common/changes/ending/candidates.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { hashOfAddress } from '#server/kit/mail-address.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findLoaded, soldIn } from '#server/changes/public.ts'
import type { ClientLink } from '#server/mail/public.ts'
import { addressOf, findHolder, findStored, type PolicyRow, type Stored, timeZoneOf } from '#server/policies/public.ts'
import { countRefusal, hashToken, scopeOf, type Where } from '#server/session/public.ts'
import { findToken, insertToken, withdrawalOf } from './queries.ts'
import type { Purpose } from './tables.ts'
import { withdrawIn } from './withdrawal/receipt.ts'

/** The bearer of a link: its policy, the address that it was mailed to, and its purpose. */
export type Client = { scope: Scope; policyId: string; recipientHash: Buffer; purpose: Purpose }

const dayMs = 86_400_000
/** A claim may come long after the trip, and a right of withdrawal ends at the latest a year and 14 days after the sale. */
const validDays = 400

/** Mints the link of one mail: 128 random bits, of which only the hash is stored. The part after # reaches no server. */
export const clientLink =
  ({ secrets, clock }: Pick<World, 'secrets' | 'clock'>): ClientLink =>
  async (tx, { opens: policyId, address, template, locale }) => {
    const stored = await findStored(secrets, tx, policyId)
    if (!stored) throw new Error('the policy of a mail is gone')
    const { policy, version } = stored
    const token = randomBytes(16).toString('base64url')
    const now = clock.now()
    const end = startOfDay(addDays(policy.end_date, validDays), await timeZoneOf(tx, version))
    const inserted = insertToken(tx, {
      token_hash: hashToken(token),
      purpose: template === 'change_offered' ? 'offer' : 'policy',
      policy_id: policyId,
      recipient_hash: hashOfAddress(address),
      created_at: now,
      expires_at: new Date(Math.max(end, now.getTime() + validDays * dayMs)),
    })
    const [may] = await Promise.all([mayWithdraw(tx, stored, address, { secrets, now, locale }), inserted])
    return { path: `/my-policy#${token}`, mayWithdraw: may }
  }

type Reader = Parameters<typeof findLoaded>[3]

/** True if the page of the link offers the withdrawal: to the policyholder, while a right runs and none was stated. */
async function mayWithdraw(tx: UnitTx, { policy, settings, ...stored }: Stored, address: string, reader: Reader): Promise<boolean> {
  const holder = addressOf(stored.people.find(({ holder }) => holder))
  if (policy.status !== 'purchased' || holder !== address) return false
  // Most trips are too short for any right, so nothing else is read for them.
  const found = await soldIn(tx, policy, stored, settings)
  if (!found || !mayHaveRight(found.policy)) return false
  if (await withdrawalOf(tx, policy.id)) return false
  const loaded = await findLoaded(tx, policy, stored, reader)
  return loaded !== undefined && withdrawIn(loaded, holder) !== null
}

/** Returns the bearer of a token. Whatever is wrong with it, the response is the same 404. */
export async function clientOf(world: World, where: Where, action: string, token: string): Promise<Client> {
  const found = await world.database.asService(tx => findToken(tx, hashToken(token), world.clock.now()))
  if (found) {
    const { policy_id: policyId, recipient_hash: recipientHash, purpose } = found
    return { scope: scopeOf(found.business_unit_id), policyId, recipientHash, purpose }
  }
  await world.database.asService(tx => countRefusal(world, tx, where, { action, reason: 'request.not_found' }))
  throw new Refusal('request.not_found')
}

export function demandSold(policy: PolicyRow | undefined): PolicyRow {
  if (policy?.status !== 'purchased' && policy?.status !== 'cancelled') throw new Refusal('request.not_found')
  return policy
}

/** True for a link that was mailed to the policyholder's address of today. A certificate may go to others, too. */
export async function isHolder(tx: UnitTx, policy: PolicyRow, { recipientHash }: Client): Promise<boolean> {
  const address = addressOf(await findHolder(tx, policy))
  return address !== undefined && hashOfAddress(address).equals(recipientHash)
}

/** True for a link that opens all of the policy. An offer may go to any address, also a mistyped one: that link opens the offer alone. */
export const opensAll = async (tx: UnitTx, policy: PolicyRow, client: Client): Promise<boolean> =>
  client.purpose === 'policy' || isHolder(tx, policy, client)

/** Refuses a link that opens an offer alone, as one that is unknown. */
export async function demandAll(tx: UnitTx, policy: PolicyRow, client: Client): Promise<void> {
  if (!(await opensAll(tx, policy, client))) throw new Refusal('request.not_found')
}
