import type { FileKind } from '#common/documents/kinds.ts'
import type { DataClass } from '#common/privacy/classes.ts'

/** The class of everything a column may hold about a person; `none` for codes, keys, states and texts of the product. */
type Columns = Partial<Record<DataClass | 'none', string>>

/**
 * Every column of text, JSON or bytes, by the class of personal data that it may hold (docs/privacy.md). A new column is entered here, or a test
 * fails; one that holds something about a person also has to leave with its class (retention).
 */
export const columns: Record<string, Columns> = {
  account_bookings: { none: 'way currency reference reason' },
  account_headroom: { none: 'currency' },
  account_notices: { none: 'kind subject' },
  account_terms: { none: 'currency' },
  allowances: { none: 'kind' },
  audit: { audit: 'reason network user_agent details', none: 'action object outcome request_id' },
  audit_repeats: { audit: 'network', none: 'action reason' },
  blocked_data: { blocked: 'sealed', none: 'kind cause sealed_by' },
  blocked_people: { blocked: 'document_hash birth_date_hash email_hash name_hash' },
  bordereau_files: { none: 'name sha256' },
  bordereau_parts: { bordereau: 'content', none: 'name' },
  bordereau_units: { none: 'kind' },
  bordereaux: { none: 'kind state sums claims' },
  business_unit_changes: { agency: 'changes' },
  business_units: { agency: 'settings', none: 'key set_by_hand' },
  catalogue_versions: { none: 'hash content' },
  claim_steps: { none: 'status' },
  client_finds: { session: 'number_hash network' },
  client_tokens: { policy: 'recipient_hash', none: 'token_hash purpose' },
  files: { policy: 'name', none: 'kind media_type locale state sha256 sealed_by' },
  geo_states: { none: 'code name cities' },
  geo_version: { none: 'source' },
  holds: { policy: 'reason', none: 'kind' },
  idempotency: { reply: 'reply sealed', none: 'key call question_hash sealed_by' },
  jobs: { job: 'payload last_error', none: 'topic subscriber state' },
  known_devices: { session: 'token_hash', none: 'proven_by' },
  mails: {
    mail: 'recipient_name recipient_address subject text_body html_body attachments content reason',
    none: 'template state',
  },
  memberships: { user: 'invited_name', none: 'roles' },
  money_book: { none: 'kind currency taxes' },
  one_time_tokens: { session: 'token_hash flow_hash', none: 'purpose' },
  open_changes: { policy: 'asked step sealed offered_to', user: 'user_name', none: 'kind state request_key sealed_by' },
  paper_logos: { none: 'sha256 kind content' },
  paper_sources: { policy: 'source', none: 'sealed_by logo_sha256' },
  payment_events: { none: 'event_id kind intent_id' },
  payment_reviews: { none: 'reason details resolution' },
  payments: { none: 'gateway currency state idempotency_key request_key intent_id purpose' },
  person_copies: { copy: 'token_hash document_hash birth_date_hash email_hash name_hash' },
  person_requests: { policy: 'reason extension closing outcome', none: 'kind asked_by locale' },
  policies: {
    policy: 'taker taker_sort reference reference_sort search',
    user: 'seller_name seller_sort',
    none: 'status number product_name product_sort locale currency ended_kind',
  },
  policy_deeds: { policy: 'asked note', user: 'user_name', none: 'kind request_key basis reason currency routes' },
  policy_history: { user: 'user_name', none: 'what details' },
  policy_notices: { none: 'kind' },
  policy_people: {
    policy:
      'name middle_name last_name company_name document_number sealed document_hash email phone_prefix phone_number address city state zip_code name_sort given_sort',
    none: 'document_kind sealed_by',
  },
  policy_price_lines: { none: 'kind code' },
  policy_versions: { policy: 'content', none: 'tariff_version currency' },
  policy_views: { view: 'name params', none: 'list hidden' },
  product_versions: { none: 'hash content' },
  products: { none: 'code' },
  quotes: { quote: 'question answer', none: 'tariff_version' },
  recovery_codes: { none: 'code_hash' },
  refunds: { none: 'currency reason state idempotency_key provider_refund_id transfer_reference' },
  report_parts: { report: 'content' },
  report_schedules: { none: 'choice period' },
  reports: { report: 'choice', none: 'locale state' },
  retention_counts: { none: 'class what' },
  retention_runs: { none: 'counts' },
  second_factors: { user: 'secret', none: 'sealed_by' },
  sessions: { session: 'network user_agent', none: 'token_hash' },
  sign_in_failures: { session: 'email_hash network', none: 'kind' },
  statement_sums: { none: 'way kind' },
  statements: { none: 'number currency' },
  tariffs: { none: 'version hash content' },
  ticket_messages: { ticket: 'author body sealed', none: 'mail_id sealed_by' },
  tickets: {
    ticket: 'form subject description contact_name contact_email contact_phone search sealed',
    user: 'user_name',
    none: 'reference kind type_key status policy_number locale sealed_by',
  },
  unit_gateways: { none: 'name' },
  users: { user: 'email name password_hash', none: 'locale density' },
  withdrawals: { policy: 'name confirm_to', none: 'basis currency way request_key request_hash' },
  wrong_codes: { session: 'source' },
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
  upload: 'policy',
  ticket: 'ticket',
  logo: 'none',
  copy: 'copy',
  // It has no name.
  letter: 'none',
}
