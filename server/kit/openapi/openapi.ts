import * as z from 'zod/mini'
import { refusals } from '#common/kit/refusals.ts'
import { type OpenApiDocument, type Operation, serveDocsPage } from './docs-page.ts'
import type { AppContext, Served } from '#server/kit/app-context.ts'

type Schema = Record<string, unknown>

/** Serves the OpenAPI 3.1 document, built from the schemas that validate requests, and its page. `described` adds routes that are no calls. */
export function serveOpenApi(context: AppContext, described: Record<string, Record<string, Operation>>): void {
  let document: OpenApiDocument | undefined
  const openDocument = () => {
    // Safe: both parts of the document are written to this type.
    document ??= { ...openApi(context.served), paths: { ...openApi(context.served).paths, ...described } } as unknown as OpenApiDocument
    return document
  }
  context.http.get('/api/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(JSON.stringify(openDocument())),
  )
  serveDocsPage(context, openDocument)
}

const refusal = { description: 'A refusal', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } }

/** Describes a route that is not one of the portal's calls. Its reply has no envelope, or its client is another program. */
export const byHand = (
  summary: string,
  needs: string,
  more: Partial<Operation> & { operationId?: string; security?: Record<string, []>[] } = {},
): Operation => ({
  summary,
  'x-needs': needs,
  parameters: [],
  ...more,
  responses: { ...more.responses, default: refusal },
})

function openApi(calls: Served[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(call) }
  return {
    openapi: '3.1.0',
    info: { title: 'Portolan', version: '1', description: 'Travel insurance for agencies. A call succeeds only if `code` is 200.' },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        unit: { type: 'apiKey', in: 'header', name: 'X-BUNIT-TOKEN' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Of a browser, for requests of the same origin.' },
      },
      schemas: { Failure: failure },
    },
  }
}

function operation(call: Served): Schema {
  // Safe: a JSON Schema of an object; `properties` and `required` follow its specification.
  const request = z.toJSONSchema(call.request, { io: 'input', unrepresentable: 'any' }) as Schema
  // Safe: the pattern has one group.
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string)
  // Safe: see above.
  const fields = (request['properties'] ?? {}) as Record<string, Schema>
  const required = (request['required'] ?? []) as string[] // Safe: see above.
  const parameter = (name: string, location: string) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: fields[name] ?? {},
  })
  const inQuery = call.method === 'GET' ? Object.keys(fields).filter(name => !inPath.includes(name)) : []
  const body = call.method === 'GET' ? undefined : without(request, inPath)
  return {
    summary: call.summary,
    operationId: `${call.method.toLowerCase()}${call.path.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    'x-needs': call.needs,
    security: securityOf(call),
    parameters: [
      ...inPath.map(name => parameter(name, 'path')),
      ...inQuery.map(name => parameter(name, 'query')),
      ...(call.idempotent ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }] : []),
    ],
    ...(body ? { requestBody: { required: required.length > 0, content: contentOf(call, body) } } : {}),
    responses: {
      200: success(call),
      default: refusal,
    },
  }
}

/** Returns the ways to authenticate: the session's token or cookie. Each needs the unit's token if the call needs a unit. */
function securityOf({ needs, firstUnit }: Served): Record<string, []>[] {
  if (needs === 'nothing') return []
  const unit: Record<string, []> = needs === 'session' || needs === 'administration' ? {} : { unit: [] }
  return [
    { bearer: [], ...unit },
    { cookie: [], ...(firstUnit ? {} : unit) },
  ]
}

/** Returns the media types of a body. A call with files also takes a form whose texts are the same fields. */
function contentOf({ files }: Served, schema: Schema): Schema {
  const json = { 'application/json': { schema } }
  if (!files) return json
  const many = { type: 'array', maxItems: files.most, items: { type: 'string', format: 'binary' } }
  // Safe: `properties` of a JSON Schema is an object.
  const properties = { ...(schema['properties'] as Schema), files: many }
  return { 'multipart/form-data': { schema: { ...schema, properties } }, ...json }
}

const success = (call: Served): Schema => ({
  description: 'Done',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'data'],
        properties: { code: { const: 200 }, data: z.toJSONSchema(call.response, { io: 'output', unrepresentable: 'any' }) },
      },
    },
  },
})

function without(schema: Schema, names: string[]): Schema {
  // Safe: `properties` of a JSON Schema is an object.
  const properties = Object.fromEntries(Object.entries((schema['properties'] ?? {}) as Schema).filter(([name]) => !names.includes(name)))
  // Safe: `required` of a JSON Schema is a list of names.
  const required = ((schema['required'] ?? []) as string[]).filter(name => !names.includes(name))
  const { $schema: _, ...rest } = schema
  return { ...rest, properties, required }
}

const failure: Schema = {
  type: 'object',
  required: ['code', 'error', 'errorMessage', 'requestId'],
  properties: {
    code: { type: 'integer', enum: [...new Set(Object.values(refusals))].sort((a, b) => a - b) },
    error: { type: 'string', enum: Object.keys(refusals) },
    errorMessage: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'rule', 'message'],
        properties: { path: { type: 'string' }, rule: { type: 'string' }, message: { type: 'string' } },
      },
    },
    data: {},
    requestId: { type: 'string' },
  },
}
