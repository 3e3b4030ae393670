import type { AppContext } from '#server/kit/app-context.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { auditNotFound, scopeOf } from '#server/session/public.ts'
import { fileRemoved, type Files, type ReadFile } from './files.ts'
import type { SeesUpload } from './may-see.ts'
import { markerOf, serveGetFile } from './get-file.ts'
import { openSources, recreatorOf } from './recreate/recreator.ts'
import { openDocuments, type PolicyDocuments } from './pdf/documents.ts'
import type { ReadFacts } from './pdf/facts.ts'
import type { Typesetter } from './typesetting/typesetter.ts'
import { leaveLogoOut, openRenderer, type RenderDocument, type Renderer } from './typesetting/renderer.ts'
import { accountingStatementFile } from '#common/accounting/calls.ts'
import * as accountingSchemas from '#common/accounting/schemas.ts'
import { openProductDocuments, withLogo } from './pdf/product-documents.ts'
import { statementFile } from './statements/file.ts'
import { serveAll } from '#server/kit/serve.ts'

export type Documents = {
  documents: PolicyDocuments
  /** Reads a file for an email. A document that is not made yet is made now. */
  readFile: ReadFile
  /** Renders a document of another feature, with the agency's logo. */
  render: RenderDocument
  /** Returns whether documents can have this picture as a logo. */
  canDraw: Renderer['canDraw']
  start(): void
  stop(): void
}

export function serveDocuments(
  context: AppContext,
  files: Files,
  readFacts: ReadFacts,
  seesUpload: SeesUpload,
  idleRenderers?: Typesetter[],
): Documents {
  const { world } = context
  const renderer = openRenderer({
    idle: idleRenderers,
    onBadPicture: leaveLogoOut(world),
  })
  const productDocuments = openProductDocuments(world, files, renderer)
  const documents = openDocuments(world, { files, renderer, productDocuments, readFacts })
  const sourceOfFile = openSources(world, { documents, productDocuments })
  files.recreateWith(recreatorOf(world, renderer, sourceOfFile))
  files.markWith(markerOf(world, { renderer, readFacts, sourceOfFile }))
  world.outbox.subscribe(fileRemoved, 'documents.removed', ({ businessUnitId, payload }) =>
    files.deleteContent(scopeOf(businessUnitId), String(payload['contentId'])),
  )
  serveAll(context, { accountingStatementFile }, accountingSchemas, {
    accountingStatementFile: auditNotFound(world, 'number', statementFile(world, renderer)),
  })
  serveGetFile(context, files, { documents, productDocuments, seesUpload })
  const readFile: ReadFile = async (scope, id, known) => {
    const file = known ?? (await files.find(scope, id))
    if (!file?.policy_id || file.state === 'ready') return files.readFile(scope, id, file)
    const { rows } = await documents.make(scope, file.policy_id, file.policy_version)
    return files.readFile(
      scope,
      id,
      rows.find(row => row.id === id),
    )
  }
  const render: RenderDocument = async (scope, documentOf) => {
    const seller = await world.database.inScope(scope, unitSettings)
    return (await renderer.render(scope.businessUnitId, documentOf(await withLogo(files, scope, seller)))).content
  }
  return { documents, readFile, render, canDraw: renderer.canDraw, start: () => renderer.warm(), stop: () => renderer.stop() }
}
