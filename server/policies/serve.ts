import * as calls from '#common/policies/calls.ts'
import * as dayCalls from '#common/policies/day-calls.ts'
import { alreadyInsured, knownCompanions, knownPeople } from '#common/policies/people-calls.ts'
import * as daySchemas from '#common/policies/schemas/day.ts'
import * as peopleSchemas from '#common/policies/schemas/people.ts'
import * as schemas from '#common/policies/schemas/policy.ts'
import * as verifySchemas from '#common/policies/schemas/verify.ts'
import * as viewSchemas from '#common/policies/views/schemas.ts'
import { verifyPolicy } from '#common/policies/verify-calls.ts'
import * as viewCalls from '#common/policies/views/calls.ts'
import { listKinds } from '#common/policies/views/views.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { type Files, openUploads } from '#server/documents/public.ts'
import { serve, serveFiles } from '#server/kit/serve.ts'
import { paymentNotified } from '#server/payments/public.ts'
import { auditNotFound } from '#server/session/public.ts'
import { removeView } from '#server/views/public.ts'
import { day } from './day/day.ts'
import { sales as salesPicture } from './day/sales.ts'
import { detail, type ReadPossible } from './detail/detail.ts'
import { list, totalsOf } from './list/list.ts'
import { openTotals } from './list/totals.ts'
import { send } from './detail/send.ts'
import { verify } from './detail/verify.ts'
import { onPaymentNotified } from './reconcile.ts'
import { findCompanions } from './people/companions.ts'
import { findInsured } from './people/insured.ts'
import { searchPeople } from './people/known.ts'
import { documentsFailed, purchased } from './sale/purchased.ts'
import { purchase, purchaseAtOnce } from './sale/purchase.ts'
import { register, registerAtOnce } from './sale/register.ts'
import { removePolicy, restorePolicy } from './sale/remove.ts'
import { policyUploads } from './upload/queries.ts'
import { agents, savePolicyView, views } from './views/views.ts'
import { policyPurchased, type Sales } from './sale/sales.ts'

export function servePolicies(context: AppContext, sales: Sales, files: Files, readPossible: ReadPossible): void {
  // In a rush, sales do not wait for the documents of others.
  context.world.outbox.subscribe(policyPurchased, 'policies.purchased', purchased(sales), {
    givingUp: documentsFailed(sales),
    waitsInRush: true,
  })
  context.world.outbox.subscribe(paymentNotified, 'policies.paid', onPaymentNotified(sales))
  const { world } = context
  const id = ({ policyUuid }: { policyUuid?: string | null | undefined }) => policyUuid
  const { keeping, upload, drop } = openUploads(world, files, policyUploads)
  serveFiles(context, calls.uploadPolicyFile, schemas.uploadPolicyFile, keeping, upload)
  serve(context, calls.dropPolicyFile, schemas.dropPolicyFile, drop)
  serve(
    context,
    calls.registerPolicy,
    schemas.registerPolicy,
    auditNotFound(world, calls.registerPolicy, id, register(sales)),
    (input, keep) => registerAtOnce(sales, input, keep),
  )
  serve(
    context,
    calls.purchasePolicy,
    schemas.purchasePolicy,
    auditNotFound(world, calls.purchasePolicy, ({ purchaseUUID }) => purchaseUUID, purchase(sales)),
    (input, keep) => purchaseAtOnce(sales, input, keep),
  )
  serve(context, calls.deletePolicy, schemas.deletePolicy, auditNotFound(world, calls.deletePolicy, id, removePolicy(sales)))
  const totals = openTotals(world)
  serve(context, calls.listPolicies, schemas.listPolicies, list(world, totals))
  serve(context, calls.policyTotals, schemas.policyTotals, totalsOf(world, totals))
  serve(context, viewCalls.policyViews, viewSchemas.policyViews, views(world, totals))
  serve(context, viewCalls.savePolicyView, viewSchemas.savePolicyView, savePolicyView(world))
  serve(
    context,
    viewCalls.deletePolicyView,
    viewSchemas.deletePolicyView,
    auditNotFound(world, viewCalls.deletePolicyView, ({ viewUuid }) => viewUuid, removeView(world, listKinds)),
  )
  serve(context, viewCalls.policyAgents, viewSchemas.policyAgents, agents(world))
  serve(context, calls.policyDetail, schemas.policyDetail, auditNotFound(world, calls.policyDetail, id, detail(sales, readPossible)))
  serve(context, calls.sendCertificates, schemas.sendCertificates, auditNotFound(world, calls.sendCertificates, id, send(sales)))
  serve(context, verifyPolicy, verifySchemas.verifyPolicy, verify(context.world))
  serve(context, calls.restorePolicy, schemas.restorePolicy, auditNotFound(world, calls.restorePolicy, id, restorePolicy(sales)))
  serve(context, knownPeople, peopleSchemas.knownPeople, searchPeople(context.world))
  serve(context, knownCompanions, peopleSchemas.knownCompanions, findCompanions(context.world))
  serve(context, alreadyInsured, peopleSchemas.alreadyInsured, findInsured(context.world))
  serve(context, dayCalls.policyDay, daySchemas.policyDay, day(context.world))
  serve(context, dayCalls.policySales, daySchemas.policySales, salesPicture(context.world))
}
