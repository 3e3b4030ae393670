import * as accounts from '#common/administration/account-calls.ts'
import * as audits from '#common/administration/audit-calls.ts'
import * as bordereaux from '#common/administration/bordereau-calls.ts'
import * as catalogues from '#common/administration/catalogue-calls.ts'
import * as overviewCalls from '#common/administration/overview-calls.ts'
import * as payments from '#common/administration/payment-calls.ts'
import * as accountSchemas from '#common/administration/schemas/account.ts'
import * as auditSchemas from '#common/administration/schemas/audit.ts'
import * as bankSchemas from '#common/administration/schemas/bank.ts'
import * as bordereauSchemas from '#common/administration/schemas/bordereau.ts'
import * as catalogueSchemas from '#common/administration/schemas/catalogue.ts'
import * as overviewSchemas from '#common/administration/schemas/overview.ts'
import * as paymentSchemas from '#common/administration/schemas/payment.ts'
import * as unitSchemas from '#common/administration/schemas/unit.ts'
import * as userSchemas from '#common/administration/schemas/user.ts'
import * as workSchemas from '#common/administration/schemas/work.ts'
import * as units from '#common/administration/unit-calls.ts'
import * as users from '#common/administration/user-calls.ts'
import * as work from '#common/administration/work-calls.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { bookAccountPayment, changeTerms, closeMonth, listAccounts, reverse, writeOff } from './accounts/accounts.ts'
import { listBookings } from './accounts/bookings.ts'
import { bordereauFile } from './bordereau/file.ts'
import { listBordereaux } from './bordereau/list.ts'
import { prepareBordereau } from './bordereau/prepare.ts'
import { releaseBordereau } from './bordereau/release.ts'
import { bordereauAsked, bordereauGivenUp, writeBordereau } from './bordereau/write.ts'
import { exportAudit } from './audit/export-audit.ts'
import { listAudit } from './audit/list-audit.ts'
import { bookBankEntries, readBankFile } from './bank/bank.ts'
import { catalogueChanges, catalogueVersions } from './catalogue/catalogue-versions.ts'
import { overview } from './overview.ts'
import { listPaymentReviews, settlePaymentReview, transferReviewedRefund } from './payments/payment-reviews.ts'
import { changeOffer } from './units/change-offer.ts'
import { changeUnit } from './units/change-unit.ts'
import { createUnit } from './units/create-unit.ts'
import { listUnits } from './units/list-units.ts'
import { resumeUnit, suspendUnit } from './units/suspend-unit.ts'
import { viewUnit } from './units/view-unit.ts'
import { changeUser } from './users/change-user.ts'
import { createUser } from './users/create-user.ts'
import { endUserSessions } from './users/end-user-sessions.ts'
import { listUsers, viewUser } from './users/list-users.ts'
import { resetTwoFactor } from './users/reset-two-factor.ts'
import { listJobs, listMails } from './work/list-work.ts'
import { releaseJobs } from './work/release.ts'
import { retryAllJobs } from './work/retry-all.ts'
import { retryJobs, retryMails } from './work/retry.ts'

/** Serves the calls of the administration (b2b-admin). */
export function serveAdministration(context: AppContext, sales: Sales): void {
  const { world } = context
  serve(context, overviewCalls.overview, overviewSchemas.overview, overview(world))
  serve(context, units.listUnits, unitSchemas.listUnits, listUnits(world))
  serve(context, units.viewUnit, unitSchemas.viewUnit, viewUnit(world))
  serve(context, units.createUnit, unitSchemas.createUnit, createUnit(world))
  serve(context, units.changeUnit, unitSchemas.changeUnit, changeUnit(world))
  serve(context, units.changeOffer, unitSchemas.changeOffer, changeOffer(world))
  serve(context, units.suspendUnit, unitSchemas.suspendUnit, suspendUnit(world))
  serve(context, units.resumeUnit, unitSchemas.resumeUnit, resumeUnit(world))
  serve(context, users.listUsers, userSchemas.listUsers, listUsers(world))
  serve(context, users.viewUser, userSchemas.viewUser, viewUser(world))
  serve(context, users.createUser, userSchemas.createUser, createUser(world))
  serve(context, users.changeUser, userSchemas.changeUser, changeUser(world))
  serve(context, users.endUserSessions, userSchemas.endUserSessions, endUserSessions(world))
  serve(context, users.resetTwoFactor, userSchemas.resetTwoFactor, resetTwoFactor(world))
  serve(context, audits.listAudit, auditSchemas.listAudit, listAudit(world))
  serve(context, audits.exportAudit, auditSchemas.exportAudit, exportAudit(world))
  serve(context, work.listJobs, workSchemas.listJobs, listJobs(world))
  serve(context, work.retryJobs, workSchemas.retryJobs, retryJobs(world))
  serve(context, work.retryAllJobs, workSchemas.retryAllJobs, retryAllJobs(world))
  serve(context, work.releaseJobs, workSchemas.releaseJobs, releaseJobs(world))
  serve(context, work.listMails, workSchemas.listMails, listMails(world))
  serve(context, work.retryMails, workSchemas.retryMails, retryMails(world))
  serve(context, accounts.listAccounts, accountSchemas.listAccounts, listAccounts(world))
  serve(context, accounts.changeAccountTerms, accountSchemas.changeAccountTerms, changeTerms(world))
  serve(context, accounts.bookAccountPayment, accountSchemas.bookAccountPayment, bookAccountPayment(world))
  serve(context, accounts.writeOffAccount, accountSchemas.writeOffAccount, writeOff(world))
  serve(context, accounts.listAccountBookings, accountSchemas.listAccountBookings, listBookings(world))
  serve(context, accounts.reverseAccountBooking, accountSchemas.reverseAccountBooking, reverse(world))
  serve(context, accounts.closeAccountMonth, accountSchemas.closeAccountMonth, closeMonth(world))
  serve(context, accounts.readBankFile, bankSchemas.readBankFile, readBankFile(world))
  serve(context, accounts.bookBankEntries, bankSchemas.bookBankEntries, bookBankEntries(world))
  serve(context, bordereaux.listBordereaux, bordereauSchemas.listBordereaux, listBordereaux(world))
  serve(context, bordereaux.prepareBordereau, bordereauSchemas.prepareBordereau, prepareBordereau(world))
  serve(context, bordereaux.releaseBordereau, bordereauSchemas.releaseBordereau, releaseBordereau(world))
  serve(context, bordereaux.bordereauFile, bordereauSchemas.bordereauFile, bordereauFile(world))
  world.outbox.subscribe(bordereauAsked, 'administration.bordereau', writeBordereau(world), { givingUp: bordereauGivenUp(world) })
  serve(context, payments.listPaymentReviews, paymentSchemas.listPaymentReviews, listPaymentReviews(world))
  serve(context, payments.settlePaymentReview, paymentSchemas.settlePaymentReview, settlePaymentReview(world))
  serve(context, payments.transferReviewedRefund, paymentSchemas.transferReviewedRefund, transferReviewedRefund(sales))
  serve(context, catalogues.catalogueVersions, catalogueSchemas.catalogueVersions, catalogueVersions(world))
  serve(context, catalogues.catalogueChanges, catalogueSchemas.catalogueChanges, catalogueChanges(world))
}
