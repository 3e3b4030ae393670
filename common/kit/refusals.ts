import type { Problem } from './problems.ts'

/**
 * All refusals: a stable code with its HTTP status. Its message has the key `refusal.<code>`.
 * Portal, integrators and tests read the same list.
 */
export const refusals = {
  'request.malformed': 400,
  'session.missing': 401,
  'session.bad_credentials': 401,
  'session.bad_token': 401,
  'session.code_needed': 401,
  'session.bad_code': 401,
  'session.forbidden': 403,
  'session.unit_token': 403,
  'session.foreign_origin': 403,
  'session.two_factor_needed': 403,
  'agency.above_own': 403,
  'withdraw.not_holder': 403,
  'request.not_found': 404,
  'request.method': 405,
  'request.conflict': 409,
  'idempotency.running': 409,
  'agency.changed': 409,
  'agency.last_manager': 409,
  'agency.user_elsewhere': 409,
  'agency.email_fixed': 409,
  'agency.still_invited': 409,
  'agency.not_invited': 409,
  'session.two_factor_on': 409,
  'session.two_factor_off': 409,
  'session.two_factor_required': 409,
  'quote.price_changed': 409,
  'policy.blocked': 410,
  'policy.erased': 410,
  'policy.not_deletable': 409,
  'policy.not_sendable': 409,
  'policy.not_replaceable': 409,
  'policy.not_purchasable': 409,
  'policy.incomplete': 409,
  'policy.price_expired': 409,
  'policy.too_many_views': 409,
  'catalogue.lacks': 409,
  'change.not_sold': 409,
  'change.cancelled': 409,
  'change.stale': 409,
  'change.pending': 409,
  'change.ended': 409,
  'change.claimed': 409,
  'change.started': 409,
  'change.names_closed': 409,
  'change.tax_place': 409,
  'change.price_changed': 409,
  'change.expired': 409,
  'change.account_only': 409,
  'cancel.already': 409,
  'cancel.stale': 409,
  'cancel.ended': 409,
  'cancel.claimed': 409,
  'cancel.started': 409,
  'cancel.no_refund': 409,
  'withdraw.none': 409,
  'withdraw.claimed': 409,
  'reinstate.not_cancelled': 409,
  'reinstate.withdrawn': 409,
  'reinstate.started': 409,
  'reinstate.late': 409,
  'renew.early': 409,
  'renew.not_renewable': 409,
  'account.limit': 409,
  'account.overdue': 409,
  'account.booked_before': 409,
  'account.beyond_balance': 409,
  'account.not_reversible': 409,
  'account.month_closed': 409,
  'account.month_not_over': 409,
  'account.month_before': 409,
  'account.month_empty': 409,
  'payment.not_paid': 409,
  'payment.processing': 409,
  'payment.cancelled': 409,
  'payment.refunded': 409,
  'payment.in_review': 409,
  'payment.card_declined': 409,
  'payment.insufficient_funds': 409,
  'payment.expired_card': 409,
  'payment.incorrect_cvc': 409,
  'payment.incorrect_number': 409,
  'payment.processing_error': 409,
  'payment.authentication_required': 409,
  'payment.authentication_failed': 409,
  'administration.changed_meanwhile': 409,
  'administration.suspended_already': 409,
  'administration.not_suspended': 409,
  'administration.own_access': 409,
  'administration.settled_already': 409,
  'administration.refund_not_owed': 409,
  'administration.refunded_at_network': 409,
  'bordereau.not_over': 409,
  'bordereau.not_closed': 409,
  'bordereau.released': 409,
  'bordereau.not_prepared': 409,
  'bordereau.failed': 409,
  'bordereau.same_person': 409,
  'bordereau.new_administrator': 409,
  'bordereau.unequal': 409,
  'privacy.preview_changed': 409,
  'report.too_many_running': 409,
  'report.too_many_schedules': 409,
  'report.too_many_own_schedules': 409,
  'file.lost': 410,
  'request.too_large': 413,
  'request.media_type': 415,
  'validation.failed': 422,
  'session.wrong_password': 422,
  'session.wrong_code': 422,
  'idempotency.mismatch': 422,
  'change.nothing': 422,
  'change.nothing_to_pay': 422,
  'coverage.origin': 422,
  'coverage.destination': 422,
  'quote.too_long': 422,
  'quote.too_short': 422,
  'quote.pax': 422,
  'quote.season': 422,
  'quote.term': 422,
  'quote.age': 422,
  'quote.cost': 422,
  'quote.cancellation_window': 422,
  'request.too_many': 429,
  'session.too_many': 429,
  'session.codes_spent': 429,
  'service.defect': 500,
  'service.unavailable': 503,
  'payment.unavailable': 503,
} as const satisfies Record<string, number>

export type RefusalCode = keyof typeof refusals

/** Message parameters, seconds until a retry, invalid fields, and other data for the caller. */
export type RefusalDetails = {
  params?: Record<string, string | number>
  retryAfter?: number
  fields?: Problem[]
  data?: unknown
}

/** Thrown to refuse a request, and converted to the envelope in one place. Any other error is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }

  get status(): number {
    return refusals[this.code]
  }
}

/** Refuses a well-formed request whose content breaks rules: one problem per field. */
export const refuseFields = (fields: Problem[]): Refusal => new Refusal('validation.failed', { fields })
