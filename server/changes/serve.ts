import * as calls from '#common/changes/calls.ts'
import * as deeds from '#common/changes/schemas/deeds.ts'
import * as schemas from '#common/changes/schemas/changes.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { changePaymentNotified } from '#server/payments/public.ts'
import { onPaymentNotified, type Sales } from '#server/policies/public.ts'
import { auditNotFound, scopeOf } from '#server/session/public.ts'
import { policyChanged } from './deed.ts'
import { cancelPolicy, makeChange, reinstatePolicy, undoChange } from './make.ts'
import { openChange, payChange, takeBackChange } from './payment/calls.ts'
import { reconcileChange } from './payment/reconcile.ts'
import { cancel, change, reinstate, terms } from './previews.ts'
import { policyVersions } from './versions.ts'

export function serveChanges(context: AppContext, sales: Sales): void {
  // A policy that has ended has no documents.
  context.world.outbox.subscribe(policyChanged, 'policies.changed', async job => {
    const { policyId, version, ends } = job.payload
    if (ends !== true) await sales.documents.make(scopeOf(job.businessUnitId), String(policyId), Number(version))
  })
  context.world.outbox.subscribe(changePaymentNotified, 'changes.paid', onPaymentNotified(sales, reconcileChange))
  const { world } = context
  const id = ({ policyUuid }: { policyUuid?: string | null | undefined }) => policyUuid
  serve(context, calls.changeTerms, schemas.changeTerms, auditNotFound(world, calls.changeTerms, id, terms(world)))
  serve(context, calls.previewChange, schemas.previewChange, auditNotFound(world, calls.previewChange, id, change(world)))
  serve(context, calls.previewCancel, schemas.previewCancel, auditNotFound(world, calls.previewCancel, id, cancel(world)))
  serve(context, calls.previewReinstate, schemas.previewReinstate, auditNotFound(world, calls.previewReinstate, id, reinstate(world)))
  serve(context, calls.makeChange, deeds.makeChange, auditNotFound(world, calls.makeChange, id, makeChange(sales)))
  const changeId = ({ changeUuid }: { changeUuid: string }) => changeUuid
  serve(context, calls.payChange, deeds.payChange, auditNotFound(world, calls.payChange, changeId, payChange(sales)))
  serve(context, calls.openChange, deeds.openChange, auditNotFound(world, calls.openChange, changeId, openChange(sales)))
  serve(context, calls.takeBackChange, deeds.takeBackChange, auditNotFound(world, calls.takeBackChange, changeId, takeBackChange(sales)))
  serve(context, calls.undoChange, deeds.undoChange, auditNotFound(world, calls.undoChange, id, undoChange(sales)))
  serve(context, calls.cancelPolicy, deeds.cancelPolicy, auditNotFound(world, calls.cancelPolicy, id, cancelPolicy(sales)))
  serve(context, calls.reinstatePolicy, deeds.reinstatePolicy, auditNotFound(world, calls.reinstatePolicy, id, reinstatePolicy(sales)))
  serve(context, calls.policyVersions, deeds.policyVersions, auditNotFound(world, calls.policyVersions, id, policyVersions(world)))
}
