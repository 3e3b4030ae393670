import type { Problem } from '#common/kit/problems.ts'
import { refusals } from '#common/kit/refusals.ts'
import type { FileKind } from '#common/documents/kinds.ts'
import { countryName } from '#common/geography/countries.ts'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag, isLocale, type Locale } from '#common/kit/locales.ts'
import { formatMoney, toCents } from '#common/kit/money.ts'
import type { TicketStatus } from '#common/tickets/states.ts'
import type { Words } from '#portal/kit/words.tsx'
import type { MessageId } from '../../../common/locales/ids'
import { jobWords } from '../work/job-words.ts'
import { actionWords } from './actions.tsx'

/** The names of an entry's details (server/session/audit.ts). Details of an agency's settings have the names of its form. */
const names = {
  accent: 'administration.accent',
  active: 'administration.active',
  address: 'administration.address',
  administrator: 'administration.administrator',
  again: 'administration.detail_again',
  amount: 'administration.account_amount',
  as: 'administration.detail_as',
  bankEntry: 'administration.detail_bank_entry',
  basis: 'administration.detail_basis',
  billingInfo: 'administration.detail_billing',
  blocked: 'administration.detail_blocked',
  brandName: 'administration.brand',
  businessUnits: 'administration.units',
  businessUnitUuid: 'administration.unit',
  by: 'administration.detail_by',
  changeUuid: 'administration.detail_change',
  chosen: 'administration.detail_chosen',
  city: 'administration.city',
  claimed: 'administration.detail_claimed',
  commission: 'administration.account_commission',
  commissionShare: 'administration.detail_share',
  contactInfo: 'administration.detail_contact',
  copiesOfChanges: 'administration.copies_of_changes',
  country: 'administration.country',
  currency: 'administration.currency',
  dateFrom: 'administration.from',
  dateTo: 'administration.to',
  day: 'administration.detail_day',
  density: 'administration.detail_density',
  distributionRole: 'administration.distribution_role',
  earliestBirthDate: 'administration.earliest_birth',
  email: 'administration.email',
  ended: 'administration.detail_sessions_ended',
  entries: 'administration.detail_entries',
  erased: 'administration.detail_erased',
  error: 'administration.last_error',
  fields: 'administration.detail_fields',
  files: 'administration.detail_files',
  format: 'administration.detail_format',
  from: 'administration.from',
  gateway: 'administration.gateway',
  groupBy: 'administration.detail_groups',
  heldSince: 'administration.detail_held_since',
  iban: 'administration.iban',
  invited: 'administration.invited',
  isReversal: 'administration.detail_reversal',
  copied: 'administration.detail_copied',
  kept: 'administration.detail_kept',
  key: 'administration.key',
  kind: 'administration.kind',
  legalName: 'administration.legal_name',
  liftedUntil: 'administration.account_lifted',
  limit: 'administration.account_limit',
  lines: 'administration.detail_lines',
  locale: 'administration.language',
  managementGroup: 'administration.group',
  many: 'administration.detail_recipients',
  month: 'administration.detail_month',
  months: 'administration.detail_months',
  name: 'administration.name',
  namesInBordereau: 'administration.account_names',
  netted: 'administration.account_netted',
  networks: 'administration.audit_network',
  number: 'administration.detail_number',
  object: 'administration.audit_object',
  on: 'administration.account_paid_on',
  outcome: 'administration.audit_outcome',
  ownOnly: 'administration.role_freelancer',
  page: 'administration.detail_page',
  people: 'administration.detail_by',
  period: 'administration.detail_period',
  persons: 'administration.detail_persons',
  phone: 'administration.phone',
  policyUuid: 'administration.policy',
  product: 'administration.product',
  quoteHours: 'administration.quote_hours',
  receivedOn: 'administration.detail_received_on',
  reference: 'administration.account_reference',
  refund: 'administration.detail_refund',
  mended: 'administration.detail_mended',
  refused: 'administration.detail_refused',
  unchanged: 'administration.detail_unchanged',
  report: 'administration.detail_report',
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
  shown: 'administration.detail_shown',
  showSecondLastName: 'administration.second_last_name',
  side: 'administration.detail_side',
  state: 'administration.state',
  statement: 'administration.detail_statement',
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
  until: 'administration.detail_until',
  uuid: 'administration.unit',
  version: 'administration.version',
  way: 'administration.account_direction',
  what: 'administration.audit_action',
  who: 'administration.user',
  withdrawalUuid: 'administration.detail_withdrawal',
  zipCode: 'administration.zip_code',
} as const satisfies Record<string, MessageId>

