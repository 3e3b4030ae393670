import * as calls from '#common/privacy/calls.ts'
import * as schemas from '#common/privacy/schemas.ts'
import type { Files, RenderDocument } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
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
import { processingRecord } from './registry.ts'
import type { Suppressions } from './suppressions.ts'

type Deps = { files: Files; render: RenderDocument; suppressions: Suppressions; sales: Sales }

/** Serves the administration's calls about persons' data, and deletes the files that the retention erased. */
export function servePrivacy(context: AppContext, { files, render, suppressions, sales }: Deps): void {
  const { world } = context
  serveAll(context, calls, schemas, {
    findPersons: findPersons(world),
    previewErasure: previewErasure(world),
    erasePerson: erasePerson(world, suppressions),
    objectForPerson: objectForPerson(world, suppressions),
    restrictPerson: restrictPerson(world, suppressions),
    rectifyPerson: rectifyPerson(sales),
    previewRectification: previewRectification(sales),
    exportPerson: exportPerson(world),
    openCopy: openCopy(world, files),
    listPersonRequests: listPersonRequests(world),
    personLetter: letterFile(world, { files, render }),
    extendPersonRequest: extendPersonRequest(world),
    closePersonRequest: closePersonRequest(world),
    holdData: holdData(world),
    listHolds: listHolds(world),
    liftHold: liftHold(world),
    openBlocked: openBlocked(world),
    retentionCertificate: retentionCertificate(world),
    retentionDue: retentionDue(world),
    processingRecord: () => Promise.resolve(processingRecord),
  })
  world.outbox.subscribe(copyAsked, 'privacy.copy', makeCopy(world, { files, render }))
  world.outbox.subscribe(contentsErased, 'privacy.contents', async ({ businessUnitId, payload }) => {
    // Safe: the retention publishes this list.
    for (const id of payload['contents'] as string[]) await files.deleteContent(scopeOf(businessUnitId), id)
  })
}
