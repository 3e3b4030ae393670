import { isOfferable, movedBy } from '#common/changes/money.ts'
import { cardGateway } from '#common/changes/state.ts'
import { formatMoney } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { refundMarginMs } from '#common/payments/states.ts'
import { withSums } from '#common/quotes/price-lines.ts'
import { endIn } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { hashOfAddress, isOneAddress } from '#server/kit/mail-address.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { dropMails, queueMail } from '#server/mail/public.ts'
import { changePayment, insertPayment, type NewPayment, type PaymentRow, unsentRefunds } from '#server/payments/public.ts'
import { addressOf, findHolder, giveNotice, type PolicyRow, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import type { Offer } from '../reply.ts'
import type { Step, Written } from '../write.ts'
import type { Loaded } from '../load.ts'
import {
  endOpenChange,
  insertOpenChange,
  movementTo,
  type NewOpenChange,
  openChangeOf,
  type OpenChangeRow,
  type Unmade,
} from '../queries.ts'

/** The time until the reconciler first checks the payment, in case the process dies before the browser has its reply. */
const firstCheckMs = 120_000

export const isByCard = ({ charge, routes }: Step): boolean => charge > 0 && routes.some(({ gateway }) => gateway === cardGateway)

/**
 * Opens a step that is charged to a card: it waits for its payment, and the policy stays as it is. The payment is written first, with the key by
 * which the card network then finds or creates its intent. The step is kept as it was shown, and written as such when it is paid.
 */
export async function openStep({ world, cards }: Sales, tx: UnitTx, written: Written & { by: { userId: string } }): Promise<OpenChangeRow> {
  const { id, row, loaded, step, by, where, now } = written
  const { kind } = step
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const open = { ...(await openRow(world, tx, written)), state: 'awaiting_payment' as const }
  const payment = await openPayment(world, tx, {
    open,
    row,
    gateways: loaded.gateways,
    userId: by.userId,
    charge: movedBy(step).charge,
    now,
  })
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what: 'change_asked' })
  await audit(world, tx, where, { action: 'policy.change_asked', outcome: 'done', object: row.id, details: { version: row.version, kind } })
  return insertOpenChange(tx, { ...open, id, payment_id: payment.id })
}

type ToPay = {
  open: Pick<OpenChangeRow, 'id' | 'kind' | 'until'>
  row: PolicyRow
  gateways: Loaded['gateways']
  userId: string
  charge: number
  now: Date
}

/** Writes the card payment of a change, with the key by which the network finds or creates its intent. */
export function openPayment(
  { ids }: Pick<World, 'ids'>,
  tx: UnitTx,
  { open, row, gateways, userId, charge, now }: ToPay,
): Promise<PaymentRow> {
  const gateway = gateways.find(({ name }) => name === cardGateway)
  if (!gateway) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  return insertPayment(tx, {
    id: ids.next(),
    policy_id: row.id,
    policy_version: row.version,
    gateway: gateway.name,
    gateway_id: gateway.id,
    user_id: userId,
    amount_cents: charge,
    currency: row.currency,
    state: 'open',
    purpose: open.kind === 'reinstatement' ? 'reinstatement' : 'change',
    idempotency_key: `deed-${open.id}`,
    created_at: now,
    check_at: new Date(Math.min(now.getTime() + firstCheckMs, open.until.getTime())),
  } satisfies NewPayment)
}

/** Returns the row of a step that waits, as it was shown. */
async function openRow(world: Pick<World, 'secrets'>, tx: UnitTx, written: Written & { by: { userId: string } }) {
  const { id, row, step, asked, by, requestKey, now } = written
  const { kind } = step
  // An ending charges nothing.
  if (kind === 'cancellation' || kind === 'withdrawal') throw new Refusal('request.conflict')
  return {
    id,
    policy_id: row.id,
    kind,
    from_version: row.version,
    asked: JSON.stringify(asked),
    ...stepColumns(world.secrets, id, storedAs(step)),
    at: now,
    until: await untilOf(tx, written),
    user_id: by.userId,
    user_name: by.name,
    request_key: requestKey,
    difference_cents: step.charge + step.stopped,
  } satisfies Partial<NewOpenChange>
}

/** Leaves out what a step has beyond its type: the preview that it comes from, with the people once more. */
const storedAs = ({ kind, contents, charge, refund, stopped, kept, waived, commission, routes, ...more }: Step): Step => {
  const { basis, waitUntil, validUntil, papers, reason, note, ending } = more
  const money = { charge, refund, stopped, kept, waived, commission, routes }
  return { kind, contents, ...money, basis, waitUntil, validUntil, papers, reason, note, ending }
}

/** Returns until when a step can be paid: never after an earlier refund leaves that it should stop. */
async function untilOf(tx: UnitTx, { row, step, now }: Written): Promise<Date> {
  const former = step.stopped > 0 ? await movementTo(tx, row.id, row.version) : undefined
  const leaving = former ? await unsentRefunds(tx, former.id, now) : []
  const ends = leaving.flatMap(({ leave_at }) => (leave_at ? [leave_at.getTime() - refundMarginMs] : []))
  return new Date(Math.min(step.validUntil, ...ends))
}

/** A user, or the client, who has no user id. */
export type Author = { userId: string | null; name: string }
type Ending = { state: Unmade; now: Date; by?: Author }

/** Ends an open change, made or not. An offer that is still to be mailed is not. */
export async function endOpen(tx: UnitTx, open: OpenChangeRow, state: 'done' | Unmade, now: Date): Promise<void> {
  await endOpenChange(tx, open.id, state, now)
  if (open.offered_to) await dropMails(tx, open.policy_id, ['change_offered'], now)
}

