import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { fullNameOfRow } from '#common/people/person.ts'
import type * as calls from '#common/policies/calls.ts'
import type { possible, soldState } from '#common/policies/schemas/possible.ts'
import { policyCan } from '#common/policies/states.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { taxName } from '#common/quotes/price-lines.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { findFile } from '#server/documents/public.ts'
import { mailsAbout, opensQuotes } from '#server/mail/public.ts'
import { paymentsWithTransfers } from '#server/payments/public.ts'
import { brandKeyOf, contentSold, productFileId, productFileKinds, type SoldEdition } from '#server/products/public.ts'
import { termsKept } from '#server/quotes/public.ts'
import { audit } from '#server/session/public.ts'
import { noticesSeen } from '../notices/queries.ts'
import { editionOf, findPolicy, historyOf, linesOf, namesOf, type PersonRow, type PolicyRow, uploadOf } from '../queries.ts'
import { boughtBy, isOpenByLink, proofId, tellingLink } from '../links/queries.ts'
import { renewalOf } from '../renewal/queries.ts'
import { type StoredVersion, storedVersion } from '../stored/queries.ts'
import { isPriceOver, hasLapsed } from '../sale/pricing.ts'
import { addressOf, asOf } from '../document-facts.ts'
import { makeInTime, type Sales } from '../sale/sale-context.ts'
import { personReply, rowOf } from '../reply.ts'
import { demandStatus, demandUnblocked, isVisible, seesCommission } from '../visibility.ts'

type Detail = ResponseSentOf<typeof calls.policyDetail>

type Possible = Pick<Detail, keyof typeof possible | keyof typeof soldState>

/**
 * Reads what may be done with a sold policy now; undefined if its edition has no terms of changes. The rules of changes, a layer above, know that, so
 * `app.ts` passes it in.
 */
export type ReadPossible = (
  tx: UnitTx,
  policy: PolicyRow,
  stored: StoredVersion,
  reader: Pick<HandlerInput<typeof calls.policyDetail>, 'caller' | 'locale'>,
) => Promise<Possible | undefined>

const nothingPossible: Possible = {
  can: [],
  cannot: [],
  undo: null,
  openChange: null,
  withdrawal: null,
  claim: null,
  cancellationFrom: null,
  cancellationOfEach: false,
  ended: null,
}

/** Returns all details of one policy, as it is or as it stood in a version. Every view is audited. */
export const detail =
  (sales: Sales, readPossible: ReadPossible): Handler<typeof calls.policyDetail> =>
  async input => {
    const { scope } = input.caller.unit
    const { secrets } = sales.world
    const policy = await sales.world.database.inScope(scope, tx => findPolicy(tx, input.ask.policyUuid))
    demandUnblocked(input.caller, policy)
    if (!isVisible(input.caller, policy)) throw new Refusal('request.not_found')
    await demandStatus(sales.world, input, policy.status, 'POST /api/policy/detail', policy.id)
    await auditView(sales, input, policy)
    const full = await sales.world.database.inScope(scope, async tx => {
      const stored = await storedVersion(secrets, tx, policy)
      const possible = (policy.sold_version !== null && (await readPossible(tx, policy, stored, input))) || nothingPossible
      const shown = await detailOf(sales, tx, policy, stored, input)
      if (shown.history.some(({ what }) => answers.has(what))) await noticesSeen(tx, policy.id, input.caller.userId)
      return { ...shown, ...possible }
    })
    const lacking = lacksDocuments(full)
    const isMade = lacking !== undefined && (await makeInTime(sales, scope, policy.id, lacking))
    const shown = isMade ? withDocuments(full, lacking) : full
    return seesCommission(input.caller) ? shown : withoutSale(shown)
  }

/** The events of which a user gets a notice. */
const answers = new Set([
  'change_accepted',
  'change_declined',
  'withdrawal_received',
  'quote_paid',
  'quote_accepted',
  'quote_declined',
  'renewal_impossible',
  'renewal_outdated',
])

/** Leaves out what only sellers see. */
const withoutSale = (detail: Detail): Detail => ({
  ...detail,
  terms: null,
  policy: { ...detail.policy, commission: null },
  price: { ...detail.price, lines: detail.price.lines.filter(({ kind }) => kind !== 'commission') },
})

