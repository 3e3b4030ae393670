import * as calls from '#common/changes/calls.ts'
import * as movements from '#common/changes/schemas/movements.ts'
import * as schemas from '#common/changes/schemas/changes.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { within } from '#server/kit/database.ts'
import { serveAll } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { auditNotFound, scopeOf } from '#server/session/public.ts'
import { policyChanged } from './movement.ts'
import { cancelPolicy, makeChange, reinstatePolicy, undoChange } from './make.ts'
import { openChange, payChange, takeBackChange } from './payment/calls.ts'
import { cancel, change, reinstate, terms } from './previews.ts'
import { renew } from './renew.ts'
import { judgeRenewal, renewalDue } from './renewal/judge.ts'
import { mailRenewal, renewalOffered } from './renewal/mails.ts'
import { endOutdated, renewalOutdated } from './renewal/outdated.ts'
import { policyVersions } from './versions.ts'

export function serveChanges(context: AppContext, sales: Sales): void {
  context.world.outbox.subscribe(policyChanged, 'policies.changed', async job => {
    const { policyId, version } = job.payload
    const scope = scopeOf(job.businessUnitId)
    const made = await sales.documents.makeIf(scope, String(policyId), Number(version), () => true)
    return made && (whole => made.save(within(whole, scope)))
  })
  context.world.outbox.subscribe(renewalDue, 'renewals.due', judgeRenewal(sales))
  context.world.outbox.subscribe(renewalOffered, 'renewals.offered', mailRenewal(sales))
  context.world.outbox.subscribe(renewalOutdated, 'renewals.outdated', endOutdated(sales))
  const { world } = context
  serveAll(
    context,
    calls,
    { ...schemas, ...movements },
    {
      changeTerms: auditNotFound(world, 'policyUuid', terms(world)),
      previewChange: auditNotFound(world, 'policyUuid', change(world)),
      previewCancel: auditNotFound(world, 'policyUuid', cancel(world)),
      previewReinstate: auditNotFound(world, 'policyUuid', reinstate(world)),
      makeChange: auditNotFound(world, 'policyUuid', makeChange(sales)),
      payChange: auditNotFound(world, 'changeUuid', payChange(sales)),
      openChange: auditNotFound(world, 'changeUuid', openChange(sales)),
      takeBackChange: auditNotFound(world, 'changeUuid', takeBackChange(sales)),
      undoChange: auditNotFound(world, 'policyUuid', undoChange(sales)),
      cancelPolicy: auditNotFound(world, 'policyUuid', cancelPolicy(sales)),
      reinstatePolicy: auditNotFound(world, 'policyUuid', reinstatePolicy(sales)),
      renewPolicy: auditNotFound(world, 'policyUuid', renew(sales)),
      policyVersions: auditNotFound(world, 'policyUuid', policyVersions(sales)),
    },
  )
}
