import * as calls from '#common/privacy/calls.ts'
import * as schemas from '#common/privacy/schemas.ts'
import type { Files, RenderPaper } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { holdData, liftHold, listHolds } from './blocked/holds.ts'
import { openBlocked } from './blocked/open-blocked.ts'
import { openCopy } from './copy/link.ts'
import { makeCopy } from './copy/make.ts'
import { copyAsked, exportPerson } from './copy/request.ts'
import { letterFile } from './letters/send.ts'
import { erasePerson, objectForPerson, previewErasure, restrictPerson } from './persons/erase.ts'
import { findPersons } from './persons/find.ts'
import { closePersonRequest, extendPersonRequest, listPersonRequests } from './persons/requests.ts'
import { previewRectification, rectifyPerson } from './persons/rectify.ts'
import { contentsErased } from './retention/batches.ts'
import { retentionCertificate, retentionDue } from './retention/certificate.ts'
import { processingRecord } from './record.ts'
import type { Suppressions } from './suppressions.ts'

type Deps = { files: Files; render: RenderPaper; suppressions: Suppressions; sales: Sales }

/** Serves what persons may ask about their data, to the administration, and deletes the files that the retention erased. */
export function servePrivacy(context: AppContext, { files, render, suppressions, sales }: Deps): void {
  const { world } = context
  serve(context, calls.findPersons, schemas.findPersons, findPersons(world))
  serve(context, calls.previewErasure, schemas.previewErasure, previewErasure(world))
  serve(context, calls.erasePerson, schemas.erasePerson, erasePerson(world, suppressions))
  serve(context, calls.objectForPerson, schemas.objectForPerson, objectForPerson(world, suppressions))
  serve(context, calls.restrictPerson, schemas.restrictPerson, restrictPerson(world, suppressions))
  serve(context, calls.rectifyPerson, schemas.rectifyPerson, rectifyPerson(sales))
  serve(context, calls.previewRectification, schemas.previewRectification, previewRectification(sales))
  serve(context, calls.exportPerson, schemas.exportPerson, exportPerson(world))
  serve(context, calls.openCopy, schemas.openCopy, openCopy(world, files))
  serve(context, calls.listPersonRequests, schemas.listPersonRequests, listPersonRequests(world))
  serve(context, calls.personLetter, schemas.personLetter, letterFile(world, { files, render }))
  serve(context, calls.extendPersonRequest, schemas.extendPersonRequest, extendPersonRequest(world))
  serve(context, calls.closePersonRequest, schemas.closePersonRequest, closePersonRequest(world))
  serve(context, calls.holdData, schemas.holdData, holdData(world))
  serve(context, calls.listHolds, schemas.listHolds, listHolds(world))
  serve(context, calls.liftHold, schemas.liftHold, liftHold(world))
  serve(context, calls.openBlocked, schemas.openBlocked, openBlocked(world))
  serve(context, calls.retentionCertificate, schemas.retentionCertificate, retentionCertificate(world))
  serve(context, calls.retentionDue, schemas.retentionDue, retentionDue(world))
  serve(context, calls.processingRecord, schemas.processingRecord, () => Promise.resolve(processingRecord))
  world.outbox.subscribe(copyAsked, 'privacy.copy', makeCopy(world, { files, render }))
  world.outbox.subscribe(contentsErased, 'privacy.contents', async ({ businessUnitId, payload }) => {
    // Safe: the retention publishes this list.
    for (const id of payload['contents'] as string[]) await files.deleteContent(scopeOf(businessUnitId), id)
  })
}
