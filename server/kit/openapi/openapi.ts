import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import { refusals } from '#common/kit/refusals.ts'
import { type OpenApiDocument, type Operation, type Schema, serveDocsPage } from './docs-page.ts'
import type { AppContext, Served } from '#server/kit/app-context.ts'

/** Serves the OpenAPI 3.1 document, built from the schemas that validate requests, and its page. `described` adds routes that are no calls. */
export function serveOpenApi(context: AppContext, described: Record<string, Record<string, Operation>>): void {
  let document: OpenApiDocument | undefined
  const openDocument = () => (document ??= openApi(context.served, described, context.world.publicUrl()))
  context.http.get('/api/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(JSON.stringify(openDocument())),
  )
  serveDocsPage(context, openDocument)
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

/** The refusals that many calls share. */
const refusedWith = {
  401: refusal('Not signed in, or the session has ended'),
  403: refusal('The permission is missing, or the agency is suspended'),
  409: refusal('The state has changed, or the Idempotency-Key belongs to another request'),
  422: refusal('Fields are wrong: `fields` has each with its rule and message'),
  429: refusal('Too many requests: try again after `Retry-After` seconds'),
}

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
  responses: { ...more.responses, default: { $ref: '#/components/responses/Refused' } },
})

const description = `Travel insurance for agencies. A call succeeds only if its \`code\` is 200; a refusal has the code in \`error\` and a message for people in
\`errorMessage\`, in the language of \`Accept-Language\`.

Amounts are in the unit of the currency, with its decimals (\`33.76\`). Days are \`YYYY-MM-DD\` in the time zone of the agency, and instants are ISO 8601.
Ignore fields, values and calls that you do not know: more of them may be added.`

function openApi(calls: Served[], described: Record<string, Record<string, Operation>>, url: string): OpenApiDocument {
  const schemas: Record<string, Schema> = { Failure: failure }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(call, schemas) }
  for (const [path, operations] of Object.entries({ ...paths, ...described }))
    paths[path] = Object.fromEntries(Object.entries(operations).map(([method, of]) => [method, completed(of, method, path)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portolan',
      version: '1',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The administration of this installation', url },
    },
    servers: [{ url, description: 'This installation' }],
    tags: [...new Set(Object.keys(paths).map(featureOf))].map(name => ({ name, description: features[name] ?? '' })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        unit: { type: 'apiKey', in: 'header', name: 'X-BUNIT-TOKEN' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Of a browser, for requests of the same origin.' },
      },
      responses: {
        ...Object.fromEntries(Object.entries(refusedWith).map(([status, response]) => [`Refused${status}`, response])),
        Refused: refusal('Another refusal'),
      },
      schemas,
    },
  }
}

const features: Record<string, string> = {
  'business-unit': 'The agency: its settings, countries and forms of payment',
  auth: 'Signing in, and links of invitations and passwords',
  users: 'The user who is signed in: sessions, password, two-step verification',
  products: 'The products that the agency sells, with their documents',
  quotes: 'Prices of a trip',
  policy: 'Saved quotes and policies, from the sale to the cancellation',
  files: 'Documents and uploaded files',
  people: 'Clients of the agency',
  tickets: 'Claims and requests',
  reports: 'Sales and earnings of a period',
  accounting: 'Statements and commissions',
  agency: 'The profile of the agency, and its users',
  privacy: 'Requests of people about their data',
  client: 'The pages of a link that a client has received',
  verify: 'Checks of documents, without a session',
  geo: 'Countries, states, cities and postal codes, in an envelope of their own',
  payments: 'Events of the card network',
  administration: 'The insurer’s administration of all agencies',
  pages: 'The first data of each page of the portal, for the portal alone',
}

/** The feature that a path belongs to: `/api/policy/list` to `policy`. */
const featureOf = (path: string): string =>
  path.endsWith('/_payload.json') ? 'pages' : (path.split('/').find(part => part !== '' && part !== 'api') ?? '')

/** Adds to an operation what follows from its path and its needs. */
function completed(of: Operation, method: string, path: string): Operation {
  const { responses } = of
  const needs = of['x-needs']
  const needed = neededFor[needs] ?? (needs.startsWith('b2b-') ? `the permission \`${needs}\` in an agency` : undefined)
  const statuses = [
    ...(needed ? [401] : []),
    ...(needs === 'nothing' || needs === 'session' || !('default' in responses) ? [] : [403]),
    ...(of.parameters.some(({ name }) => name === 'Idempotency-Key') ? [409] : []),
    ...(of.requestBody || of.parameters.some(({ in: place }) => place === 'query') ? [422] : []),
    429,
  ]
  const refusals = Object.fromEntries(statuses.map(status => [status, { $ref: `#/components/responses/Refused${status}` }]))
  return {
    operationId: operationIdOf(method, path),
    tags: [featureOf(path)],
    description: `${of.summary}. Needs ${needed ?? needs}.`,
    security: [],
    ...of,
    responses: 'default' in responses ? { ...refusals, ...responses } : responses,
  }
}

const neededFor: Record<string, string> = {
  session: 'a session',
  unit: 'a session in an agency',
  administration: 'the permission of the administration',
}

const operationIdOf = (method: string, path: string): string =>
  `${method}${path.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`

function operation(call: Served, schemas: Record<string, Schema>): Operation {
  const request = schemaOf(call.request, 'input', schemas)
  // Safe: the pattern has one group.
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string)
  const { properties: fields = {}, required = [] } = request
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
    'x-needs': call.needs,
    security: securityOf(call),
    parameters: [
      ...inPath.map(name => parameter(name, 'path')),
      ...inQuery.map(name => parameter(name, 'query')),
      ...(call.idempotent ? [idempotencyKey] : []),
    ],
    ...(body ? { requestBody: { required: required.length > 0, content: contentOf(call, body) } } : {}),
    responses: {
      200: success(call, schemas),
      default: { $ref: '#/components/responses/Refused' },
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
function contentOf({ files }: Served, schema: Schema): Record<string, { schema: Schema }> {
  const json = { 'application/json': { schema } }
  if (!files) return json
  const many = { type: 'array', maxItems: files.most, items: { type: 'string', format: 'binary' } }
  return { 'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, files: many } } }, ...json }
}

const success = (call: Served, schemas: Record<string, Schema>) => ({
  description: 'Done',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'data'],
        properties: { code: { const: 200 }, data: schemaOf(call.response, 'output', schemas) },
      },
    },
  },
})

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'A key of your own, for example a UUID. For 24 hours a repeated request with the same key gets the first response again.',
}

/** Returns a schema whose named parts are moved to `schemas`, and referred to there. */
function schemaOf(of: z.core.$ZodType, io: 'input' | 'output', schemas: Record<string, Schema>): Schema {
  const { $defs, $schema: _, ...schema } = z.toJSONSchema(of, { io, unrepresentable: 'any', metadata: names, override: listed })
  const text = JSON.stringify({ schema, $defs: $defs ?? {} }).replaceAll('"#/$defs/', '"#/components/schemas/')
  // Safe: JSON Schema, as it was before.
  const moved = JSON.parse(text) as { schema: Schema; $defs: Record<string, Schema & { id?: string }> }
  for (const [name, { id: __, ...named }] of Object.entries(moved.$defs)) schemas[name] = named
  return moved.schema
}

/** A list of fixed length has `items` that its length leaves no room for, as readers of the document expect of every list. */
function listed({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.items === false) jsonSchema.items = {}
}

const without = ({ properties = {}, required = [], ...rest }: Schema, names: string[]): Schema => ({
  ...rest,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  required: required.filter(name => !names.includes(name)),
})

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
