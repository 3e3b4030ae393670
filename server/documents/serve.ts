import type { AppContext } from '#server/kit/app-context.ts'
import { scopeOf } from '#server/session/public.ts'
import { fileRemoved, type Files } from './files.ts'
import type { SeesTicketFile } from './may-see.ts'
import { serveGetFile } from './get-file.ts'
import { openSources, recreatorOf } from './recreate/recreator.ts'
import { openDocuments, type PolicyDocuments } from './pdf/documents.ts'
import type { ReadFacts } from './pdf/facts.ts'
import { openRenderer } from './pdf/renderer.ts'
import { openProductDocuments } from './pdf/product-documents.ts'
import { markerOf } from './versions/mark.ts'

export type Documents = { documents: PolicyDocuments; start(): void; stop(): Promise<void> }

export function serveDocuments(context: AppContext, files: Files, readFacts: ReadFacts, seesTicketFile: SeesTicketFile): Documents {
  const { world } = context
  const renderer = openRenderer()
  const productDocuments = openProductDocuments(world, files, renderer)
  const documents = openDocuments(world, { files, renderer, productDocuments, readFacts })
  const sourceOfFile = openSources(world, { documents, productDocuments })
  files.recreateWith(recreatorOf(world, renderer, sourceOfFile))
  files.markWith(markerOf(world, { renderer, readFacts, sourceOfFile }))
  world.outbox.subscribe(fileRemoved, 'documents.removed', ({ businessUnitId, payload }) =>
    files.deleteContent(scopeOf(businessUnitId), String(payload['contentId'])),
  )
  serveGetFile(context, files, { documents, productDocuments, seesTicketFile })
  return { documents, start: () => renderer.warm(), stop: () => renderer.stop() }
}
