import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { getFile } from '#common/documents/calls.ts'
import type { FileKind } from '#common/documents/kinds.ts'
import * as schemas from '#common/documents/schemas.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import type { Permission } from '#common/kit/permissions.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import type { Database } from '#server/kit/database.ts'
import { disposition } from '#server/kit/http/download.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import type { Scope } from '#server/kit/scope.ts'
import { audit, auditRefusals, findSession, hashToken, lacksSecondFactor, scopeOf, whereOf } from '#server/session/public.ts'
import type { Files } from './files.ts'
import { isHidden, maySee, type SeesUpload, concernsPerson } from './may-see.ts'
import { stamped } from './pdf/document.ts'
import type { PolicyDocuments } from './pdf/documents.ts'
import { type DocumentFacts, editionOf, type ReadFacts } from './pdf/facts.ts'
import type { ProductDocuments } from './pdf/product-documents.ts'
import { certificateBefore, type FileRow, isPolicyBlocked } from './queries.ts'
import type { FindSource } from './recreate/recreator.ts'
import type { Renderer } from './typesetting/renderer.ts'

type Deps = { documents: PolicyDocuments; productDocuments: ProductDocuments; seesUpload: SeesUpload }

/** Serves a file's content. Another unit's file returns 404, like an unknown one. A document that is not made yet is made now. */
export function serveGetFile(context: AppContext, files: Files, deps: Deps): void {
  context.served.push({ ...getFile, ...schemas.getFile })
  context.http.route({
    method: 'GET',
    url: '/api/files/:uuid',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { userId, readers } = await readersOf(context, request)
      // Safe: the route declares `:uuid`.
      const { uuid } = request.params as { uuid: string }
      // Safe: a query is always an object.
      const { policy } = request.query as { policy?: unknown }
      if (!z.uuid().safeParse(uuid).success) throw new Refusal('request.not_found')
      const wanted = { uuid, policyUuid: z.uuid().safeParse(policy).data }
      const [only, another] = readers
      const businessUnitId = another ? undefined : only?.scope.businessUnitId
      const payer = only && { userId, unit: only }
      const attempt = { action: 'GET /api/files/{uuid}', object: uuid, userId, businessUnitId, payer }
      const { reader, file } = await auditRefusals(context.world, whereOf(request), attempt, denied, () =>
        find(files, { ...deps, database: context.world.database }, readers, wanted),
      )
      if (concernsPerson(file.row.kind)) await auditView(context, request, reader, file.row)
      return send(reply, file)
    },
  })
}

const denied = new Set<RefusalCode>(['request.not_found', 'session.forbidden'])

type Opened = NonNullable<Awaited<ReturnType<Files['open']>>>

/** A file's id, and the saved quote that it can be made from, if the link names one. */
type FileRequest = { uuid: string; policyUuid: string | undefined }

async function find(files: Files, deps: Finding, readers: Reader[], wanted: FileRequest): Promise<{ reader: Reader; file: Opened }> {
  for (const reader of readers) {
    const found = await findOrMake(files, deps, reader.scope, wanted)
    if (!found || !(await isVisible(deps, reader, found))) continue
    if (!maySee(reader, found)) throw new Refusal('session.forbidden')
    if (found.state !== 'ready' && found.policy_id) await deps.documents.make(reader.scope, found.policy_id, found.policy_version)
    const file = await files.open(reader.scope, wanted.uuid)
    if (file) return { reader, file }
  }
  throw new Refusal('request.not_found')
}

type Finding = Deps & { database: Database }

async function isVisible({ seesUpload, database }: Finding, reader: Reader, file: FileRow): Promise<boolean> {
  if (file.kind === 'ticket' || file.kind === 'upload') return seesUpload[file.kind](reader, file)
  if (isHidden(reader, file)) return false
  const { policy_id: policyId } = file
  return policyId === null || !(await database.inScope(reader.scope, tx => isPolicyBlocked(tx, policyId)))
}

async function findOrMake(files: Files, deps: Deps, scope: Scope, { uuid, policyUuid }: FileRequest): Promise<FileRow | undefined> {
  const found = await files.find(scope, uuid)
  if (found) return found
  const { documents, productDocuments } = deps
  const isMade = policyUuid ? await documents.makeOpened(scope, policyUuid, uuid) : await productDocuments.makeLinked(scope, uuid)
  return isMade ? files.find(scope, uuid) : undefined
}