/** Makes the documents of the newest version if a sold policy has none: they were never made, or were lost. */
const lacksDocuments = ({ policy: { status }, files }: Detail): number | undefined =>
  status === 'purchased' || status === 'cancelled' ? files.find(({ state }) => state !== 'ready')?.version : undefined

const withDocuments = (detail: Detail, version: number): Detail => ({
  ...detail,
  files: detail.files.map(file => (file.version === version ? { ...file, state: 'ready' } : file)),
})

const auditView = ({ world }: Sales, input: HandlerInput<typeof calls.policyDetail>, policy: PolicyRow) =>
  world.database.asService(tx =>
    audit(world, tx, input, {
      action: 'policy.seen',
      outcome: 'done',
      userId: input.caller.userId,
      businessUnitId: policy.business_unit_id,
      object: policy.id,
    }),
  )

async function detailOf(
  sales: Sales,
  tx: UnitTx,
  now: PolicyRow,
  newest: StoredVersion,
  { ask: { version: wanted }, locale }: HandlerInput<typeof calls.policyDetail>,
): Promise<Omit<Detail, keyof Possible>> {
  const policy = wanted ? await asItStood(tx, now, wanted) : now
  const { version, lines, people, hashes } = policy === now ? newest : await storedVersion(sales.world.secrets, tx, policy)
  const history = await historyOf(tx, policy.id)
  const mails = await mailsAbout(tx, policy.id)
  const { trip, quote, shown } = version.content as Sold // Safe: registration.ts writes it.
  const edition = editionOf(version, policy.product_id)
  const { common, tariff } = await contentSold(tx, edition, hashes)
  const { taxes } = common.content
  const renewal = now.sold_version !== null && tariff.base.kind === 'term' ? await renewalOf(tx, now.id) : undefined
  return {
    policy: rowOf(policy, true),
    version: policy.version,
    renews: policy.renews,
    renewedBy: renewal?.id ?? null,
    // A sold policy has one of interest only if it was read as a quote.
    link: now.sold_version === null || history.some(({ what }) => what === 'quote_opened') ? await linkOf(tx, now) : null,
    locale: policy.locale,
    complete: policy.complete,
    priceValidUntil: policy.price_valid_until.toISOString(),
    purchasedAt: policy.purchased_at?.toISOString() ?? null,
    trip,
    roleFirstUser: version.role_first_user,
    users: people.map(userOf),
    price: {
      total: fromCents(policy.total_cents),
      currency: policy.currency,
      provisional: quote.provisional ?? false,
      lines: lines.map(({ kind, code, rate, amount_cents }) => ({
        kind,
        code,
        label: taxName(taxes, code, locale) ?? quote.taxes.find(tax => tax.code === code)?.label ?? null,
        rate: rate === null ? null : Number(rate),
        amount: fromCents(amount_cents),
      })),
    },
    payments: (await paymentsWithTransfers(tx, policy.id)).map(payment => ({
      uuid: payment.id,
      gateway: payment.gateway,
      state: payment.state,
      amount: fromCents(payment.amount_cents),
      refunded: fromCents(payment.refunded_cents),
      transfers: payment.transfers.map(({ cents, at, reference }) => ({
        amount: fromCents(cents),
        at: new Date(at).toISOString(),
        reference,
      })),
      currency: payment.currency,
      at: (payment.settled_at ?? payment.created_at).toISOString(),
    })),
    files: await filesOf(sales, tx, now, wanted),
    uploadFile: await uploadShown(tx, policy.id),
    terms: await termsOf(sales, tx, policy, edition),
    shown: shown ? { at: agreedAt(policy, version, history).toISOString(), ...shown, byChange: shown.at !== undefined } : null,
    mailTo: addressOf(people.find(({ holder }) => holder)) ?? null,
    quotedTo:
      mails.find(({ template, state }) => opensQuotes(template) && (state === 'sent' || state === 'queued'))?.recipient_address ?? null,
    mails: mails.map(({ id, at, recipient_address, subject, state, reason, attachments }) => ({
      uuid: id,
      at: at.toISOString(),
      to: recipient_address,
      subject: subject ?? '',
      state,
      reason,
      files: attachments.map(({ filename }) => filename),
    })),
    history: history.map(({ at, user_name, what }) => ({
      at: at.toISOString(),
      who: user_name ?? '',
      what,
    })),
  }
}

type Event = { at: Date; what: string }

