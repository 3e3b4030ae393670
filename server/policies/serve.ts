import * as calls from '#common/policies/calls.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import { verifyPolicy } from '#common/policies/verify.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { paymentHeard } from '#server/payments/webhook.ts'
import { absentNoted } from '#server/session/audit.ts'
import * as dayCalls from '#common/policies/day-calls.ts'
import { day } from './day/day.ts'
import { sales as salesPicture } from './day/sales.ts'
import { detail } from './detail/detail.ts'
import { list } from './list/list.ts'
import { send } from './detail/send.ts'
import { verify } from './detail/verify.ts'
import { heard } from './reconcile.ts'
import { known } from './people/known.ts'
import { papersFailed, purchased } from './sale/purchased.ts'
import { purchase } from './sale/purchase.ts'
import { register } from './sale/register.ts'
import { removePolicy, restorePolicy } from './sale/remove.ts'
import { policyPurchased, type Sales } from './sale/sales.ts'

export function servePolicies(front: Front, sales: Sales): void {
  front.world.outbox.subscribe(policyPurchased, 'policies.purchased', purchased(sales), papersFailed(sales))
  front.world.outbox.subscribe(paymentHeard, 'policies.paid', heard(sales))
  const { world } = front
  const id = ({ policyUuid }: { policyUuid?: string | null | undefined }) => policyUuid
  serve(front, calls.registerPolicy, absentNoted(world, calls.registerPolicy, id, register(sales)))
  serve(
    front,
    calls.purchasePolicy,
    absentNoted(world, calls.purchasePolicy, ({ purchaseUUID }) => purchaseUUID, purchase(sales)),
  )
  serve(front, calls.deletePolicy, absentNoted(world, calls.deletePolicy, id, removePolicy(sales)))
  serve(front, calls.listPolicies, list(front.world))
  serve(front, calls.policyDetail, absentNoted(world, calls.policyDetail, id, detail(sales)))
  serve(front, calls.sendCertificates, absentNoted(world, calls.sendCertificates, id, send(sales)))
  serve(front, verifyPolicy, verify(front.world))
  serve(front, calls.restorePolicy, absentNoted(world, calls.restorePolicy, id, restorePolicy(sales)))
  serve(front, knownPeople, known(front.world))
  serve(front, dayCalls.policyDay, day(front.world))
  serve(front, dayCalls.policySales, salesPicture(front.world))
}
