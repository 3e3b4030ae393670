import { previewEnding } from '#common/changes/ending/cancel.ts'
import type * as calls from '#common/client/calls.ts'
import type { ClientPolicy } from '#common/client/calls.ts'
import { countryName } from '#common/geography/countries.ts'
import { daysBetween, today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { type Loaded, loadPolicy, reservedForSale, soldStateOf } from '#server/changes/public.ts'
import type { Files, ListedDocument } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { Download } from '#server/kit/http/download.ts'
import type { DownloadHandler, Handler, HandlerInput } from '#server/kit/serve.ts'
import { addressOf, findHolder, findPolicy, linesOf, type PolicyRow, readVersionFacts, type Sales } from '#server/policies/public.ts'
import { paymentsWithTransfers } from '#server/payments/public.ts'
import { audit } from '#server/session/public.ts'
import { canFileForClient } from '#server/tickets/public.ts'
import { bearerOf, type Client, clientOf, demandAll, demandSold, isHolder, opensAll } from './access.ts'
import { offerToAnswer } from './offer/change.ts'
import { brandOf } from './brand.ts'
import { fileOfLink, type WantedFile } from './quote/files.ts'
import { withdrawalOf } from './queries.ts'
import { priceLinesIn } from './price-lines.ts'
import { receiptOf, withdrawIn } from './withdrawal/receipt.ts'

type Input = HandlerInput<typeof calls.clientPolicy>

/** Shows a policy to its client, in the client's words and without the agency's commission. Every view is audited. */
export const showPolicy =
  (sales: Sales): Handler<typeof calls.clientPolicy> =>
  async input => {
    const { world } = sales
    const client = await clientOf(world, input, 'client.policy_seen', input.ask.token)
    return world.database.inScope(client.scope, async tx => {
      const policy = demandSold(await findPolicy(tx, client.policyId))
      await audit(world, tx, input, { action: 'client.policy_seen', outcome: 'done', object: policy.id })
      return viewOf(sales, tx, { policy, client, input })
    })
  }

type Viewed = { policy: PolicyRow; client: Client; input: Input }

async function viewOf(sales: Sales, tx: UnitTx, { policy, client, input }: Viewed): Promise<ClientPolicy> {
  const { world } = sales
  const facts = await readVersionFacts(world.secrets, tx, policy.id, policy.version)
  if (!facts) throw new Refusal('request.not_found')
  const { seller, product, trip, people } = facts
  const { insurer } = product.described
  const loaded = await loadPolicy(tx, policy, { secrets: world.secrets, now: world.clock.now(), locale: input.locale })
  const { cancellationFrom, cancellationOfEach } = soldStateOf(loaded, await reservedForSale(tx, policy, loaded))
  const isOwn = await isHolder(tx, policy, client)
  const files = await documentsFor(sales, tx, policy)
  const withdrawal = await withdrawalOf(tx, policy.id)
  const receipt = withdrawal && isOwn ? { withdrawal, policy, unit: seller, words: world.words(policy.locale) } : undefined
  const names = people.map(({ name }) => name)
  const view: ClientPolicy = {
    brand: brandOf(seller),
    insurer: insurer.legalName,
    insurerEmail: insurer.supportEmail,
    supervisor: insurer.supervisor ?? null,
    locale: policy.locale,
    timeZone: seller.timeZone,
    today: loaded.form.today,
    ...statusOf(policy, loaded),
    number: policy.number ?? '',
    version: policy.version,
    product: policy.product_name,
    startDate: policy.start_date,
    endDate: policy.end_date,
    cancellationFrom: policy.status !== 'purchased' ? null : cancellationOfEach ? 'each' : cancellationFrom,
    destinations: trip.destinations.map(id => countryName(id, input.locale) ?? String(id)),
    zone: manyTripsIn(product.described, trip)?.zone[languageOf(policy.locale)] ?? null,
    holder: names[0] ?? policy.taker,
    people: people.filter(({ traveller }) => traveller).map(({ name }) => name),
    price: await priceOf(tx, policy, loaded, input.locale),
    can: {
      change_request: policy.status === 'purchased' && (await canFileForClient(tx)),
      withdraw: isOwn && !withdrawal ? withdrawIn(loaded, addressOf(await findHolder(tx, policy)) ?? '') : null,
      documents: files.map(({ uuid, name, label, current }) => ({ uuid, name, label, current })),
      emergency: insurer.emergencyPhone,
    },
    offer: await offerToAnswer(tx, policy, client, isOwn),
    cancelling: cancellingIn(loaded),
    holderOnly: !isOwn,
    offerOnly: false,
    withdrawal: receipt ? receiptOf(receipt) : null,
    transfers: isOwn ? await transferred(tx, policy.id, seller.timeZone) : [],
  }
  return (await opensAll(tx, policy, client)) ? view : withOfferAlone(view)
}

/** Takes the people, the documents, the price and the other functions out of the view: the offer itself says what changes. */
const withOfferAlone = (view: ClientPolicy): ClientPolicy => ({
  ...view,
  offerOnly: true,
  holder: '',
  people: [],
  cancellationFrom: null,
  destinations: [],
  zone: null,
  price: { currency: view.price.currency, total: null, lines: [] },
  can: { change_request: false, withdraw: null, documents: [], emergency: view.can.emergency },
  cancelling: null,
  withdrawal: null,
  transfers: [],
})

function statusOf(policy: PolicyRow, { form: { today } }: Loaded): Pick<ClientPolicy, 'status' | 'startsIn'> {
  const startsIn = Math.max(0, daysBetween(today, policy.start_date))
  if (policy.status === 'cancelled') return { status: policy.ended_kind === 'withdrawal' ? 'withdrawn' : 'cancelled', startsIn }
  return { status: today > policy.end_date ? 'ended' : startsIn > 0 ? 'upcoming' : 'running', startsIn }
}

async function priceOf(
  tx: UnitTx,
  policy: PolicyRow,
  { policy: { charged, edition } }: Loaded,
  locale: Locale,
): Promise<ClientPolicy['price']> {
  const names = { taxes: edition.basis.taxes, named: charged.taxes }
  return {
    currency: policy.currency,
    total: fromCents(policy.total_cents),
    lines: priceLinesIn(await linesOf(tx, policy), names, locale),
  }
}

const transferred = async (tx: UnitTx, policyId: string, timeZone: string): Promise<ClientPolicy['transfers']> =>
  (await paymentsWithTransfers(tx, policyId)).flatMap(({ transfers }) =>
    transfers.map(({ cents, at }) => ({ amount: fromCents(cents), on: today(new Date(at), timeZone) })),
  )

/** Returns why there is no right of withdrawal, and what the agency could give back by a cancellation. */
function cancellingIn({ policy, now }: Loaded): ClientPolicy['cancelling'] {
  const { version } = policy
  const withdrawing = previewEnding(policy, { as: 'withdrawal', version }, now)
  const cancelling = previewEnding(policy, { as: 'cancellation', version, acceptNoRefund: true }, now)
  if (withdrawing.right || !cancelling.possible) return null
  const why = withdrawing.refusals[0]?.params?.['why']
  return { refund: fromCents(cancelling.refund), why: why === undefined ? null : String(why) }
}

/** Returns the documents, those that hold now and earlier ones. A policy that ended has those of its end. */
async function documentsFor({ documents }: Sales, tx: UnitTx, policy: PolicyRow): Promise<ListedDocument[]> {
  const files = await documents.list(tx, policy)
  return policy.status === 'purchased' ? files : files.filter(({ version }) => version === policy.version)
}

async function fileOfPolicy(sales: Sales, tx: UnitTx, client: Client, uuid: string): Promise<WantedFile | undefined> {
  const policy = demandSold(await findPolicy(tx, client.policyId))
  await demandAll(tx, policy, client)
  const found = (await documentsFor(sales, tx, policy)).find(file => file.uuid === uuid)
  return found && { id: uuid, policyId: policy.id, version: found.version, isMade: found.state === 'ready' }
}

/** Sends one of these documents, or one of a quote's product. The token is in the body, so that the file has no address that could be kept or shared. */
export const sendFile =
  (sales: Sales, files: Files): DownloadHandler<typeof calls.clientFile> =>
  async input => {
    const { world, documents } = sales
    const action = 'client.file_seen'
    const client = await bearerOf(world, input, action, input.ask.token)
    const { scope } = client
    const uuid = input.ask.fileUuid.toLowerCase()
    const wanted = await world.database.inScope(scope, async tx => {
      const found = 'policyId' in client ? await fileOfPolicy(sales, tx, client, uuid) : await fileOfLink(sales, tx, client, uuid)
      if (!found) throw new Refusal('request.not_found')
      await audit(world, tx, input, { action, outcome: 'done', object: uuid, details: { policyUuid: found.policyId } })
      return found
    })
    if (!wanted.isMade) await documents.make(scope, wanted.policyId, wanted.version)
    const file = await files.open(scope, wanted.id)
    if (!file) throw new Refusal('request.not_found')
    return new Download({ name: file.row.name, mediaType: file.row.media_type, content: file.stream })
  }
