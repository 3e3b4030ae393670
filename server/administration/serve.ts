import * as audits from '#common/administration/audit-calls.ts'
import * as catalogues from '#common/administration/catalogue-calls.ts'
import { overview as overviewCall } from '#common/administration/overview-calls.ts'
import * as payments from '#common/administration/payment-calls.ts'
import * as auditSchemas from '#common/administration/schemas/audit.ts'
import * as catalogueSchemas from '#common/administration/schemas/catalogue.ts'
import * as overviewSchemas from '#common/administration/schemas/overview.ts'
import * as paymentSchemas from '#common/administration/schemas/payment.ts'
import * as unitSchemas from '#common/administration/schemas/unit.ts'
import * as userSchemas from '#common/administration/schemas/user.ts'
import * as workSchemas from '#common/administration/schemas/work.ts'
import * as units from '#common/administration/unit-calls.ts'
import * as users from '#common/administration/user-calls.ts'
import * as work from '#common/administration/work-calls.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { exportAudit } from './audit/export-audit.ts'
import { listAudit } from './audit/list-audit.ts'
import { catalogueChanges, catalogueVersions } from './catalogue/catalogue-versions.ts'
import { overview } from './overview.ts'
import { listPaymentReviews, settlePaymentReview } from './payments/payment-reviews.ts'
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
export function serveAdministration(front: Front): void {
  const { world } = front
  serve(front, overviewCall, overviewSchemas.overview, overview(world))
  serve(front, units.listUnits, unitSchemas.listUnits, listUnits(world))
  serve(front, units.viewUnit, unitSchemas.viewUnit, viewUnit(world))
  serve(front, units.createUnit, unitSchemas.createUnit, createUnit(world))
  serve(front, units.changeUnit, unitSchemas.changeUnit, changeUnit(world))
  serve(front, units.changeOffer, unitSchemas.changeOffer, changeOffer(world))
  serve(front, units.suspendUnit, unitSchemas.suspendUnit, suspendUnit(world))
  serve(front, units.resumeUnit, unitSchemas.resumeUnit, resumeUnit(world))
  serve(front, users.listUsers, userSchemas.listUsers, listUsers(world))
  serve(front, users.viewUser, userSchemas.viewUser, viewUser(world))
  serve(front, users.createUser, userSchemas.createUser, createUser(world))
  serve(front, users.changeUser, userSchemas.changeUser, changeUser(world))
  serve(front, users.endUserSessions, userSchemas.endUserSessions, endUserSessions(world))
  serve(front, users.resetTwoFactor, userSchemas.resetTwoFactor, resetTwoFactor(world))
  serve(front, audits.listAudit, auditSchemas.listAudit, listAudit(world))
  serve(front, audits.exportAudit, auditSchemas.exportAudit, exportAudit(world))
  serve(front, work.listJobs, workSchemas.listJobs, listJobs(world))
  serve(front, work.retryJobs, workSchemas.retryJobs, retryJobs(world))
  serve(front, work.retryAllJobs, workSchemas.retryAllJobs, retryAllJobs(world))
  serve(front, work.releaseJobs, workSchemas.releaseJobs, releaseJobs(world))
  serve(front, work.listMails, workSchemas.listMails, listMails(world))
  serve(front, work.retryMails, workSchemas.retryMails, retryMails(world))
  serve(front, payments.listPaymentReviews, paymentSchemas.listPaymentReviews, listPaymentReviews(world))
  serve(front, payments.settlePaymentReview, paymentSchemas.settlePaymentReview, settlePaymentReview(world))
  serve(front, catalogues.catalogueVersions, catalogueSchemas.catalogueVersions, catalogueVersions(world))
  serve(front, catalogues.catalogueChanges, catalogueSchemas.catalogueChanges, catalogueChanges(world))
}