type Reader = { userId: string; scope: Scope; permissions: readonly Permission[] }

/** Finds the units in which to look. A link opened in the browser names no unit, so all the user's units count. */
async function readersOf(context: AppContext, request: FastifyRequest): Promise<{ userId: string; readers: Reader[] }> {
  const isLink = request.headers['x-bunit-token'] === undefined && request.headers.authorization === undefined
  const caller = await context.admit(request, isLink ? 'session' : 'unit')
  if (!caller) throw new Refusal('session.missing')
  const { userId, unit } = caller
  if (unit) return { userId, readers: [{ userId, scope: unit.scope, permissions: unit.permissions }] }
  const session = await findSession(context.world.database, hashToken(caller.accessToken))
  const open = session?.memberships.filter(membership => !lacksSecondFactor(context.world.config, session, membership))
  const readers = (open ?? []).map(({ businessUnitId, permissions }) => ({ userId, scope: scopeOf(businessUnitId), permissions }))
  return { userId, readers }
}

/** Audits the view: a document shows personal data, as its policy does. */
function auditView(
  { world }: AppContext,
  request: FastifyRequest,
  { userId, scope }: Reader,
  { id, kind, policy_id }: FileRow,
): Promise<void> {
  return world.database.inScope(scope, tx =>
    audit(world, tx, whereOf(request), {
      action: 'file.seen',
      outcome: 'done',
      userId,
      businessUnitId: scope.businessUnitId,
      object: id,
      details: { kind, ...(policy_id ? { policyUuid: policy_id } : {}) },
    }),
  )
}

function send(reply: FastifyReply, { row, stream }: Opened): FastifyReply {
  return reply
    .header('cache-control', 'private, no-store')
    .header('content-length', row.size)
    .header('content-disposition', disposition(isOurs(row.kind) ? 'inline' : 'attachment', row.name))
    .type(row.media_type)
    .send(stream)
}

/** Uploads are only downloaded: the browser never renders them on our origin. */
const isOurs = (kind: FileKind): boolean => !['upload', 'ticket', 'logo'].includes(kind)

/** The OpenAPI description of the one call whose response is not JSON. */
export const filePaths = {
  '/api/files/{uuid}': {
    get: byHand('Returns a file, if the caller may see the record it belongs to', 'unit', {
      operationId: 'getApiFilesUuid',
      security: [
        { bearer: [], unit: [] },
        { cookie: [], unit: [] },
      ],
      parameters: [
        { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        // The saved quote from which the link's document is made when opened.
        { name: 'policy', in: 'query', required: false, schema: { type: 'string', format: 'uuid' } },
      ],
      responses: {
        200: { description: 'The file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
      },
    }),
  },
}

type Marking = { renderer: Renderer; readFacts: ReadFacts; sourceOfFile: FindSource }

/**
 * Returns the function that renders a replaced certificate with a mark across it, which names its valid successor. It is made at each opening: the
 * stored bytes stay those that the client got, and the mark is never out of date.
 */
export function markerOf(world: World, { renderer, readFacts, sourceOfFile }: Marking) {
  return async (scope: Scope, row: FileRow): Promise<Buffer | undefined> => {
    const source = await sourceOfFile(scope, row)
    const found = await world.database.inScope(scope, async tx => {
      const facts = row.policy_id ? await readFacts(tx, row.policy_id) : undefined
      return facts && { facts, holds: await certificateBefore(tx, facts.policy.id, facts.policy.version + 1) }
    })
    if (!source || !found) return undefined
    return renderer.renderAgain(
      scope.businessUnitId,
      stamped(source, markText(found.facts, found.holds, world.words(row.locale ?? found.facts.policy.locale))),
    )
  }
}

function markText({ policy, seller }: DocumentFacts, holds: number | undefined, words: Words): string {
  if (policy.endedAt) return words('documents.mark.cancelled', { date: displayDate(today(policy.endedAt, seller.timeZone)) ?? '' })
  return words('documents.mark.replaced', { version: editionOf({ ...policy, version: holds ?? policy.version }) })
}
