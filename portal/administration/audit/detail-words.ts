import { displayDate } from '#common/kit/dates.ts'
import type { MessageId } from '../../../common/locales/ids'
import type { Words } from '#portal/kit/words.tsx'

/** The names of an entry's details (server/session/audit.ts). Those of an agency's settings are the names of its form. */
const names = {
  accent: 'administration.accent',
  active: 'administration.active',
  address: 'administration.address',
  administrator: 'administration.administrator',
  again: 'administration.detail_again',
  as: 'administration.detail_as',
  billingInfo: 'administration.detail_billing',
  brandName: 'administration.brand',
  businessUnits: 'administration.units',
  businessUnitUuid: 'administration.unit',
  by: 'administration.detail_by',
  changeUuid: 'administration.detail_change',
  chosen: 'administration.detail_chosen',
  city: 'administration.city',
  claimed: 'administration.detail_claimed',
  contactInfo: 'administration.detail_contact',
  country: 'administration.country',
  currency: 'administration.currency',
  dateFrom: 'administration.from',
  dateTo: 'administration.to',
  day: 'administration.detail_day',
  density: 'administration.detail_density',
  earliestBirthDate: 'administration.earliest_birth',
  email: 'administration.email',
  ended: 'administration.detail_sessions_ended',
  error: 'administration.last_error',
  fields: 'administration.detail_fields',
  files: 'administration.detail_files',
  from: 'administration.from',
  gateway: 'administration.gateway',
  heldSince: 'administration.detail_held_since',
  iban: 'administration.iban',
  invited: 'administration.invited',
  key: 'administration.key',
  kind: 'administration.kind',
  legalName: 'administration.legal_name',
  locale: 'administration.language',
  managementGroup: 'administration.group',
  many: 'administration.detail_recipients',
  name: 'administration.name',
  networks: 'administration.audit_network',
  number: 'administration.detail_number',
  object: 'administration.audit_object',
  outcome: 'administration.audit_outcome',
  ownOnly: 'administration.role_freelancer',
  page: 'administration.detail_page',
  people: 'administration.detail_by',
  phone: 'administration.phone',
  policyUuid: 'administration.policy',
  product: 'administration.product',
  quoteHours: 'administration.quote_hours',
  retried: 'administration.detail_retried',
  returnFrom: 'administration.detail_return_from',
  returnTo: 'administration.detail_return_to',
  review: 'administration.detail_review',
  roles: 'administration.detail_roles',
  searched: 'administration.detail_searched',
  seen: 'administration.detail_seen',
  seller: 'administration.detail_seller',
  sessionDays: 'administration.session_days',
  sessionIdleHours: 'administration.idle_hours',
  sessionsEnded: 'administration.detail_sessions_ended',
  sessionUuid: 'administration.detail_session',
  showSecondLastName: 'administration.second_last_name',
  shown: 'administration.detail_shown',
  side: 'administration.detail_side',
  state: 'administration.state',
  statuses: 'administration.state',
  street: 'administration.street',
  subscriber: 'administration.job',
  supportEmail: 'administration.support_email',
  taxId: 'administration.tax_id',
  template: 'administration.mail_template',
  ticketUuid: 'administration.detail_ticket',
  timeZone: 'administration.time_zone',
  to: 'administration.to',
  total: 'administration.detail_total',
  twoFactorRequired: 'administration.require_two_factor',
  type: 'administration.detail_type',
  uuid: 'administration.unit',
  version: 'administration.version',
  what: 'administration.audit_action',
  who: 'administration.user',
  withdrawalUuid: 'administration.detail_withdrawal',
  zipCode: 'administration.zip_code',
} as const satisfies Record<string, MessageId>

/** Codes that are values. Any other value stands as it is: a name, an address, an id. */
const values = {
  admin: 'administration.role_admin',
  agency: 'administration.unit',
  budgeted: 'administration.value_budgeted',
  cancelled: 'administration.value_cancelled',
  change: 'administration.value_change',
  cancellation: 'administration.value_cancellation',
  claim: 'administration.value_claim',
  companion: 'administration.value_companion',
  company: 'administration.value_company',
  Deferred: 'administration.gateway_deferred',
  document: 'administration.value_document',
  done: 'administration.outcome_done',
  email: 'administration.email',
  freelancer: 'administration.role_freelancer',
  insured: 'administration.value_insured',
  manager: 'administration.role_manager',
  name: 'administration.name',
  others: 'administration.value_others',
  pending: 'administration.value_pending',
  phone: 'administration.phone',
  policyholder: 'administration.value_policyholder',
  purchased: 'administration.value_purchased',
  refused: 'administration.outcome_refused',
  reinstatement: 'administration.value_reinstatement',
  request: 'administration.value_request',
  seller: 'administration.role_seller',
  StripeV2: 'administration.gateway_card',
  traveller: 'administration.value_traveller',
  undo: 'administration.value_undo',
  viewer: 'administration.role_viewer',
  withdrawal: 'administration.detail_withdrawal',
} as const satisfies Record<string, MessageId>

const isName = (key: string): key is keyof typeof names => Object.hasOwn(names, key)
const isCode = (text: string): text is keyof typeof values => Object.hasOwn(values, text)

/** Returns the name of a detail. A changed offer names its products by their codes, which stay. */
export const detailName = (key: string, words: Words): string => (isName(key) ? words(names[key]) : isCode(key) ? words(values[key]) : key)

/** Says a detail's value in words: what it was and is now, yes or no, a list, or the parts of what is nested. */
export function detailText(value: unknown, words: Words): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return words(value ? 'administration.yes' : 'administration.no')
  if (Array.isArray(value)) return value.map(each => detailText(each, words)).join(', ') || '—'
  if (typeof value === 'string') return isCode(value) ? words(values[value]) : (displayDate(value) ?? value)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object') return '—'
  if ('before' in value && 'after' in value) return `${detailText(value.before, words)} → ${detailText(value.after, words)}`
  return Object.entries(value)
    .map(([key, each]) => words('administration.detail_part', { name: detailName(key, words), value: detailText(each, words) }))
    .join(' · ')
}
