import * as calls from '#common/administration/calls.ts'
import * as accountSchemas from '#common/administration/schemas/account.ts'
import * as auditSchemas from '#common/administration/schemas/audit.ts'
import * as bankSchemas from '#common/administration/schemas/bank.ts'
import * as bordereauSchemas from '#common/administration/schemas/bordereau.ts'
import * as catalogueSchemas from '#common/administration/schemas/catalogue.ts'
import * as paymentSchemas from '#common/administration/schemas/payment.ts'
import * as unitSchemas from '#common/administration/schemas/unit.ts'
import * as userSchemas from '#common/administration/schemas/user.ts'
import * as workSchemas from '#common/administration/schemas/work.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { bookAccountPayment, changeTerms, closeMonth, listAccounts, listBookings, reverse, writeOff } from './accounts/accounts.ts'
import { bordereauFile } from './bordereau/file.ts'
import { listBordereaux } from './bordereau/describe.ts'
import { prepareBordereau } from './bordereau/prepare.ts'
import { releaseBordereau } from './bordereau/release.ts'
import { bordereauAsked, bordereauGivenUp, writeBordereau } from './bordereau/write.ts'
import { exportAudit } from './audit/export-audit.ts'
import { listAudit } from './audit/list-audit.ts'
import { bookBankEntries, readBankFile } from './bank.ts'
import { catalogueChanges, catalogueVersions } from './catalogue/catalogue-versions.ts'
import { listPaymentReviews, settlePaymentReview, transferReviewedRefund } from './payments/payment-reviews.ts'
import { changeOffer } from './units/change-offer.ts'
import { changeUnit } from './units/change-unit.ts'
import { createUnit } from './units/create-unit.ts'
import { resumeUnit, suspendUnit } from './units/suspend-unit.ts'
import { listUnits, viewUnit } from './units/describe.ts'
import { changeUser } from './users/change-user.ts'
import { createUser } from './users/create-user.ts'
import { endUserSessions, resetTwoFactor } from './users/end-access.ts'
import { listUsers, viewUser } from './users/describe.ts'
import { listJobs, listMails, overview } from './work/list-work.ts'
import { releaseJobs, retryAllJobs } from './work/retry-all.ts'
import { retryJobs, retryMails } from './work/retry.ts'

/** Serves the calls of the administration (b2b-admin). */
export function serveAdministration(context: AppContext, sales: Sales): void {
  const { world } = context
  world.outbox.subscribe(bordereauAsked, 'administration.bordereau', writeBordereau(world), { givingUp: bordereauGivenUp(world) })
  serveAll(
    context,
    calls,
    {
      ...unitSchemas,
      ...userSchemas,
      ...auditSchemas,
      ...workSchemas,
      ...accountSchemas,
      ...bankSchemas,
      ...bordereauSchemas,
      ...paymentSchemas,
      ...catalogueSchemas,
    },
    {
      overview: overview(world),
      listUnits: listUnits(world),
      viewUnit: viewUnit(world),
      createUnit: createUnit(world),
      changeUnit: changeUnit(world),
      changeOffer: changeOffer(world),
      suspendUnit: suspendUnit(world),
      resumeUnit: resumeUnit(world),
      listUsers: listUsers(world),
      viewUser: viewUser(world),
      createUser: createUser(world),
      changeUser: changeUser(world),
      endUserSessions: endUserSessions(world),
      resetTwoFactor: resetTwoFactor(world),
      listAudit: listAudit(world),
      exportAudit: exportAudit(world),
      listJobs: listJobs(world),
      retryJobs: retryJobs(world),
      retryAllJobs: retryAllJobs(world),
      releaseJobs: releaseJobs(world),
      listMails: listMails(world),
      retryMails: retryMails(world),
      listAccounts: listAccounts(world),
      changeAccountTerms: changeTerms(world),
      bookAccountPayment: bookAccountPayment(world),
      writeOffAccount: writeOff(world),
      listAccountBookings: listBookings(world),
      reverseAccountBooking: reverse(world),
      closeAccountMonth: closeMonth(world),
      readBankFile: readBankFile(world),
      bookBankEntries: bookBankEntries(world),
      listBordereaux: listBordereaux(world),
      prepareBordereau: prepareBordereau(world),
      releaseBordereau: releaseBordereau(world),
      bordereauFile: bordereauFile(world),
      listPaymentReviews: listPaymentReviews(world),
      settlePaymentReview: settlePaymentReview(world),
      transferReviewedRefund: transferReviewedRefund(sales),
      catalogueVersions: catalogueVersions(world),
      catalogueChanges: catalogueChanges(world),
    },
  )
}
