import type { AppContext } from '#server/kit/app-context.ts'
import { scopeOf } from '#server/session/public.ts'
import { fileRemoved, type Files } from './files.ts'
import type { SeesTicketFile } from './may-see.ts'
import { serveGetFile } from './get-file.ts'
import { makerOf } from './again/maker.ts'
import { openPapers, type Papers } from './pdf/documents.ts'
import type { ReadFacts } from './pdf/facts.ts'
import { openPress } from './pdf/renderer.ts'
import { openProductPapers } from './pdf/product-documents.ts'

export type Documents = { papers: Papers; start(): void; stop(): Promise<void> }

export function serveDocuments(context: AppContext, files: Files, readFacts: ReadFacts, seesTicketFile: SeesTicketFile): Documents {
  const { world } = context
  const press = openPress()
  const productPapers = openProductPapers(world, files, press)
  const papers = openPapers(world, { files, press, productPapers, readFacts })
  files.makeAgainBy(makerOf(world, { press, papers, productPapers }))
  world.outbox.subscribe(fileRemoved, 'documents.removed', ({ businessUnitId, payload }) =>
    files.forget(scopeOf(businessUnitId), String(payload['contentId'])),
  )
  serveGetFile(context, files, { papers, productPapers, seesTicketFile })
  return { papers, start: () => press.warm(), stop: () => press.stop() }
}