/** Ends a change that is not made. The policy stays as it was. Only a client declines, and the user who offered it gets a notice. */
export async function endUnmade(world: World, tx: UnitTx, open: OpenChangeRow, { state, now, by }: Ending): Promise<void> {
  await endOpen(tx, open, state, now)
  await recordEvent(world, tx, { policyId: open.policy_id, at: now, by, what: `change_${state}` })
  if (state === 'declined') await giveNotice(tx, { user_id: open.user_id, policy_id: open.policy_id, kind: 'offer_declined', at: now })
}

/** A policy that ends takes its open change with it. The reconciler then cancels the payment, or gives it back. */
export async function endOpenChangeOf(world: World, tx: UnitTx, policyId: string, now: Date): Promise<void> {
  const open = await openChangeOf(tx, policyId)
  if (!open) return
  await endUnmade(world, tx, open, { state: 'expired', now })
  if (open.payment_id) await changePayment(tx, open.payment_id, { check_at: now })
}

// A step that waits contains the people of the next version. Their document numbers are encrypted beside it.

type Numbers = (string | null)[]
type StepColumns = { step: string; sealed: Buffer; sealed_by: string }

const ownerOf = (id: string): string => `change ${id}`

/** Returns the columns of a step that waits. */
export function stepColumns(secrets: Secrets, id: string, step: Step): StepColumns {
  const { people } = step.contents
  const numbers: Numbers = people.map(({ docNumber }) => (typeof docNumber === 'string' ? docNumber : null))
  const { secret, sealedBy } = secrets.seal(ownerOf(id), Buffer.from(JSON.stringify(numbers)))
  // With the sums, which an older node reads.
  const contents = { ...step.contents, charged: withSums(step.contents.charged), people: people.map(withoutNumber) }
  return { step: JSON.stringify({ ...step, contents }), sealed: secret, sealed_by: sealedBy }
}

/** Returns the step that was shown and will be written; undefined once the change has ended. */
export function stepIn(secrets: Secrets, { id, step: stored, sealed, sealed_by: sealedBy }: OpenChangeRow): Step | undefined {
  // Safe: open.ts writes it.
  const step = stored as Step | null
  if (!step || !sealed) return step ?? undefined
  // Safe: `stepColumns` wrote them.
  const numbers = JSON.parse(secrets.open(ownerOf(id), { secret: sealed, sealedBy }).toString()) as Numbers
  const people = step.contents.people.map((person, index) => {
    const docNumber = numbers[index]
    return typeof docNumber === 'string' ? { ...person, docNumber } : person
  })
  return { ...step, contents: { ...step.contents, people } }
}

/** Returns a request without document numbers: the version that it leads to has them. */
export function withoutNumbers(ask: object): Record<string, unknown> {
  const { change, ...asked } = ask as { change?: { users?: Record<string, unknown>[] | null } } // Safe: any of its properties may be missing.
  if (!change?.users) return { ...ask }
  return { ...asked, change: { ...change, users: change.users.map(withoutNumber) } }
}

const withoutNumber = <Person extends object>(person: Person): Omit<Person, 'docNumber'> => {
  const { docNumber: _, ...others } = person as Person & { docNumber?: unknown } // Safe: whether it has one or not.
  return others
}

/** Routes a charge to the client's card, or refuses a step that cannot be offered. */
export function offered({ policy, now, gateways }: Loaded, charge: number, { email }: Offer): Pick<Step, 'routes' | 'waived'> {
  if (!isOneAddress(email.trim())) throw refuseFields([{ path: 'settle.offer.email', rule: 'email', key: 'validation.email' }])
  if (!gateways.some(({ name }) => name === cardGateway)) throw new Refusal('change.account_only')
  if (!isOfferable(policy, charge, now)) throw new Refusal('change.nothing_to_pay')
  return { routes: [{ paymentUuid: null, gateway: cardGateway, amount: charge }], waived: 0 }
}

/** Offers a step to the client, who gets the link to it by email. Nothing is charged, and the policy stays as it is, until the client pays. */
export async function offerStep(
  { world, cards }: Sales,
  tx: UnitTx,
  written: Written & { by: { userId: string } },
  { email, locale }: Offer,
): Promise<OpenChangeRow> {
  const { row, loaded, step, by, where, now } = written
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const address = email.trim()
  const open = await insertOpenChange(tx, { ...(await openRow(world, tx, written)), state: 'offered', offered_to: hashOfAddress(address) })
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what: 'change_offered' })
  await audit(world, tx, where, { action: 'policy.change_offered', outcome: 'done', object: row.id, details: { version: row.version } })
  const language = locale ?? step.contents.locale
  const known = addressOf(await findHolder(tx, row))
  await queueMail(world, tx, {
    to: { name: row.taker, address },
    template: 'change_offered',
    locale: language,
    params: {
      name: row.taker,
      number: row.number ?? '',
      product: row.product_name,
      amount: formatMoney(step.charge, language, row.currency),
      until: endIn(open.until, { policy: { locale: language }, seller: { timeZone: loaded.policy.timeZone } }),
    },
    about: row.id,
    opens: row.id,
    // The preview is made when the email leaves. It names people with their documents and addresses, so it goes to the policyholder alone.
    attachments:
      known && hashOfAddress(known).equals(hashOfAddress(address))
        ? [
            {
              filename: `${world.words(language)('documents.preview')} ${row.number}.pdf`,
              contentType: 'application/pdf',
              size: 0,
              fileId: open.id,
            },
          ]
        : [],
  })
  return open
}
