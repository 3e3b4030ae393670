import type * as calls from '#common/changes/calls.ts'
import { previewRenewal } from '#common/changes/renew.ts'
import { endOf } from '#common/changes/state.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { ageOn } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { formatMoney, fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Words } from '#common/kit/words/words.ts'
import { fullNameOfRow } from '#common/people/person.ts'
import type { Coverage } from '#common/products/catalogue.ts'
import { coverageValue } from '#common/products/cover.ts'
import { sentOf } from '#common/quotes/trip-codecs.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import {
  deletedRenewalOf,
  editionOf,
  findPolicy,
  isVisible,
  type PolicyRow,
  register,
  renewalOf,
  type RegisterRequest,
  type Sales,
  storedVersion,
  type StoredVersion,
  versionOf,
} from '#server/policies/public.ts'
import { contentSold } from '#server/products/public.ts'
import { keptTerms, type KeptTerms, offerOf, type UnitCatalogue } from '#server/quotes/public.ts'
import { type Loaded, loadPolicy } from './load.ts'
import { refuseWith } from './movement.ts'
import { demandSold } from './previews.ts'
import { removeOutdated } from './renewal/outdated.ts'

type Input = HandlerInput<typeof calls.renewPolicy>

/** Saves the next term of a policy as a quote, for the same people and seller, at a price that stands until the present term ends. A policy has one. */
export const renew =
  (sales: Sales): Handler<typeof calls.renewPolicy> =>
  async input => {
    const { scope } = input.caller.unit
    const { database } = sales.world
    const policy = await database.inScope(scope, tx => soldPolicy(tx, input))
    await removeOutdated(sales, scope, policy.id)
    const next = await database.inScope(scope, tx => nextTermOf(sales, tx, policy, input.locale))
    if (next) await register(sales)({ ...input, ...next, idempotencyKey: undefined }).catch(unlessRenewed)
    return database.inScope(scope, tx => replyOf(sales, tx, input))
  }

/** Another request may have saved the same next term at this moment. */
export function unlessRenewed(error: unknown): undefined {
  // Safe: only PostgreSQL's errors have the field. A cluster adds the number of its part to the name.
  const { constraint } = error as { constraint?: unknown }
  if (!/^policies_renews(?:_\d+)?$/.test(String(constraint))) throw error
}

type NextTerm = { ask: RegisterRequest; renews: { policy: PolicyRow; until: Date; kept: KeptTerms | undefined } }

/** Returns the registration of the next term, unless there is one. */
export async function nextTermOf(sales: Sales, tx: UnitTx, policy: PolicyRow, locale: Locale): Promise<NextTerm | undefined> {
  const { secrets, clock } = sales.world
  if (await renewalOf(tx, policy.id)) return undefined
  const catalogue = await sales.catalogues.readIn(tx)
  const loaded = await loadPolicy(tx, policy, { secrets, now: clock.now(), locale })
  const kept = await termsOfReplaced(tx, catalogue, loaded.version)
  const offered = kept?.terms.offer ?? offerOf(catalogue, policy.product_id)
  const { offer, refusals } = previewRenewal(loaded.policy, offered, loaded.now)
  if (!offer) throw refuseWith(refusals)
  return {
    ask: requestOf(policy, loaded, { ...offer, insuranceType: offered.content.id }),
    renews: { policy, until: new Date(endOf(offer.validThrough, loaded.policy) - 1), kept },
  }
}

/** Returns the terms of the renewal that a change of its policy has ended: what was promised is offered again by them. */
async function termsOfReplaced(tx: UnitTx, catalogue: UnitCatalogue, version: Loaded['version']): Promise<KeptTerms | undefined> {
  const replaced = await deletedRenewalOf(tx, version.policy_id)
  if (!replaced || replaced.created_at > version.at) return undefined
  const edition = editionOf(await versionOf(tx, replaced), replaced.product_id)
  return keptTerms(tx, catalogue, { productUUID: replaced.product_id }, { edition, until: replaced.price_valid_until })
}

async function soldPolicy(tx: UnitTx, { ask, caller }: Input): Promise<PolicyRow> {
  const policy = await findPolicy(tx, ask.policyUuid)
  if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
  demandSold(policy)
  return policy
}

type Term = { startDate: string; endDate: string; insuranceType: string | number }

function requestOf(
  { product_id, locale, reference }: PolicyRow,
  { policy, version }: Loaded,
  { insuranceType, ...term }: Term,
): RegisterRequest {
  const { trip, people, holder } = policy
  return {
    ...sentOf({ ...trip, ...term }),
    productUUID: product_id,
    insuranceType,
    saveBudget: true,
    paxNumber: people.length - (holder === 'travels' ? 0 : 1),
    roleFirstUser: version.role_first_user,
    users: [...people],
    buReference: reference,
    locale,
  }
}

/** The sold policy, or the quote that renews it, with its covers. */
type Side = StoredVersion & { policy: PolicyRow; coverages: readonly Coverage[] }

async function replyOf({ world }: Sales, tx: UnitTx, input: Input): Promise<ResponseSentOf<typeof calls.renewPolicy>> {
  const { locale } = input
  const policy = await soldPolicy(tx, input)
  const renewal = await renewalOf(tx, policy.id)
  if (!renewal) throw new Error('a renewal that was just saved is gone')
  return {
    policyUuid: renewal.id,
    total: fromCents(renewal.total_cents),
    currency: renewal.currency,
    priceValidUntil: renewal.price_valid_until.toISOString(),
    differences: await differencesBetween(world, tx, { policy, renewal }, locale),
  }
}

type Difference = { what: string; was: string; is: string }

/** Returns what differs between a sold policy and the quote of its next term. */
export async function differencesBetween(
  { secrets, words }: World,
  tx: UnitTx,
  { policy, renewal }: { policy: PolicyRow; renewal: PolicyRow },
  locale: Locale,
): Promise<Difference[]> {
  const sideOf = async (policy: PolicyRow): Promise<Side> => {
    const stored = await storedVersion(secrets, tx, policy)
    const { product } = await contentSold(tx, editionOf(stored.version, policy.product_id), stored.hashes)
    return { ...stored, policy, coverages: product.coverages }
  }
  return differencesOf(await sideOf(policy), await sideOf(renewal), { words: words(locale), locale })
}

/** Returns what differs in the next term: the price, the ages on its first day, and covers of another value, or that only one of the two has. */
function differencesOf(was: Side, is: Side, { words, locale }: { words: Words; locale: Locale }): Difference[] {
  // Two people, or two limits, may have one name.
  const rowsOf = ({ policy, people, coverages }: Side): [key: string, what: string, value: string][] => [
    ['price', words('changes.renewal.price'), formatMoney(policy.total_cents, locale, policy.currency)],
    ...people.flatMap((person, index): [string, string, string][] =>
      person.traveller && person.birth_date
        ? [
            [
              `age ${index}`,
              words('changes.renewal.age', { name: fullNameOfRow(person) }),
              String(ageOn(person.birth_date, policy.start_date)),
            ],
          ]
        : [],
    ),
    ...coverages.map((cover): [string, string, string] => {
      const name = cover.name[languageOf(locale)]
      return [cover.code ?? name, name, coverageValue(cover, { locale, currency: policy.currency })]
    }),
  ]
  const differences = new Map<string, Difference>()
  for (const [key, what, value] of rowsOf(was)) differences.set(key, { what, was: value, is: '–' })
  for (const [key, what, value] of rowsOf(is)) differences.set(key, { what, was: differences.get(key)?.was ?? '–', is: value })
  return [...differences.values()].filter(({ was, is }) => was !== is)
}
