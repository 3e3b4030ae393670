import * as audits from '#common/administration/audit-calls.ts'
import * as catalogues from '#common/administration/catalogue-calls.ts'
import { overview as overviewCall } from '#common/administration/overview-calls.ts'
import * as payments from '#common/administration/payment-calls.ts'
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

/** What b2b-admin does for the whole service. */
export function serveAdministration(front: Front): void {
  const { world } = front
  serve(front, overviewCall, overview(world))
  serve(front, units.listUnits, listUnits(world))
  serve(front, units.viewUnit, viewUnit(world))
  serve(front, units.createUnit, createUnit(world))
  serve(front, units.changeUnit, changeUnit(world))
  serve(front, units.changeOffer, changeOffer(world))
  serve(front, units.suspendUnit, suspendUnit(world))
  serve(front, units.resumeUnit, resumeUnit(world))
  serve(front, users.listUsers, listUsers(world))
  serve(front, users.viewUser, viewUser(world))
  serve(front, users.createUser, createUser(world))
  serve(front, users.changeUser, changeUser(world))
  serve(front, users.endUserSessions, endUserSessions(world))
  serve(front, users.resetTwoFactor, resetTwoFactor(world))
  serve(front, audits.listAudit, listAudit(world))
  serve(front, audits.exportAudit, exportAudit(world))
  serve(front, work.listJobs, listJobs(world))
  serve(front, work.retryJobs, retryJobs(world))
  serve(front, work.retryAllJobs, retryAllJobs(world))
  serve(front, work.releaseJobs, releaseJobs(world))
  serve(front, work.listMails, listMails(world))
  serve(front, work.retryMails, retryMails(world))
  serve(front, payments.listPaymentReviews, listPaymentReviews(world))
  serve(front, payments.settlePaymentReview, settlePaymentReview(world))
  serve(front, catalogues.catalogueVersions, catalogueVersions(world))
  serve(front, catalogues.catalogueChanges, catalogueChanges(world))
}
