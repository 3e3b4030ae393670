import * as calls from '#common/policies/calls.ts'
import * as dayCalls from '#common/policies/day-calls.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import * as daySchemas from '#common/policies/schemas/day.ts'
import * as peopleSchemas from '#common/policies/schemas/people.ts'
import * as schemas from '#common/policies/schemas/policy.ts'
import * as verifySchemas from '#common/policies/schemas/verify.ts'
import { verifyPolicy } from '#common/policies/verify-calls.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { paymentNotified } from '#server/payments/public.ts'
import { auditNotFound } from '#server/session/public.ts'
import { day } from './day/day.ts'
import { sales as salesPicture } from './day/sales.ts'
import { detail } from './detail/detail.ts'
import { list } from './list/list.ts'
import { send } from './detail/send.ts'
import { verify } from './detail/verify.ts'
import { onPaymentNotified } from './reconcile.ts'
import { searchPeople } from './people/known.ts'
import { documentsFailed, purchased } from './sale/purchased.ts'
import { purchase } from './sale/purchase.ts'
import { register } from './sale/register.ts'
import { removePolicy, restorePolicy } from './sale/remove.ts'
import { policyPurchased, type Sales } from './sale/sales.ts'

export function servePolicies(front: Front, sales: Sales): void {
  front.world.outbox.subscribe(policyPurchased, 'policies.purchased', purchased(sales), documentsFailed(sales))
  front.world.outbox.subscribe(paymentNotified, 'policies.paid', onPaymentNotified(sales))
  const { world } = front
  const id = ({ policyUuid }: { policyUuid?: string | null | undefined }) => policyUuid
  serve(front, calls.registerPolicy, schemas.registerPolicy, auditNotFound(world, calls.registerPolicy, id, register(sales)))
  serve(
    front,
    calls.purchasePolicy,
    schemas.purchasePolicy,
    auditNotFound(world, calls.purchasePolicy, ({ purchaseUUID }) => purchaseUUID, purchase(sales)),
  )
  serve(front, calls.deletePolicy, schemas.deletePolicy, auditNotFound(world, calls.deletePolicy, id, removePolicy(sales)))
  serve(front, calls.listPolicies, schemas.listPolicies, list(front.world))
  serve(front, calls.policyDetail, schemas.policyDetail, auditNotFound(world, calls.policyDetail, id, detail(sales)))
  serve(front, calls.sendCertificates, schemas.sendCertificates, auditNotFound(world, calls.sendCertificates, id, send(sales)))
  serve(front, verifyPolicy, verifySchemas.verifyPolicy, verify(front.world))
  serve(front, calls.restorePolicy, schemas.restorePolicy, auditNotFound(world, calls.restorePolicy, id, restorePolicy(sales)))
  serve(front, knownPeople, peopleSchemas.knownPeople, searchPeople(front.world))
  serve(front, dayCalls.policyDay, daySchemas.policyDay, day(front.world))
  serve(front, dayCalls.policySales, daySchemas.policySales, salesPicture(front.world))
}