/** Returns the link of a quote that says most about its client. */
async function linkOf(tx: UnitTx, { id, status }: PolicyRow): Promise<Detail['link']> {
  const link = await tellingLink(tx, id)
  if (!link) return null
  return {
    sentAt: link.at.toISOString(),
    openedAt: link.opened_at?.toISOString() ?? null,
    completedAt: link.completed_at?.toISOString() ?? null,
    decision: link.decision ?? ((await boughtBy(tx, link)) === id ? 'bought' : null),
    reason: link.reason,
    decidedAt: link.decided_at?.toISOString() ?? null,
    proofSha256: link.proof_sha256,
    proofUuid: (await findFile(tx, proofId(link.id)))?.id ?? null,
    revokedAt: link.revoked_at?.toISOString() ?? null,
    open: (status === 'budgeted' || status === 'pending') && (await isOpenByLink(tx, id)),
  }
}

/** Returns when the client agreed to the content of the sale's version. Later versions keep it until a change renews it. */
const agreedAt = ({ sold_version: sold }: PolicyRow, { version, at }: { version: number; at: Date }, history: Event[]): Date =>
  (sold !== null && version > sold && history.findLast(({ what }) => what === 'registered')?.at) || at

/** A quote's documents can be read whenever they can be sent, and those of a sold policy always. */
async function filesOf(
  { documents, world }: Sales,
  tx: UnitTx,
  policy: PolicyRow,
  wanted: number | null | undefined,
): Promise<Detail['files']> {
  if (policy.sold_version !== null)
    return wanted ? (await documents.listAll(tx, policy)).filter(({ version }) => version === wanted) : documents.list(tx, policy)
  if (!policyCan('send', policy)) return []
  const { timeZone } = await unitSettings(tx)
  return hasLapsed(policy, world.clock.now(), timeZone) ? [] : documents.list(tx, policy)
}

async function uploadShown(tx: UnitTx, policyId: string): Promise<Detail['uploadFile']> {
  const upload = await uploadOf(tx, policyId)
  return upload ? { uuid: upload.id, name: upload.name, mediaType: upload.mediaType, size: upload.size } : null
}

/** Returns the former terms by which a price is kept, unless they are today's. */
async function termsOf({ world }: Sales, tx: UnitTx, policy: PolicyRow, edition: SoldEdition): Promise<Detail['terms']> {
  const unit = await unitSettings(tx)
  if (!policyCan('resume', policy) || isPriceOver(policy, world.clock.now(), unit.timeZone)) return null
  const terms = await termsKept(tx, edition)
  if (!terms) return null
  const { offer, commonHash } = terms
  const shown = { hash: offer.hash, commonHash, locale: policy.locale, brandKey: brandKeyOf(unit) }
  return { basis: offer.basis, files: productFileKinds.map(kind => productFileId(tx.scope, kind, shown)) }
}

type Sold = {
  trip: Record<string, unknown>
  quote: Pick<Quote, 'taxes'> & Partial<Pick<Quote, 'provisional'>>
  /** `at`: when a change renewed it. */
  shown?: NonNullable<RequestOf<typeof calls.registerPolicy>['shown']> & { at?: string }
}

const userOf = (person: PersonRow): Detail['users'][number] => ({
  ...personReply(person),
  holder: person.holder,
  traveller: person.traveller,
  identificationTypeId: person.identification_type_id,
  premium: person.premium_cents === null ? null : fromCents(person.premium_cents),
})

/** Returns a policy as it stood in a version. An unknown one, or one from before the sale, is refused like an unknown policy. */
async function asItStood(tx: UnitTx, now: PolicyRow, version: number): Promise<PolicyRow> {
  if (version === now.version) return now
  const policy = await asOf(tx, now, version)
  if (!policy) throw new Refusal('request.not_found')
  const holder = (await namesOf(tx, policy)).find(person => person.holder)
  const commission = (await linesOf(tx, policy)).find(({ kind }) => kind === 'commission')
  const steps = (await historyOf(tx, policy.id)).filter(({ details }) => details['version'] === version)
  return {
    ...policy,
    taker: holder ? fullNameOfRow(holder) : policy.taker,
    commission_cents: commission?.amount_cents ?? 0,
    status: steps.some(({ what }) => what === 'cancelled') ? 'cancelled' : 'purchased',
  }
}
