import type { Locale } from '#common/kit/locales.ts'
import { searchable } from '#common/kit/text.ts'
import type { TicketType } from '#common/products/tickets.ts'
import { ticketReference } from '#common/tickets/reference.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PolicyRow } from '#server/policies/public.ts'
import { storedForm, typesNow } from './forms.ts'
import { forwardFiled, mailFiled } from './mails.ts'
import { insertTicket, nextTicketNumber, ticketById, type TicketRow } from './queries.ts'

/** A request of a policy's client, who is no user. `typeKey` is preferred; any type of request will do. */
type ClientTicket = {
  /** The same id files one ticket. */
  id: string
  typeKey: string
  subject: string
  description: string
  policy: PolicyRow
  contact: { name: string; email: string; phone: string }
  locale: Locale
  /** False if the client has a confirmation already. */
  confirms: boolean
}

export const canFileForClient = async (tx: UnitTx): Promise<boolean> => (await requestType(tx, '')) !== undefined

/** Files a client's request on a policy. It belongs to the seller of the policy, in whose lists it appears. */
export async function fileForClient(world: World, tx: UnitTx, ticket: ClientTicket): Promise<TicketRow> {
  const known = await ticketById(tx, ticket.id)
  if (known) return known
  const type = await requestType(tx, ticket.typeKey)
  if (!type) throw new Error('the catalogue has no request for clients')
  const { policy, contact, subject } = ticket
  const reference = ticketReference('request', await nextTicketNumber(tx))
  const now = world.clock.now()
  const filed = await insertTicket(tx, {
    id: ticket.id,
    reference,
    kind: 'request',
    type_key: type.key,
    form: storedForm(type),
    status: 'open',
    subject,
    description: ticket.description,
    policy_id: policy.id,
    policy_number: policy.number,
    incident_date: null,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
    locale: ticket.locale,
    user_id: policy.seller_id,
    user_name: contact.name,
    created_at: now,
    updated_at: now,
    search: searchable([reference, subject, policy.number, policy.taker, contact.email, contact.name].filter(Boolean).join('\n')),
  })
  const mail = ticket.confirms ? mailFiled : forwardFiled
  await mail(world, tx, filed, { unit: await unitSettings(tx), files: [] })
  return filed
}

async function requestType(tx: UnitTx, key: string): Promise<TicketType | undefined> {
  const types = (await typesNow(tx)).filter(({ kind }) => kind === 'request')
  return types.find(type => type.key === key) ?? types[0]
}
