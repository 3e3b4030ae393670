import type { FileKind } from '#common/documents/kinds.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { erasureOf, type PersonErasure, personFieldNames, personFields } from '#common/people/person.ts'
import type * as calls from '#common/privacy/calls.ts'
import { type DataClass, dataClasses, recordTimes } from '#common/privacy/classes.ts'

/** The class of everything a column may hold about a person; `none` for codes, keys, states and texts of the product. */
type Columns = Partial<Record<DataClass | 'none', string>>

/** Returns the columns of people's facts that an erasure removes in one of these ways. */
const factColumns = (...erased: PersonErasure[]): string =>
  personFieldNames
    .filter(field => erased.includes(erasureOf(field)))
    .map(field => personFields[field].column)
    .join(' ')

/**
 * Every column of text, JSON or bytes, and every other column of a table with persons, by the class of personal data that it may hold (docs/privacy.md). A new
 * column is entered here, or a test fails; one about a person must also be erased with its class (retention).
 */
export const columns: Record<string, Columns> = {
  account_bookings: { none: 'way currency reference reason' },
  account_headroom: { none: 'currency' },
  account_notices: { none: 'kind subject' },
  account_terms: { none: 'currency' },
  allowances: { none: 'kind' },
  audit: { audit: 'reason network user_agent details', none: 'action object outcome request_id id at business_unit_id user_id' },
  audit_repeats: { audit: 'network', none: 'action reason audit_id hour user_id times last_at' },
  blocked_data: { blocked: 'sealed', none: 'kind cause sealed_by business_unit_id id object_id blocked_at until' },
  blocked_people: { blocked: 'document_hash birth_date_hash email_hash name_hash', none: 'business_unit_id blocked_id position' },
  bordereau_files: { none: 'name sha256' },
  bordereau_parts: { bordereau: 'content', none: 'name bordereau_id position' },
  bordereau_units: { none: 'kind' },
  bordereaux: { none: 'kind state sums claims' },
  business_unit_changes: { agency: 'changes', none: 'business_unit_id version at user_id' },
  business_units: { agency: 'settings', none: 'key set_by_hand id suspended created_at updated_at version' },
  catalogue_versions: { none: 'hash content' },
  claim_steps: { none: 'status' },
  client_finds: { session: 'number_hash network', none: 'id at' },
  client_tokens: { policy: 'recipient_hash', none: 'token_hash purpose business_unit_id policy_id link_id created_at expires_at' },
  commission_shares: { user: 'share_bp', none: 'business_unit_id user_id month set_at set_by' },
  files: {
    policy: 'name',
    none: 'kind media_type locale state sha256 sealed_by business_unit_id id content_id size user_id policy_id quote_id product_id created_at policy_version replaced_by',
  },
  geo_states: { none: 'code name cities' },
  geo_version: { none: 'source' },
  holds: { policy: 'reason', none: 'kind business_unit_id id object_id until user_id at lifted_at' },
  idempotency: { reply: 'reply sealed', none: 'key call question_hash sealed_by business_unit_id user_id status claimed_at' },
  jobs: { job: 'payload last_error', none: 'topic subscriber state business_unit_id id attempts run_at created_at finished_at lost' },
  known_devices: { session: 'token_hash', none: 'proven_by user_id used_at' },
  mails: {
    mail: 'recipient_name recipient_address subject text_body html_body attachments content reason',
    none: 'template state business_unit_id id at finished_at about',
  },
  memberships: { user: 'invited_name', none: 'roles business_unit_id user_id rank active created_at invited_at accepted_at access_from' },
  money_book: { none: 'kind currency taxes' },
  one_time_tokens: { session: 'token_hash flow_hash', none: 'purpose user_id expires_at used_at invited_to' },
  open_changes: {
    policy: 'asked step sealed offered_to',
    user: 'user_name',
    none: 'kind state request_key sealed_by business_unit_id id policy_id from_version at until ended_at user_id payment_id difference_cents',
  },
  paper_logos: { none: 'sha256 kind content' },
  paper_sources: { policy: 'source', none: 'sealed_by logo_sha256 business_unit_id content_id' },
  payment_events: { none: 'event_id kind intent_id' },
  payment_reviews: { none: 'reason details resolution' },
  payments: {
    none: 'gateway currency state idempotency_key request_key intent_id purpose amount_cents business_unit_id check_at created_at gateway_id id policy_id policy_version received_cents refunded_cents settled settled_at settled_id user_id',
  },
  person_copies: {
    copy: 'token_hash document_hash birth_date_hash email_hash name_hash',
    none: 'business_unit_id id request_id made_at expires_at spent_at',
  },
  person_requests: {
    policy: 'reason extension closing outcome',
    none: 'kind asked_by locale business_unit_id id at due_on user_id done_at received_on',
  },
  policies: {
    policy: 'taker taker_sort reference reference_sort search',
    user: 'seller_name seller_sort',
    none: 'status number product_name product_sort locale currency ended_kind business_unit_id id version product_id seller_id start_date end_date total_cents complete price_valid_until created_at updated_at purchased_at commission_cents sold_version sold_cents ended_at cover_ends paid erased_at renews renewal_judged',
  },
  policy_deeds: {
    policy: 'asked note',
    user: 'user_name',
    none: 'kind request_key basis reason currency routes business_unit_id id policy_id from_version to_version at user_id wait_until difference_cents charge_cents refund_cents stopped_cents kept_cents waived_cents commission_cents withdrawal_id',
  },
  policy_history: { user: 'user_name', none: 'what details business_unit_id policy_id id at user_id' },
  policy_notices: { none: 'kind at business_unit_id policy_id user_id' },
  policy_people: {
    policy: `${factColumns('all', 'toDecade')} sealed document_hash name_sort given_sort person_id`,
    none: `${factColumns('nothing')} sealed_by business_unit_id policy_id version position holder traveller identification_type_id premium_cents`,
  },
  policy_price_lines: { none: 'kind code' },
  policy_versions: {
    policy: 'content',
    none: 'tariff_version currency business_unit_id policy_id version at user_id role_first_user pax_number catalogue_version product_version total_cents tariff_premium_cents',
  },
  policy_views: { view: 'name params', none: 'list hidden business_unit_id user_id id slot created_at' },
  product_versions: { none: 'hash content' },
  products: { none: 'code' },
  quote_links: {
    policy: 'message recipient_hash answered_by',
    none: 'decision reason proof_sha256 business_unit_id id at user_id opened_at completed_at decided_policy decided_at revoked_at',
  },
  quotes: { quote: 'question answer', none: 'tariff_version business_unit_id id user_id product_id created_at valid_until' },
  recovery_codes: { none: 'code_hash used_at user_id' },
  refunds: { none: 'currency reason state idempotency_key provider_refund_id transfer_reference' },
  report_parts: { report: 'content', none: 'business_unit_id report_id attempt position' },
  report_schedules: {
    none: 'choice period business_unit_id created_at hour id month_day next_at own_slot recipients slot user_id weekday',
  },
  reports: { report: 'choice', none: 'locale state business_unit_id id readers own_of schedule_id from_day to_day attempt created_at' },
  retention_counts: { none: 'class what' },
  retention_runs: { none: 'counts' },
  second_factors: { user: 'secret', none: 'sealed_by user_id last_step created_at confirmed_at' },
  sessions: { session: 'network user_agent', none: 'token_hash id user_id created_at last_seen_at ended_at' },
  sign_in_failures: { session: 'email_hash network', none: 'kind id at' },
  statement_sums: { none: 'way kind' },
  statements: { none: 'number currency' },
  tariffs: { none: 'version hash content' },
  ticket_reads: { none: 'business_unit_id position ticket_id user_id' },
  ticket_messages: {
    ticket: 'author body sealed',
    none: 'mail_id sealed_by business_unit_id ticket_id position id at from_support user_id',
  },
  tickets: {
    ticket: 'form subject description contact_name contact_email contact_phone search sealed',
    user: 'user_name',
    none: 'reference kind type_key status policy_number locale sealed_by business_unit_id id policy_id incident_date user_id messages created_at updated_at misfiled entry_id',
  },
  unit_gateways: { none: 'name' },
  users: { user: 'email name password_hash', none: 'locale density id active created_at last_sign_in_at administrator' },
  withdrawals: {
    policy: 'name confirm_to',
    none: 'basis currency way request_key request_hash business_unit_id id policy_id policy_version at claimed refund_cents refund_by',
  },
  wrong_codes: { session: 'source', none: 'id user_id at' },
}

/** The class of data that a stored file of each kind may hold. */
export const files: Record<FileKind, DataClass | 'none'> = {
  cancellation: 'policy',
  withdrawal: 'policy',
  supplement: 'policy',
  certificate: 'policy',
  receipt: 'policy',
  credit_note: 'policy',
  information: 'none',
  conditions: 'none',
  offer: 'policy',
  proof: 'policy',
  upload: 'policy',
  ticket: 'ticket',
  logo: 'none',
  copy: 'copy',
  // It contains no name.
  letter: 'none',
}

type Processing = ResponseSentOf<typeof calls.processingRecord>

const tablesOf = (of: DataClass): Processing['classes'][number]['tables'] =>
  Object.entries(columns).flatMap(([name, classes]) => {
    const own = classes[of]?.split(' ')
    return own ? [{ name, columns: own }] : []
  })

const filesOf = (of: DataClass): string[] => Object.entries(files).flatMap(([kind, its]) => (its === of ? [kind] : []))

/** The record of processing, from the registry. Messages say what data is stored, why and about whom. */
export const processingRecord: Processing = {
  classes: dataClasses.map(each => ({ class: each, tables: tablesOf(each), files: filesOf(each) })),
  times: recordTimes,
}
