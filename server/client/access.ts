import { randomBytes } from 'node:crypto'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { mayHaveRight } from '#common/changes/ending/candidates.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { hashOfAddress } from '#server/kit/mail-address.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findLoaded, soldIn } from '#server/changes/public.ts'
import { type ClientLink, opensQuotes } from '#server/mail/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import {
  addressOf,
  boughtBy,
  findHolder,
  findLink,
  findStored,
  type PolicyRow,
  quotesOf,
  type Stored,
  timeZoneOf,
} from '#server/policies/public.ts'
import { countRefusal, hashToken, scopeOf, type Where } from '#server/session/public.ts'
import { findToken, insertToken, withdrawalOf } from './queries.ts'
import type { Purpose } from './tables.ts'
import { withdrawIn } from './withdrawal/receipt.ts'

/** The bearer of a link: its policy, the address that it was mailed to, and its purpose. */
export type Client = { scope: Scope; policyId: string; recipientHash: Buffer | null; purpose: Purpose }

/** The bearer of a link of quotes. */
export type Reader = { scope: Scope; linkId: string }

/** The bearer of any link: of a policy, of quotes, or of the policy that one of its quotes has become. */
export type Bearer = Client | Reader | (Client & Reader)

const dayMs = 86_400_000
/** A claim may come long after the trip, and a right of withdrawal ends at the latest a year and 14 days after the sale. */
const validDays = 400

/** Mints the link of one mail: 128 random bits, of which only the hash is stored. The part after # reaches no server. */
export const clientLink =
  (world: Pick<World, 'secrets' | 'clock'>): ClientLink =>
  async (tx, { opens, address, template, locale }) => {
    if (opensQuotes(template)) return { path: await quotePath(world, tx, opens, hashOfAddress(address)), mayWithdraw: false }
    const { secrets, clock } = world
    const stored = await findStored(secrets, tx, opens)
    if (!stored) throw new Error('the policy of a mail is gone')
    const { policy, version } = stored
    const now = clock.now()
    const purpose = template === 'change_offered' ? 'offer' : 'policy'
    const inserted = mint(tx, {
      purpose,
      policy_id: opens,
      recipient_hash: hashOfAddress(address),
      created_at: now,
      expires_at: endOfLink(policy.end_date, await timeZoneOf(tx, version), now),
    })
    const [may, token] = await Promise.all([mayWithdraw(tx, stored, address, { secrets, now, locale }), inserted])
    return { path: `/my-policy#${token}`, mayWithdraw: may }
  }

/** Mints the token of a link of quotes. It lives as long as that of a policy, as one of them may be bought. */
export async function quotePath({ clock }: Pick<World, 'clock'>, tx: UnitTx, linkId: string, recipientHash: Buffer | null) {
  const quotes = await quotesOf(tx, linkId)
  const now = clock.now()
  const { timeZone } = await unitSettings(tx)
  const last =
    quotes
      .map(({ end_date: end }) => end)
      .toSorted()
      .at(-1) ?? today(now, timeZone)
  const token = await mint(tx, {
    purpose: 'quote',
    policy_id: null,
    link_id: linkId,
    recipient_hash: recipientHash,
    created_at: now,
    expires_at: endOfLink(last, timeZone, now),
  })
  return `/my-quote#${token}`
}

async function mint(tx: UnitTx, of: Omit<Parameters<typeof insertToken>[1], 'token_hash'>): Promise<string> {
  const token = randomBytes(16).toString('base64url')
  await insertToken(tx, { ...of, token_hash: hashToken(token) })
  return token
}

const endOfLink = (lastDay: string, timeZone: string, now: Date): Date =>
  new Date(Math.max(startOfDay(addDays(lastDay, validDays), timeZone), now.getTime() + validDays * dayMs))

type ReaderOfPolicy = Parameters<typeof findLoaded>[3]

/** True if the page of the link offers the withdrawal: to the policyholder, while a right runs and none was stated. */
async function mayWithdraw(tx: UnitTx, { policy, settings, ...stored }: Stored, address: string, reader: ReaderOfPolicy): Promise<boolean> {
  const holder = addressOf(stored.people.find(({ holder }) => holder))
  if (policy.status !== 'purchased' || holder !== address) return false
  // Most trips are too short for any right, so nothing else is read for them.
  const found = await soldIn(tx, policy, stored, settings)
  if (!found || !mayHaveRight(found.policy)) return false
  if (await withdrawalOf(tx, policy.id)) return false
  const loaded = await findLoaded(tx, policy, stored, reader)
  return loaded !== undefined && withdrawIn(loaded, holder) !== null
}

/** Returns the bearer of a link of a policy, or of a quote that was bought by it. Whatever is wrong with a token, the response is the same 404. */
export async function clientOf(world: World, where: Where, action: string, token: string): Promise<Client> {
  const bearer = await bearerOf(world, where, action, token)
  return 'policyId' in bearer ? bearer : refuse(world, where, action)
}

/** Returns the bearer of a link of quotes, whatever became of them. `ended`: also of one that was revoked, which still settles what it began. */
export async function readerOf(world: World, where: Where, action: string, token: string, ended = false): Promise<Reader> {
  const bearer = await bearerOf(world, where, action, token, ended)
  return 'linkId' in bearer ? bearer : refuse(world, where, action)
}

/** Returns the bearer of a link. That of quotes also opens the one that it bought. One that was revoked, or is of a suspended agency, opens no other. */
export async function bearerOf(world: World, where: Where, action: string, token: string, ended = false): Promise<Bearer> {
  const { database, clock } = world
  const found = await database.asService(tx => findToken(tx, hashToken(token), clock.now()))
  if (!found) return refuse(world, where, action)
  const { policy_id: policyId, link_id: linkId, recipient_hash: recipientHash, purpose, suspended } = found
  const scope = scopeOf(found.business_unit_id)
  if (policyId) return { scope, policyId, recipientHash, purpose }
  if (!linkId) return refuse(world, where, action)
  const { bought, isRevoked } = await database.inScope(scope, async tx => {
    const link = await findLink(tx, linkId)
    return { bought: link ? await boughtBy(tx, link) : null, isRevoked: Boolean(link?.revoked_at) }
  })
  if (bought) return { scope, linkId, policyId: bought, recipientHash, purpose }
  return !ended && (suspended || isRevoked) ? refuse(world, where, action) : { scope, linkId }
}

async function refuse(world: World, where: Where, action: string): Promise<never> {
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
  return address !== undefined && recipientHash !== null && hashOfAddress(address).equals(recipientHash)
}

/** True for a link that opens all of the policy. An offer may go to any address, also a mistyped one: that link opens the offer alone. */
export const opensAll = async (tx: UnitTx, policy: PolicyRow, client: Client): Promise<boolean> =>
  client.purpose !== 'offer' || isHolder(tx, policy, client)

/** Refuses a link that opens an offer alone, as one that is unknown. */
export async function demandAll(tx: UnitTx, policy: PolicyRow, client: Client): Promise<void> {
  if (!(await opensAll(tx, policy, client))) throw new Refusal('request.not_found')
}