/** The words for values that are codes. Any other value is shown unchanged: a name, an address, an id. */
const values = {
  accountant: 'administration.role_accountant',
  admin: 'administration.role_admin',
  agency: 'administration.unit',
  answered: 'administration.value_answered',
  budgeted: 'administration.value_budgeted',
  cancellation: 'administration.value_cancellation',
  cancelled: 'administration.value_cancelled',
  certificate: 'administration.value_certificate',
  change: 'administration.value_change',
  claim: 'administration.value_claim',
  closed: 'administration.value_closed',
  comfortable: 'administration.value_comfortable',
  compact: 'administration.value_compact',
  companion: 'administration.value_companion',
  company: 'administration.value_company',
  conditions: 'administration.value_conditions',
  claims: 'administration.bordereau_kind_claims',
  copy: 'administration.value_copy',
  credit_note: 'administration.value_credit_note',
  Deferred: 'administration.gateway_deferred',
  document: 'administration.value_document',
  done: 'administration.outcome_done',
  email: 'administration.email',
  freelancer: 'administration.role_freelancer',
  goodwill: 'administration.value_goodwill',
  in_progress: 'administration.value_in_progress',
  information: 'administration.value_information',
  insured: 'administration.value_insured',
  letter: 'administration.value_letter',
  logo: 'administration.value_logo',
  manager: 'administration.role_manager',
  name: 'administration.name',
  offer: 'administration.value_offer',
  open: 'administration.value_open',
  others: 'administration.value_others',
  proof: 'administration.value_proof',
  paid: 'administration.value_paid_out',
  pending: 'administration.value_pending',
  phone: 'administration.phone',
  policyholder: 'administration.value_policyholder',
  premium: 'administration.bordereau_kind_premium',
  purchased: 'administration.value_purchased',
  queued: 'administration.waiting',
  receipt: 'administration.value_receipt',
  received: 'administration.value_received',
  refused: 'administration.outcome_refused',
  reinstatement: 'administration.value_reinstatement',
  request: 'administration.value_request',
  seller: 'administration.role_seller',
  sent: 'administration.mail_sent',
  StripeV2: 'administration.gateway_card',
  supplement: 'administration.value_supplement',
  support: 'administration.value_support',
  ticket: 'administration.value_ticket',
  traveller: 'administration.value_traveller',
  undo: 'administration.value_undo',
  upload: 'administration.value_upload',
  viewer: 'administration.role_viewer',
  withdrawal: 'administration.detail_withdrawal',
  withdrawn: 'administration.mail_dropped',
  write_off: 'administration.value_write_off',
} as const satisfies Record<FileKind | TicketStatus, MessageId> & Record<string, MessageId>

const isName = (key: string): key is keyof typeof names => Object.hasOwn(names, key)
const isCode = (text: string): text is keyof typeof values => Object.hasOwn(values, text)

/** Returns the name of a detail, or of a path of details. A changed offer of products shows their codes. */
export function detailName(key: string, words: Words): string {
  if (isName(key)) return words(names[key])
  if (isCode(key)) return words(values[key])
  return /^\w+\.\w/.test(key)
    ? key
        .split('.')
        .map(part => detailName(part, words))
        .join(' · ')
    : key
}

/** The portal's functions for words, times and languages. With a currency, the entry's amounts are in it. */
export type Saying = {
  words: Words
  locale: Locale
  moment: (instant: string) => string
  languages: Record<Locale, string>
  currency?: string | undefined
}

/** Returns the currency of an entry's amounts, if it has one. */
export const currencyIn = (details: Record<string, unknown> | null): string | undefined =>
  typeof details?.['currency'] === 'string' ? details['currency'] : undefined

/** Details whose values are codes, each with the function that names them. */
const saidBy: Record<string, (text: string, saying: Saying) => string | undefined> = {
  country: (id, { locale }) => countryName(Number(id), locale),
  locale: (tag, { languages }) => (isLocale(tag) ? languages[tag] : undefined),
  what: (action, { words }) => actionWords(action, words),
  subscriber: (job, { words }) => jobWords(job, words),
  template: (template, { words }) => words('administration.mail_kind', { template }),
  fields: (field, { words }) => detailName(field, words),
  amount: moneyOf,
  commission: moneyOf,
  currency: (code, { locale }) => currencyName(code, locale),
}

function moneyOf(amount: string, { locale, currency }: Saying): string | undefined {
  const cents = toCents(Number(amount))
  return currency !== undefined && cents !== undefined ? formatMoney(cents, locale, currency) : undefined
}

/** Returns `Euro (EUR)`. */
function currencyName(code: string, locale: Locale): string | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined
  const name = new Intl.DisplayNames(intlTag(locale), { type: 'currency', fallback: 'none' }).of(code)
  return name === undefined ? undefined : `${name} (${code})`
}

/** Returns a detail's value in words: the value before and after, yes or no, a list, or the parts of a nested value. */
export function detailText(key: string, value: unknown, saying: Saying): string {
  const { words } = saying
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return words(value ? 'administration.yes' : 'administration.no')
  if (Array.isArray(value)) return value.map(each => detailText(key, each, saying)).join(', ') || '—'
  if (typeof value === 'string' || typeof value === 'number') return saidBy[key]?.(String(value), saying) ?? textOf(String(value), saying)
  if (typeof value !== 'object') return '—'
  if ('before' in value && 'after' in value) return `${detailText(key, value.before, saying)} → ${detailText(key, value.after, saying)}`
  return Object.entries(value)
    .map(([part, each]) => words('administration.detail_part', { name: detailName(part, words), value: detailText(part, each, saying) }))
    .join(' · ')
}

function textOf(text: string, { words, moment }: Saying): string {
  if (isCode(text)) return words(values[text])
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return moment(text)
  return displayDate(text) ?? text
}

/**
 * Returns why an action was refused, with its message: the refusal's, if that needs no parameters, which an entry lacks. An administrator's own
 * reason is not a code, and is shown unchanged.
 */
export function reasonProblem({ action, reason }: { action: string; reason: string | null }): Problem | undefined {
  const [code = ''] = reason?.split(' ') ?? []
  const problem = (key: string): Problem => ({ path: '', rule: code, key })
  const key = own.get(code)
  if (key !== undefined) return problem(key)
  // An external sign-in fails with the name of its error.
  if (action === 'session.oidc' && code !== '') return problem('administration.reason_external')
  return Object.hasOwn(refusals, code) ? problem(`refusal.${code}`) : undefined
}

/** Reasons that need other messages: those with parameters, and a forgotten password for an address without a user. */
const own = new Map([
  ['request.too_many', 'administration.reason_too_many'],
  ['unknown', 'administration.reason_unknown'],
])
