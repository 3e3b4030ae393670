import * as calls from '#common/policies/calls.ts'
import * as dayCalls from '#common/policies/day-calls.ts'
import * as peopleCalls from '#common/policies/people-calls.ts'
import * as daySchemas from '#common/policies/schemas/day.ts'
import * as peopleSchemas from '#common/policies/schemas/people.ts'
import * as schemas from '#common/policies/schemas/policy.ts'
import * as viewSchemas from '#common/policies/views/schemas.ts'
import * as verifyCalls from '#common/policies/verify-calls.ts'
import * as viewCalls from '#common/policies/views/calls.ts'
import { listKinds } from '#common/policies/views/views.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { type Files, openUploads } from '#server/documents/public.ts'
import { serveAll } from '#server/kit/serve.ts'
import { changePaymentNotified, paymentNotified } from '#server/payments/public.ts'
import { auditNotFound } from '#server/session/public.ts'
import { removeView } from '#server/views/public.ts'
import { day } from './day/day.ts'
import { sales as salesPicture } from './day/sales.ts'
import { detail, type ReadPossible } from './detail/detail.ts'
import { list, near, totalsOf } from './list/list.ts'
import { openTotals } from './list/totals.ts'
import { send } from './detail/send.ts'
import { verify } from './detail/verify.ts'
import { onPaymentNotified } from './payment/reconcile.ts'
import { findInsured } from './people/insured.ts'
import { findCompanions, searchPeople } from './people/known.ts'
import { documentsFailed, purchased } from './sale/purchased.ts'
import { purchase, purchaseAtOnce } from './sale/purchase.ts'
import { register, registerAtOnce } from './sale/register.ts'
import { removePolicy, restorePolicy } from './sale/remove.ts'
import { policyUploads } from './queries.ts'
import { agents, savePolicyView, views } from './views.ts'
import { policyPurchased, type Sales } from './sale/sale-context.ts'

export function servePolicies(context: AppContext, sales: Sales, files: Files, readPossible: ReadPossible): void {
  // In a rush, sales do not wait for the documents of others.
  context.world.outbox.subscribe(policyPurchased, 'policies.purchased', purchased(sales), {
    givingUp: documentsFailed(sales),
    waitsInRush: true,
  })
  context.world.outbox.subscribe(paymentNotified, 'policies.paid', onPaymentNotified(sales))
  context.world.outbox.subscribe(changePaymentNotified, 'changes.paid', onPaymentNotified(sales))
  const { world } = context
  const { keeping, upload, drop } = openUploads(world, files, policyUploads)
  const totals = openTotals(world)
  serveAll(
    context,
    { ...calls, ...viewCalls, ...peopleCalls, ...dayCalls, ...verifyCalls },
    { ...schemas, ...viewSchemas, ...peopleSchemas, ...daySchemas },
    {
      uploadPolicyFile: { keeping, handler: upload },
      dropPolicyFile: drop,
      registerPolicy: {
        handler: auditNotFound(world, 'policyUuid', register(sales)),
        atOnce: (input, keep) => registerAtOnce(sales, input, keep),
      },
      purchasePolicy: {
        handler: auditNotFound(world, 'purchaseUUID', purchase(sales)),
        atOnce: (input, keep) => purchaseAtOnce(sales, input, keep),
      },
      deletePolicy: auditNotFound(world, 'policyUuid', removePolicy(sales)),
      listPolicies: list(world, totals),
      policyTotals: totalsOf(world, totals),
      nearPolicies: near(world),
      policyViews: views(world, totals),
      savePolicyView: savePolicyView(world),
      deletePolicyView: auditNotFound(world, 'viewUuid', removeView(world, listKinds)),
      policyAgents: agents(world),
      policyDetail: auditNotFound(world, 'policyUuid', detail(sales, readPossible)),
      sendCertificates: auditNotFound(world, 'policyUuid', send(sales)),
      verifyPolicy: verify(world),
      restorePolicy: auditNotFound(world, 'policyUuid', restorePolicy(sales)),
      knownPeople: searchPeople(world),
      knownCompanions: findCompanions(world),
      alreadyInsured: findInsured(world),
      policyDay: day(world),
      policySales: salesPicture(world),
    },
  )
}
