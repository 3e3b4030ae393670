import { callsOf } from '#common/kit/calls-of.ts'
import type * as account from './schemas/account.ts'
import type * as audit from './schemas/audit.ts'
import type * as bank from './schemas/bank.ts'
import type * as bordereau from './schemas/bordereau.ts'
import type * as catalogue from './schemas/catalogue.ts'
import type * as payment from './schemas/payment.ts'
import type * as unit from './schemas/unit.ts'
import type * as user from './schemas/user.ts'
import type * as work from './schemas/work.ts'

type Schemas = typeof account &
  typeof audit &
  typeof bank &
  typeof bordereau &
  typeof catalogue &
  typeof payment &
  typeof unit &
  typeof user &
  typeof work

const call = callsOf<Schemas>()('administration')

export const overview = call<'overview'>('GET', '/api/administration/overview')

export const listUnits = call<'listUnits'>('POST', '/api/administration/units/list')
export const viewUnit = call<'viewUnit'>('GET', '/api/administration/units/{uuid}')
export const createUnit = call<'createUnit'>('POST', '/api/administration/units')
export const changeUnit = call<'changeUnit'>('PUT', '/api/administration/units/{uuid}')
export const changeOffer = call<'changeOffer'>('PUT', '/api/administration/units/{uuid}/offer')
export const suspendUnit = call<'suspendUnit'>('POST', '/api/administration/units/{uuid}/suspend')
export const resumeUnit = call<'resumeUnit'>('POST', '/api/administration/units/{uuid}/resume')

export const listUsers = call<'listUsers'>('POST', '/api/administration/users/list')
export const viewUser = call<'viewUser'>('GET', '/api/administration/users/{uuid}')
export const createUser = call<'createUser'>('POST', '/api/administration/users')
export const changeUser = call<'changeUser'>('PUT', '/api/administration/users/{uuid}')
export const endUserSessions = call<'endUserSessions'>('POST', '/api/administration/users/{uuid}/end-sessions')
export const resetTwoFactor = call<'resetTwoFactor'>('POST', '/api/administration/users/{uuid}/reset-two-factor')

export const listAudit = call<'listAudit'>('POST', '/api/administration/audit/list')
export const exportAudit = call<'exportAudit'>('POST', '/api/administration/audit/export')

export const listJobs = call<'listJobs'>('POST', '/api/administration/jobs/list')
export const retryJobs = call<'retryJobs'>('POST', '/api/administration/jobs/retry')
export const retryAllJobs = call<'retryAllJobs'>('POST', '/api/administration/jobs/retry-all')
export const releaseJobs = call<'releaseJobs'>('POST', '/api/administration/jobs/release')
export const listMails = call<'listMails'>('POST', '/api/administration/mails/list')
export const retryMails = call<'retryMails'>('POST', '/api/administration/mails/retry')

export const listAccounts = call<'listAccounts'>('POST', '/api/administration/accounting/list')
export const changeAccountTerms = call<'changeAccountTerms'>('POST', '/api/administration/accounting/limit')
export const bookAccountPayment = call<'bookAccountPayment'>('POST', '/api/administration/accounting/payment')
export const writeOffAccount = call<'writeOffAccount'>('POST', '/api/administration/accounting/write-off')
export const listAccountBookings = call<'listAccountBookings'>('POST', '/api/administration/accounting/bookings')
export const reverseAccountBooking = call<'reverseAccountBooking'>('POST', '/api/administration/accounting/bookings/reverse')
export const readBankFile = call<'readBankFile'>('POST', '/api/administration/accounting/bank')
export const bookBankEntries = call<'bookBankEntries'>('POST', '/api/administration/accounting/bank/book')
export const closeAccountMonth = call<'closeAccountMonth'>('POST', '/api/administration/accounting/close')

export const listBordereaux = call<'listBordereaux'>('POST', '/api/administration/bordereau/list')
export const prepareBordereau = call<'prepareBordereau'>('POST', '/api/administration/bordereau')
export const releaseBordereau = call<'releaseBordereau'>('POST', '/api/administration/bordereau/release')
export const bordereauFile = call<'bordereauFile'>('POST', '/api/administration/bordereau/file')

export const listPaymentReviews = call<'listPaymentReviews'>('POST', '/api/administration/payments/list')
export const settlePaymentReview = call<'settlePaymentReview'>('POST', '/api/administration/payments/{uuid}/settle')
export const transferReviewedRefund = call<'transferReviewedRefund'>('POST', '/api/administration/payments/{uuid}/transfer')

export const catalogueVersions = call<'catalogueVersions'>('GET', '/api/administration/catalogue')
export const catalogueChanges = call<'catalogueChanges'>('GET', '/api/administration/catalogue/changes')
